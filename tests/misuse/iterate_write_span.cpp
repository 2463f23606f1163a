// expect: cannot convert.*Slot
// SPDX-License-Identifier: MIT
// A loop over the elements may set them and not read them.
#include <ferry/ferry.hpp>

float fill(ferry::Staging<float>& staged) {
    float sum = 0;
#ifdef FERRY_MISUSE
    for (float value : staged.span()) sum += value;
#else
    for (auto value : staged.span()) value = sum++;
#endif
    return sum;
}
