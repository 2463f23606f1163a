// SPDX-License-Identifier: MIT
// A buffer of 1,024 bytes as 256 floats, in memory that the CPU may read until the unmap.
#include <ferry/ferry.hpp>

#include <iostream>
#include <numeric>

using namespace std::chrono_literals;

int main() try {
    using enum ferry::BufferUsage;
    std::vector<float> numbers(256);
    std::iota(numbers.begin(), numbers.end(), 0.f);

    auto device = ferry::Device::open().value();
    auto buffer = device.create_buffer({.usage = map_read | copy_dst, .size_bytes = 1024}).value();
    device.write(buffer, numbers).value();

    auto mapping = buffer.map_read().wait(10s).value(); // all of it, once the GPU is done with it
    auto view = mapping.as<float>().value();            // read-only in its type
    std::cout << view.size() << " floats; the first is " << view.at(0).value() << ", the last "
              << view.at(255).value() << '\n';

    const std::span<const float> memory = view.span().value(); // checked here, not per element
    const float sum = std::accumulate(memory.begin(), memory.end(), 0.f);
    std::cout << "their sum is " << sum << '\n';

    auto past = view.at(256);
    std::cout << "number 256: " << (past ? "there" : name(past.error().code)) << '\n';

    mapping.unmap().value(); // the GPU may use the buffer again
    std::cout << "after the unmap the buffer is " << name(buffer.map_state()) << '\n';
    return sum == 255 * 256 / 2 && !past ? 0 : 1;
} catch (const std::bad_expected_access<ferry::Error>& failed) {
    std::cerr << to_string(failed.error()) << '\n';
    return 1;
}
