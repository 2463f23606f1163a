// SPDX-License-Identifier: MIT
// Two sections of one vertex buffer, filled one after the other before the GPU gets it.
#include <ferry/ferry.hpp>

#include <algorithm>
#include <iostream>

using namespace std::chrono_literals;

int main() try {
    using enum ferry::BufferUsage;
    std::vector<float> positions(128), normals(128); // 512 bytes each
    for (int i = 0; i < 128; ++i) {
        positions[std::size_t(i)] = 0.25f * float(i);
        normals[std::size_t(i)] = -1.5f * float(i + 1);
    }

    auto device = ferry::Device::open().value();
    constexpr ferry::BufferOptions mesh{.usage = vertex | copy_src, .size_bytes = 1024};
    auto [buffer, mapping] = device.create_mapped_buffer(mesh).value();

    auto first = mapping.as<float>({.offset_bytes = 0, .size_bytes = 512}).value();
    first.copy_from(positions).value();
    auto second = mapping.as<float>({.offset_bytes = 512, .size_bytes = 512}).value();
    second.copy_from(normals).value();

    // Ranges for writing never overlap, until the unmap.
    auto third = mapping.as<float>({.offset_bytes = 256, .size_bytes = 512});
    std::cout << "a range over both: " << (third ? "given" : name(third.error().code)) << '\n';

    mapping.unmap().value(); // from here on the GPU has it

    const std::vector<float> back = device.read<float>(buffer).wait(10s).value();
    std::cout << "floats 126 to 129:";
    for (float number : std::span(back).subspan(126, 4)) std::cout << ' ' << number;
    std::cout << '\n';
    const bool right = std::ranges::equal(std::span(back).first(128), positions) &&
                       std::ranges::equal(std::span(back).subspan(128), normals) && !third;
    return right ? 0 : 1;
} catch (const std::bad_expected_access<ferry::Error>& failed) {
    std::cerr << to_string(failed.error()) << '\n';
    return 1;
}
