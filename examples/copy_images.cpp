// SPDX-License-Identifier: MIT
// An image from a buffer to a texture, to another texture and back to a buffer.
#include <ferry/ferry.hpp>

#include <iostream>

using namespace std::chrono_literals;
using ferry::Rgba8;

int main() try {
    using enum ferry::TextureUsage;
    using ferry::BufferUsage;
    constexpr std::uint32_t width = 70, height = 3;

    auto device = ferry::Device::open().value();
    const ferry::TextureOptions image{.format = ferry::Format::rgba8_unorm,
                                      .size = {width, height},
                                      .usage = copy_src | copy_dst};
    auto first = device.create_texture(image).value();
    auto second = device.create_texture(image).value();

    // In buffers the distance between rows is a multiple of 256; the last row is not padded.
    constexpr auto plan = ferry::plan_read(ferry::Format::rgba8_unorm, {width, height});
    static_assert(plan.bytes_per_row == 512 && plan.required_bytes == 512 + 512 + 70 * 4);
    std::vector<Rgba8> padded(plan.required_bytes / sizeof(Rgba8));
    for (std::uint8_t y = 0; y < height; ++y) {
        for (std::uint8_t x = 0; x < width; ++x)
            padded[plan.byte_of(x, y, 0) / sizeof(Rgba8)] = {x, y, 0, 255};
    }
    auto source = device.create_buffer(padded, {.usage = BufferUsage::copy_src}).value();
    auto target = device
                      .create_buffer({.usage = BufferUsage::copy_dst | BufferUsage::copy_src,
                                      .size_bytes = width * height * sizeof(Rgba8)})
                      .value();

    auto commands = device.record("copy images");
    commands.copy({source, {.bytes_per_row = 512}}, first, {width, height});
    commands.copy(first, {second, {.origin = {2, 0}}}, {width - 2, height});
    // Rows without padding are taken as well; the report tells what that costs.
    const ferry::CopyReport report = commands.copy(second, {target, {.tight = true}});
    auto pixels = commands.read<Rgba8>(target);
    device.submit(std::move(commands)).value();

    const std::vector<Rgba8> result = pixels.wait(10s).value();
    std::cout << "copies for " << height << " tight rows: " << report.engine_copies << '\n';
    const Rgba8 moved = result[2 * width + 12]; // row 2, column 12
    std::cout << "the texel at 12,2 came from " << int{moved.r} << ',' << int{moved.g} << '\n';
    return moved == Rgba8{10, 2, 0, 255} && result[1] == Rgba8{} ? 0 : 1;
} catch (const std::bad_expected_access<ferry::Error>& failed) {
    std::cerr << to_string(failed.error()) << '\n';
    return 1;
}
