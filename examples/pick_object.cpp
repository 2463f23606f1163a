// SPDX-License-Identifier: MIT
// Which object is under the mouse? Four bytes, read once per click.
#include <ferry/ferry.hpp>

#include <array>
#include <iostream>

using namespace std::chrono_literals;

constexpr std::uint32_t width = 640, height = 480;

// Stands for your renderer: the id of the front object in each pixel, 0 where there is none.
const char* const paint_ids = R"(
    @group(0) @binding(0) var<storage, read_write> ids: array<u32>;

    fn in_disc(pixel: vec2u, x: i32, y: i32, radius: i32) -> bool {
        let d = vec2i(pixel) - vec2i(x, y);
        return d.x * d.x + d.y * d.y < radius * radius;
    }

    @compute @workgroup_size(8, 8)
    fn main(@builtin(global_invocation_id) at: vec3u) {
        if (at.x >= 640u || at.y >= 480u) { return; }
        var id = 0u;
        if (in_disc(at.xy, 200, 240, 120)) { id = 11u; }
        if (in_disc(at.xy, 320, 240, 90)) { id = 12u; }
        if (in_disc(at.xy, 500, 100, 60)) { id = 13u; }
        ids[at.y * 640u + at.x] = id;
    }
)";

// One call records, submits and maps; what it needed is freed on every path. It waits for the GPU:
// right for a click, wrong inside a frame.
ferry::Result<std::uint32_t> object_at(ferry::Device& device, const ferry::Buffer& ids,
                                       std::uint32_t x, std::uint32_t y) {
    const ferry::ByteRange pixel{.offset_bytes = (y * width + x) * 4, .size_bytes = 4};
    auto id = device.read<std::uint32_t>({ids, pixel}).wait(10s);
    if (!id) return std::unexpected(id.error());
    return id->at(0);
}

struct Click {
    std::uint32_t x, y, id;
};
constexpr std::array clicks{Click{210, 250, 11}, Click{300, 240, 12}, Click{500, 100, 13},
                            Click{639, 479, 0}};

int main() try {
    using enum ferry::BufferUsage;
    auto device = ferry::Device::open().value();
    constexpr std::uint64_t size_bytes = width * height * sizeof(std::uint32_t);
    auto ids =
        device.create_buffer({.usage = storage | copy_src, .size_bytes = size_bytes}).value();
    auto paint = device.create_kernel(paint_ids).value();
    auto frame = device.record("frame");
    frame.dispatch(paint, {{"ids", ids}}, {.threads = {width, height}});
    device.submit(std::move(frame)).value();

    bool right = true;
    for (const Click& click : clicks) {
        const std::uint32_t id = object_at(device, ids, click.x, click.y).value();
        std::cout << "click at " << click.x << ',' << click.y << ": object " << id << '\n';
        right = right && id == click.id;
    }
    return right ? 0 : 1;
} catch (const std::bad_expected_access<ferry::Error>& failed) {
    std::cerr << to_string(failed.error()) << '\n';
    return 1;
}
