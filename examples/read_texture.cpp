// SPDX-License-Identifier: MIT
// A texture read back in two ways: tight, and in place with its padded rows.
#include <ferry/ferry.hpp>

#include <iostream>

using namespace std::chrono_literals;

int main() try {
    using enum ferry::TextureUsage;
    constexpr std::uint32_t side = 100;
    std::vector<float> heights(side * side);
    for (std::uint32_t i = 0; i < heights.size(); ++i) heights[i] = static_cast<float>(i);

    auto device = ferry::Device::open().value();
    auto map = device
                   .create_texture({.format = ferry::Format::r32_float,
                                    .size = {side, side},
                                    .usage = copy_src | copy_dst,
                                    .label = "heights"})
                   .value();
    device.write(map, heights, {.tight = true}).value();

    // Yours, without padding: one copy.
    const std::vector<float> tight = device.read<float>(map).wait(10s).value();

    // In the memory that the GPU wrote to, until it is dropped: no copy.
    const ferry::PaddedTexels texels = device.read_padded(map).wait(10s).value();
    const std::span<const float> row = texels.row<float>(42).value();
    std::cout << "row of " << texels.plan().row_bytes << " bytes every "
              << texels.plan().bytes_per_row << '\n';
    std::cout << "height at 7,42: " << row[7] << " and " << tight[42 * side + 7] << '\n';

    // A part: 3 x 2 texels from x = 10, y = 20.
    const auto part = device.read<float>({map, {.origin = {10, 20}}}, {3, 2}).wait(10s).value();
    for (float height : part) std::cout << height << ' ';
    std::cout << '\n';
    const bool right = tight == heights && row[7] == 4207 &&
                       part == std::vector<float>{2010, 2011, 2012, 2110, 2111, 2112};
    return right ? 0 : 1;
} catch (const std::bad_expected_access<ferry::Error>& failed) {
    std::cerr << to_string(failed.error()) << '\n';
    return 1;
}
