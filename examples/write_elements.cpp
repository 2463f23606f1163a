// SPDX-License-Identifier: MIT
// Seven floats from element 6 on: `first` and `count` count elements, offsets are in bytes.
#include <ferry/ferry.hpp>

#include <iostream>
#include <numeric>

using namespace std::chrono_literals;
using Numbers = std::vector<float>;

int main() try {
    using enum ferry::BufferUsage;
    Numbers numbers(16);
    std::iota(numbers.begin(), numbers.end(), 0.f);

    auto device = ferry::Device::open().value();
    auto buffer = device.create_buffer({.usage = copy_dst | copy_src, .size_bytes = 40}).value();

    device.write(buffer, numbers, {.offset_bytes = 8, .first = 6, .count = 7}).value();
    const Numbers typed = device.read<float>(buffer).wait(10s).value();
    std::cout << "typed:   ";
    for (float number : typed) std::cout << ' ' << number;
    std::cout << '\n';

    // Of raw bytes the elements are bytes: the same seven floats are 28 bytes from byte 24.
    const auto bytes = std::as_bytes(std::span(numbers));
    device.write(buffer, bytes, {.offset_bytes = 8, .first = 24, .count = 28}).value();
    const Numbers raw = device.read<float>(buffer).wait(10s).value();
    std::cout << "as bytes: " << (raw == typed ? "the same" : "different") << '\n';

    // Without a count: the rest of the data. From element 6 on that is ten floats.
    device.write(buffer, numbers, {.first = 6}).value();
    const Numbers rest = device.read<float>(buffer).wait(10s).value();
    std::cout << "the rest:";
    for (float number : rest) std::cout << ' ' << number;
    std::cout << '\n';

    const bool right = typed == Numbers{0, 0, 6, 7, 8, 9, 10, 11, 12, 0} && raw == typed &&
                       rest == Numbers{6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    return right ? 0 : 1;
} catch (const std::bad_expected_access<ferry::Error>& failed) {
    std::cerr << to_string(failed.error()) << '\n';
    return 1;
}
