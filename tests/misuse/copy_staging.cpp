// expect: deleted.*Staging
// SPDX-License-Identifier: MIT
// The memory has one owner, who gives it to the commands.
#include <ferry/ferry.hpp>

ferry::Staging<float> pass_on(ferry::Staging<float>& staged) {
#ifdef FERRY_MISUSE
    ferry::Staging<float> other = staged;
#else
    ferry::Staging<float> other = std::move(staged);
#endif
    return other;
}
