// expect: ignoring return value
// SPDX-License-Identifier: MIT
// The first command that was wrong is said at the submit, and only there.
#include <ferry/ferry.hpp>

bool send(ferry::Device& device) {
    auto commands = device.record("frame");
#ifdef FERRY_MISUSE
    device.submit(std::move(commands));
    return true;
#else
    return device.submit(std::move(commands)).has_value();
#endif
}
