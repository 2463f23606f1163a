// expect: cannot bind
// SPDX-License-Identifier: MIT
// Submitting takes the recording, and the call shows it.
#include <ferry/ferry.hpp>

ferry::Result<ferry::Submission> send(ferry::Device& device) {
    auto commands = device.record("frame");
#ifdef FERRY_MISUSE
    return device.submit(commands);
#else
    return device.submit(std::move(commands));
#endif
}
