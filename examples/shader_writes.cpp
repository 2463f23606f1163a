// SPDX-License-Identifier: MIT
// A shader writes a texture and a buffer: a disc, and how many of its texels are inside.
#include <ferry/ferry.hpp>

#include <algorithm>
#include <iostream>

using namespace std::chrono_literals;

const char* const wgsl = R"(
    @group(0) @binding(0) var image: texture_storage_2d<rgba8unorm, write>;
    @group(0) @binding(1) var<storage, read_write> inside: atomic<u32>;

    @compute @workgroup_size(8, 8)
    fn disc(@builtin(global_invocation_id) id: vec3u) {
        let size = textureDimensions(image);
        if (any(id.xy >= size)) { return; }
        let at = vec2f(id.xy) + 0.5 - vec2f(size) / 2.0;
        let filled = dot(at, at) < 100.0;
        if (filled) { atomicAdd(&inside, 1u); }
        textureStore(image, id.xy, select(vec4f(0, 0, 0, 1), vec4f(1, 0.8, 0, 1), filled));
    }
)";

int main() try {
    using ferry::BufferUsage;
    using enum ferry::TextureUsage;
    using ferry::Rgba8;
    auto device = ferry::Device::open().value();
    auto image = device
                     .create_texture({.format = ferry::Format::rgba8_unorm,
                                      .size = {40, 22},
                                      .usage = storage_binding | copy_src})
                     .value();
    auto inside =
        device
            .create_buffer({.usage = BufferUsage::storage | BufferUsage::copy_src, .size_bytes = 4})
            .value();
    auto disc = device.create_kernel(wgsl).value();

    auto commands = device.record("disc");
    commands.dispatch(disc, {{"image", image}, {"inside", inside}}, {.threads = {40, 22}});
    auto count = commands.read<std::uint32_t>(inside);
    auto pixels = commands.read<Rgba8>(image);
    device.submit(std::move(commands)).value();

    const std::vector<Rgba8> drawn = pixels.wait(10s).value();
    for (std::size_t y = 0; y < 22; y += 2) {
        for (std::size_t x = 0; x < 40; ++x) std::cout << (drawn[y * 40 + x].r > 0 ? '#' : '.');
        std::cout << '\n';
    }
    const auto filled = std::ranges::count(drawn, Rgba8{255, 204, 0, 255});
    const std::vector<std::uint32_t> counted = count.wait(10s).value();
    std::cout << filled << " texels inside\n";
    return counted.front() == static_cast<std::uint32_t>(filled) ? 0 : 1;
} catch (const std::bad_expected_access<ferry::Error>& failed) {
    std::cerr << to_string(failed.error()) << '\n';
    return 1;
}
