// SPDX-License-Identifier: MIT
// A part of a buffer, and a part of that part. Offsets count from the start of the buffer.
#include <ferry/ferry.hpp>

#include <iostream>
#include <numeric>

using namespace std::chrono_literals;

int main() try {
    using enum ferry::BufferUsage;
    std::vector<std::uint32_t> numbers(256);
    std::iota(numbers.begin(), numbers.end(), 0u);

    auto device = ferry::Device::open().value();
    auto buffer = device.create_buffer({.usage = map_read | copy_dst, .size_bytes = 1024}).value();
    device.write(buffer, numbers).value();

    auto mapping = buffer.map_read({.offset_bytes = 256, .size_bytes = 512}).wait(10s).value();
    auto all = mapping.as<std::uint32_t>().value(); // exactly what was mapped
    auto part = mapping.as<std::uint32_t>({.offset_bytes = 512, .size_bytes = 64}).value();
    const std::uint32_t first = all.at(0).value(), first_of_part = part.at(0).value();
    std::cout << "mapped: " << all.size() << " numbers from " << first << '\n'
              << "of it:  " << part.size() << " numbers from " << first_of_part << '\n';

    // What is outside, or off the grid of 8 and 4 bytes, is refused with the rule that it breaks.
    auto outside = mapping.as<std::uint32_t>({.offset_bytes = 0, .size_bytes = 64});
    auto askew = mapping.as<std::uint32_t>({.offset_bytes = 260, .size_bytes = 64});
    std::cout << "from byte 0:   " << (outside ? "given" : name(outside.error().code)) << '\n'
              << "from byte 260: " << (askew ? "given" : name(askew.error().code)) << '\n';
    mapping.unmap().value();

    auto unaligned = buffer.map_read({.offset_bytes = 4}).wait(0s);
    if (unaligned) return 1;
    std::cout << "mapping from byte 4: " << name(unaligned.error().code) << ", rule "
              << unaligned.error().rule << '\n';
    return first == 64 && first_of_part == 128 && !outside && !askew ? 0 : 1;
} catch (const std::bad_expected_access<ferry::Error>& failed) {
    std::cerr << to_string(failed.error()) << '\n';
    return 1;
}
