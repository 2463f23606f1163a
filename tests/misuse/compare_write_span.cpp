// expect: no match for .operator==.*Slot
// SPDX-License-Identifier: MIT
// Comparing would read.
#include <ferry/ferry.hpp>

bool is_set(ferry::Staging<float>& staged) {
#ifdef FERRY_MISUSE
    return staged.span()[0] == 1.0f;
#else
    return staged.span().size() == 1;
#endif
}
