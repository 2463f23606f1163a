// SPDX-License-Identifier: MIT
// Texels from memory to a texture: the size given in five ways, and a part of a larger image.
#include <ferry/ferry.hpp>

#include <iostream>

using namespace std::chrono_literals;
using Bytes = std::vector<std::uint8_t>;

// A size is one to three numbers, or named; what is left out is 1. An origin's is 0.
static_assert(ferry::Extent3D{2, 3} == ferry::Extent3D{2, 3, 1});
static_assert(ferry::Extent3D{.width = 2} == ferry::Extent3D{2, 1, 1});
static_assert(ferry::Origin3D{.x = 5, .z = 7} == ferry::Origin3D{5, 0, 7});

int main() try {
    using enum ferry::TextureUsage;
    auto device = ferry::Device::open().value();
    auto texture = device
                       .create_texture({.format = ferry::Format::r8_unorm,
                                        .size = {2, 4},
                                        .usage = copy_dst | copy_src | render_attachment})
                       .value();

    // 2x4 texels of one byte. Rows of 2 bytes need no alignment here: no buffer is involved.
    const Bytes data{1, 2, 3, 4, 5, 6, 7, 8};
    const ferry::ImageLayout rows{.bytes_per_row = 2};
    device.write(texture, data, rows, {2, 4}).value();
    device.write(texture, data, rows, {texture.width(), texture.height()}).value();
    device.write(texture, data, rows, {.width = 2, .height = 4}).value();
    device.write(texture, data, rows, {.width = texture.width(), .height = texture.height()})
        .value();
    device.write(texture, data, rows, texture).value(); // a texture is a size as well
    const Bytes whole = device.read<std::uint8_t>(texture).wait(10s).value();

    // One texel, at x = 1 and y = 2, out of a larger image: its byte 5.
    device.write({texture, {.origin = {1, 2}}}, data, {.offset_bytes = 4}, {1, 1}).value();
    const Bytes changed = device.read<std::uint8_t>(texture).wait(10s).value();
    for (std::uint8_t texel : changed) std::cout << int{texel} << ' ';
    std::cout << '\n';

    // More than one row needs a stride, or `tight`; the error names the smallest one.
    auto refused = device.write(texture, data);
    std::cout << (refused ? "written" : refused.error().fix) << '\n';

    const bool right = whole == data && changed == Bytes{1, 2, 3, 4, 5, 5, 7, 8} && !refused;
    return right ? 0 : 1;
} catch (const std::bad_expected_access<ferry::Error>& failed) {
    std::cerr << to_string(failed.error()) << '\n';
    return 1;
}
