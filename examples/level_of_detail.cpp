// SPDX-License-Identifier: MIT
// The level of detail of each frame, chosen from a counter that is some frames old.
#include <ferry/ferry.hpp>

#include <iostream>

using namespace std::chrono_literals;

const char* const wgsl = R"(
    struct View { nearest: u32, farthest: u32 }
    @group(0) @binding(0) var<uniform> view: View;
    @group(0) @binding(1) var<storage, read> distances: array<u32>;
    @group(0) @binding(2) var<storage, read_write> visible: atomic<u32>;

    @compute @workgroup_size(64)
    fn count_visible(@builtin(global_invocation_id) id: vec3u) {
        if (id.x >= arrayLength(&distances)) { return; }
        let at = distances[id.x];
        if (at >= view.nearest && at < view.farthest) { atomicAdd(&visible, 1u); }
    }
)";

int main() try {
    using enum ferry::BufferUsage;
    std::vector<std::uint32_t> places(1000);
    for (std::uint32_t i = 0; i < places.size(); ++i) places[i] = i;

    auto device = ferry::Device::open().value();
    auto distances = device.create_buffer(places, {.usage = storage}).value();
    auto view = device.create_buffer({.usage = uniform | copy_dst, .size_bytes = 8}).value();
    auto visible =
        device.create_buffer({.usage = storage | copy_src | copy_dst, .size_bytes = 4}).value();
    auto culling = device.create_kernel(wgsl).value();
    auto bindings =
        device.bind(culling, {{"view", view}, {"distances", distances}, {"visible", visible}})
            .value();
    auto ring =
        ferry::ReadbackRing::create(device, {.size_bytes = 4, .label = "visible objects"}).value();

    bool right = true;
    std::uint32_t detail = 3; // until the first count is there
    // README: begin
    auto choose_detail = [&] {
        const auto count = ring.latest<std::uint32_t>();
        if (!count) return;
        detail = count->front() < 200 ? 3 : count->front() < 500 ? 2 : 1;
        right = right && count->front() == 40 * (count->tag() + 1); // as it was in its frame
    };
    auto draw = [&](std::uint32_t frame) {
        const std::vector<std::uint32_t> range{0, 40 * (frame + 1)}; // sees farther in each frame
        device.write(view, range).value();
        auto commands = device.record("frame");
        commands.clear(visible);
        commands.dispatch(culling, bindings, {.threads = places.size()});
        ring.record(commands, visible, frame); // skipped and counted when every slot is busy
        device.submit(std::move(commands)).value();
        choose_detail();
    };
    // README: end
    for (std::uint32_t frame = 0; frame < 23; ++frame) draw(frame);
    device.done().wait(10s).value(); // here the program ends, and may wait
    choose_detail();
    draw(23); // a slot is free for it
    device.done().wait(10s).value();
    choose_detail();

    if (auto failed = ring.last_error()) return std::cerr << to_string(*failed) << '\n', 1;
    std::cout << ring.latest<std::uint32_t>()->front() << " visible objects\n";
    std::cout << "level of detail " << detail << '\n';
    return right && detail == 1 ? 0 : 1;
} catch (const std::bad_expected_access<ferry::Error>& failed) {
    std::cerr << to_string(failed.error()) << '\n';
    return 1;
}
