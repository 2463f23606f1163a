// expect: deleted.*Device
// SPDX-License-Identifier: MIT
// A device is used by one thread at a time; a copy would invite two.
#include <ferry/ferry.hpp>

ferry::Device pass_on(ferry::Device& device) {
#ifdef FERRY_MISUSE
    ferry::Device other = device;
#else
    ferry::Device other = std::move(device);
#endif
    return other;
}
