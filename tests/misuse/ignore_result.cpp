// expect: ignoring return value
// SPDX-License-Identifier: MIT
// A result that nobody looks at: the write may not have happened.
#include <ferry/ferry.hpp>

ferry::Result<> write(ferry::Device& device, ferry::Buffer& buffer,
                      const std::vector<float>& numbers) {
#ifdef FERRY_MISUSE
    device.write(buffer, numbers);
    return {};
#else
    return device.write(buffer, numbers);
#endif
}
