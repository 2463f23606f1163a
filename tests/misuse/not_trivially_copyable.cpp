// expect: no matching (member )?function for call to.*create_buffer
// SPDX-License-Identifier: MIT
// A string is a pointer to somewhere else, not data that a GPU could use.
#include <ferry/ferry.hpp>

#include <string>

ferry::Result<ferry::Buffer> create(ferry::Device& device) {
    constexpr ferry::BufferOptions options{.usage = ferry::BufferUsage::storage};
#ifdef FERRY_MISUSE
    return device.create_buffer(std::vector<std::string>{"one", "two"}, options);
#else
    return device.create_buffer(std::string("the letters of one string"), options);
#endif
}
