// expect: cannot convert.*Slot
// SPDX-License-Identifier: MIT
// The memory is written and not read: on many machines reading it is a hundred times slower.
#include <ferry/ferry.hpp>

float set_first(ferry::Staging<float>& staged) {
#ifdef FERRY_MISUSE
    const float value = staged.span()[0];
#else
    const float value = 1;
    staged.span()[0] = value;
#endif
    return value;
}
