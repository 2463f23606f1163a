// expect: deleted.*Slot
// SPDX-License-Identifier: MIT
// Moving an element inside the memory would read it.
#include <ferry/ferry.hpp>

void move_down(ferry::Staging<float>& staged) {
    const auto span = staged.span();
#ifdef FERRY_MISUSE
    span[0] = span[1];
#else
    span[0] = 1;
#endif
}
