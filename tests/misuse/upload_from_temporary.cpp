// expect: no matching function for call to.*upload
// SPDX-License-Identifier: MIT
// A stream from memory that is gone after the call that makes its source.
#include <ferry/ferry.hpp>

ferry::Result<ferry::StreamReport> upload(ferry::Device& device, const ferry::Buffer& buffer) {
#ifdef FERRY_MISUSE
    return ferry::upload(device, std::vector<float>(4), buffer);
#else
    const std::vector<float> numbers(8);
    return ferry::upload(device, std::span(numbers).first(4), buffer); // a view may be a temporary
#endif
}
