// SPDX-License-Identifier: MIT
// A frame that reads a counter: `--mode ring` (the default) never waits, `--mode naive` does.
#include <ferry/ferry.hpp>
#include <ferry/interop.hpp>

#include <iostream>
#include <thread>

#include "triangle_pass.hpp"

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using Numbers = std::vector<std::uint32_t>;

const char* const culling_wgsl = R"(
    @group(0) @binding(0) var<storage, read> distances: array<u32>;
    @group(0) @binding(1) var<storage, read_write> visible: atomic<u32>;
    @compute @workgroup_size(64) fn cull(@builtin(global_invocation_id) id: vec3u) {
        if (id.x < arrayLength(&distances) && distances[id.x] < 500u) { atomicAdd(&visible, 1u); }
    }
)";

int main(int count, char** words) try {
    using enum ferry::BufferUsage;
    const bool naive = count > 2 && std::string_view(words[2]) == "naive";
    Numbers distances(10'000);
    for (std::uint32_t i = 0; i < distances.size(); ++i) distances[i] = i * 7919 % 1000;

    auto device = ferry::Device::open().value();
    auto places = device.create_buffer(distances, {.usage = storage}).value();
    auto counter =
        device.create_buffer({.usage = storage | copy_src | copy_dst, .size_bytes = 4}).value();
    auto culling = device.create_kernel(culling_wgsl).value();
    auto bindings = device.bind(culling, {{"distances", places}, {"visible", counter}}).value();
    auto corners = device.create_buffer(std::vector<float>(15, 0.5f), {.usage = vertex}).value();
    auto screen = device
                      .create_texture({.format = ferry::Format::rgba8_unorm,
                                       .size = {320, 200},
                                       .usage = ferry::TextureUsage::render_attachment})
                      .value();
    WGPURenderPipeline pipeline = make_pipeline(device);
    auto ring =
        ferry::ReadbackRing::create(device, {.size_bytes = 4, .label = "visible objects"}).value();

    std::uint32_t shown = 0;
    auto start = Clock::now(), warned = start;
    ferry::RingStats before;
    for (int turn = 0; turn < 600; ++turn) {
        auto frame = device.record("frame");
        frame.clear(counter);
        frame.dispatch(culling, bindings, {.threads = distances.size()}); // ceil(n / 64) groups
        auto waited = naive ? frame.read<std::uint32_t>(counter) : ferry::Ticket<Numbers>();
        if (!naive) ring.record(frame, counter); // skipped and counted when every slot is busy
        draw(device, frame.raw_encoder(), pipeline, ferry::interop::raw(corners),
             ferry::interop::raw(screen)); // your own passes
        device.submit(std::move(frame)).value();

        std::this_thread::sleep_for(1ms); // the rest of the frame's work on the CPU
        if (naive) shown = waited.wait(10s).value().front(); // the frame stops here
        if (auto visible = ring.latest<std::uint32_t>()) shown = visible->front();
        if (turn % 100 == 99) std::cerr << shown << " visible objects\n";
        if (Clock::now() - warned < 5s) continue;
        if (const auto skipped = ring.stats().skipped - before.skipped; skipped > 0)
            std::cerr << "reads skipped: " << skipped << " - the ring is tight\n";
        before = ring.stats(), warned = Clock::now();
    }
    const std::chrono::duration<double, std::micro> time = Clock::now() - start;
    std::cerr << time.count() / 600 << " us per frame. " << ring.diagnose().text << '\n';
    const bool waited_in_frame = ring.stats().waits_in_frame > 0;
    device.done().wait(10s).value(); // the program ends here, and may wait
    if (auto visible = ring.latest<std::uint32_t>()) shown = visible->front();
    ENGINE(device, RenderPipelineRelease)(pipeline);
    std::cout << shown << " visible objects\n";
    return shown == distances.size() / 2 && !waited_in_frame ? 0 : 1;
} catch (const std::bad_expected_access<ferry::Error>& failed) {
    std::cerr << to_string(failed.error()) << '\n';
    return 1;
}
