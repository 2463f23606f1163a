// SPDX-License-Identifier: MIT
// A triangle drawn by a render pass of the program's own on ferry's encoder, read back by ferry.
#include <ferry/ferry.hpp>
#include <ferry/interop.hpp>

#include <algorithm>
#include <array>
#include <iostream>

#include "triangle_pass.hpp"

using namespace std::chrono_literals;

int main() try {
    using ferry::BufferUsage;
    using ferry::Rgba8;
    using enum ferry::TextureUsage;
    constexpr std::uint32_t side = 64;
    constexpr std::array<float, 15> triangle{0.0f, 0.5f, 1,    0,     0, -0.5f, -0.5f, 0,
                                             1,    0,    0.5f, -0.5f, 0, 0,     1};
    auto device = ferry::Device::open().value();
    auto vertices = device.create_buffer(triangle, {.usage = BufferUsage::vertex}).value();
    auto image = device
                     .create_texture({.format = ferry::Format::rgba8_unorm,
                                      .size = {side, side},
                                      .usage = render_attachment | copy_src})
                     .value();
    WGPURenderPipeline pipeline = make_pipeline(device);

    auto frame = device.record("triangle");
    draw(device, frame.raw_encoder(), pipeline, ferry::interop::raw(vertices),
         ferry::interop::raw(image));
    frame.uses(vertices);
    frame.uses(image);
    auto pixels = frame.read<Rgba8>(image);
    device.submit(std::move(frame)).value();
    ENGINE(device, RenderPipelineRelease)(pipeline);

    const std::vector<Rgba8> drawn = pixels.wait(10s).value();
    for (std::uint32_t y = 12; y < 52; y += 4) {
        for (std::uint32_t x = 12; x < 52; x += 2) {
            const Rgba8 texel = drawn[y * side + x];
            const auto [most, letter] = std::max(
                {std::pair(texel.r, 'r'), std::pair(texel.g, 'g'), std::pair(texel.b, 'b')});
            std::cout << (texel.a == 0 ? '.' : letter);
        }
        std::cout << '\n';
    }
    const bool corners = drawn[18 * side + 32].r > 200 && drawn[46 * side + 18].g > 200 &&
                         drawn[46 * side + 45].b > 200;
    return corners && drawn.front() == Rgba8{} ? 0 : 1;
} catch (const std::bad_expected_access<ferry::Error>& failed) {
    std::cerr << to_string(failed.error()) << '\n';
    return 1;
}
