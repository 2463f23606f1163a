// expect: deleted.*span
// SPDX-License-Identifier: MIT
// The memory would go back to the pool with the expression.
#include <ferry/ferry.hpp>

void fill(ferry::UploadPool& pool) {
#ifdef FERRY_MISUSE
    auto span = pool.acquire<float>(4).value().span();
#else
    auto staged = pool.acquire<float>(4).value();
    auto span = staged.span();
#endif
    span[0] = 1;
}
