// expect: no matching function for call to.*BatchWrite
// SPDX-License-Identifier: MIT
// A write of a batch from memory that is gone after the call that names it.
#include <ferry/ferry.hpp>

void write(ferry::Commands& commands, const ferry::Buffer& buffer) {
    const std::vector<float> numbers(8);
    std::vector<ferry::BatchWrite> writes;
#ifdef FERRY_MISUSE
    writes.push_back(ferry::BatchWrite(buffer, std::vector<float>(4)));
#else
    writes.push_back(ferry::BatchWrite(buffer, std::span(numbers).first(4))); // a view may be one
#endif
    commands.write_each(writes);
}
