// SPDX-License-Identifier: MIT
// The frame of document 001: nothing in it waits, makes a buffer or allocates.
#include "counted_engine.hpp"
#include "engines/shaders.hpp"
#include "ferry/interop.hpp"
#include "ring_scene.hpp"

namespace ferry::test {
namespace {

constexpr Usage all_uses = Usage::storage | Usage::copy_src | Usage::copy_dst;

/// Clear a counter, work, copy, read, submit, take the latest.
class FrameLoop : public OnFake {
protected:
    void SetUp() override {
        world.use_for_next_instance();
        device = must(Device::open({.engine = counted_engine(), .canary = false}));
        kernel = must(device.create_kernel(wgsl::two_buffers));
        counter = make_buffer(device, 64, all_uses, "counter");
        work = make_filled(device, counting<std::uint32_t>(16), all_uses, "work");
        bindings = must(device.bind(kernel, {{"source", work}, {"target_", counter}}));
        texture = must(device.create_texture({.format = Format::rgba8_unorm,
                                              .size = {16, 16},
                                              .usage = TextureUsage::copy_src,
                                              .label = "picture"}));
        ring = must(ReadbackRing::create(
            device, {.size_bytes = 4096 + 128, .slots = 4, .label = "visible objects"}));
    }
    void TearDown() override {
        ring = {};
        bindings = {};
        kernel = {};
        texture = {};
        work = {};
        counter = {};
        device = {};
        OnFake::TearDown();
    }

    void begin(Commands& commands) {
        commands.clear(counter);
        commands.copy({work, {0, 8}}, {counter, {32, 8}});
        commands.dispatch(kernel, bindings, {.threads = 8});
    }
    /// Most allocations of a frame after those of the warm-up.
    template <class Frame>
    std::uint64_t allocations(int frames, int warm_up, Frame frame) {
        std::uint64_t most = 0;
        for (int i = 0; i < frames; ++i) {
            const AllocationCount count;
            frame(i);
            if (i >= warm_up) most = std::max(most, count.value());
            world.advance(frame_time);
        }
        return most;
    }

    Device device;
    Kernel kernel;
    Buffer counter, work;
    Bindings bindings;
    Texture texture;
    ReadbackRing ring;
};

TEST_F(FrameLoop, AllocatesNothingAfterTheTenth) {
    world.set_map_latency(2 * frame_time + 1ms);
    std::uint64_t results = 0;
    const std::uint64_t most = allocations(600, 10, [&](int) {
        auto commands = device.record("frame");
        begin(commands);
        (void)ring.record(commands, BufferView{counter, {0, 4}});
        (void)device.submit(std::move(commands));
        const auto latest = ring.latest<std::uint32_t>();
        if (latest && latest->front() == 1) ++results;
    });
    EXPECT_EQ(most, 0U);
    EXPECT_GT(results, 590U);
    EXPECT_EQ(ring.stats().delivered, 597U);
}

TEST_F(FrameLoop, AllocatesNothingWithTexturesSeveralReadsLeasesAndSkips) {
    world.set_map_latency(6 * frame_time);
    std::uint64_t results = 0;
    const std::uint64_t most = allocations(300, 20, [&](int frame) {
        auto commands = device.record("frame with a longer label than fits into a small string");
        begin(commands);
        (void)ring.record(commands, {counter, TextureAt(texture)}, 7);
        (void)device.submit(std::move(commands));
        if (frame % 2 == 0) {
            const auto mapped = ring.next_mapped();
            if (mapped && mapped->bytes(1)->size() > 0) ++results;
        } else {
            if (ring.next<std::byte>()) ++results;
        }
        (void)ring.stats();
        (void)ring.version();
    });
    EXPECT_EQ(most, 0U);
    EXPECT_GT(results, 100U);
    EXPECT_GT(ring.stats().skipped, 50U);
}

TEST_F(FrameLoop, AllocatesNothingWithTheUsersEncoder) {
    const auto raw = interop::raw(device);
    auto find = [](const char* name) { return ferry_fake_symbol(nullptr, name); };
    const auto make = reinterpret_cast<WGPUProcDeviceCreateCommandEncoder>(
        find("wgpuDeviceCreateCommandEncoder"));
    const auto finish =
        reinterpret_cast<WGPUProcCommandEncoderFinish>(find("wgpuCommandEncoderFinish"));
    const auto release =
        reinterpret_cast<WGPUProcCommandEncoderRelease>(find("wgpuCommandEncoderRelease"));
    const auto drop =
        reinterpret_cast<WGPUProcCommandBufferRelease>(find("wgpuCommandBufferRelease"));
    std::uint64_t most = 0;
    for (int i = 0; i < 100; ++i) {
        WGPUCommandEncoder encoder = make(raw.device, nullptr);
        std::uint64_t before = 0;
        std::optional<Commands> commands;
        {
            const AllocationCount count;
            commands = *interop::record_into(device, encoder, "mine");
            (void)ring.record(*commands, BufferView{counter, {0, 4}});
            before = count.value();
        }
        WGPUCommandBuffer finished = finish(encoder, nullptr);
        release(encoder);
        {
            const AllocationCount count;
            (void)interop::submit(device, std::span(&finished, 1), *std::move(commands));
            (void)ring.latest<std::uint32_t>();
            if (i >= 10) most = std::max(most, before + count.value());
        }
        drop(finished);
    }
    EXPECT_EQ(most, 0U);
    EXPECT_EQ(ring.stats().delivered, 100U);
}

TEST_F(FrameLoop, TheCounterCounts) {
    const std::uint64_t most = allocations(20, 10, [&](int) {
        (void)device.read<std::uint32_t>(BufferView{counter, {0, 4}}); // a one-shot read
    });
    EXPECT_GT(most, 0U);
}

/// 600 frames; says how many buffers were made after the tenth.
template <class Frame>
std::uint64_t buffers_made_after_ten(const World& world, Frame frame) {
    std::uint64_t at_ten = 0;
    for (int i = 0; i < 600; ++i) {
        if (i == 10) at_ten = world.created("Buffer");
        frame();
    }
    return world.created("Buffer") - at_ten;
}

TEST_F(FrameLoop, A14_SixHundredFramesWithoutAWaitADropOrABuffer) {
    world.set_map_latency(3 * frame_time - 1ms);
    std::uint64_t frame = 0;
    const std::uint64_t made = buffers_made_after_ten(world, [&] {
        auto commands = device.record("frame");
        begin(commands);
        EXPECT_EQ(ring.record(commands, BufferView{counter, {0, 32}}), RingRecord::recorded);
        must(device.submit(std::move(commands)));
        const auto latest = ring.latest<std::uint32_t>();
        EXPECT_EQ(latest ? latest->frame() : 0, std::max<std::uint64_t>(frame++, 3) - 3);
        world.advance(frame_time);
    });
    EXPECT_EQ(made, 0U);
    const RingStats stats = ring.stats();
    EXPECT_EQ(stats.waits_in_frame, 0U);
    EXPECT_EQ(stats.skipped + stats.dropped + stats.failed + stats.cancelled, 0U);
    EXPECT_EQ(stats.delivered + stats.in_flight, 600U);
    EXPECT_EQ(stats.latency.max_frames, 3U);
    EXPECT_EQ(ring.diagnose().health, RingHealth::healthy);
}

TEST_F(FrameLoop, AWaitAddedToTheFrameIsCountedAndNamed) {
    world.set_map_latency(2 * frame_time);
    const VirtualTime time([&](auto slept) { world.advance(slept); });
    const std::uint64_t made = buffers_made_after_ten(world, [&] {
        auto commands = device.record("frame");
        begin(commands);
        (void)ring.record(commands, BufferView{counter, {0, 4}});
        auto waited = commands.read<std::uint32_t>(BufferView{counter, {0, 4}});
        must(device.submit(std::move(commands)));
        EXPECT_TRUE(ok(waited.wait(1s)));
        (void)ring.latest<std::uint32_t>();
    });
    EXPECT_EQ(made, 0U) << "one-shot reads reuse their staging";
    EXPECT_EQ(ring.stats().waits_in_frame, 600U);
    const RingDiagnosis diagnosis = ring.diagnose();
    EXPECT_EQ(diagnosis.health, RingHealth::waits_in_frame);
    EXPECT_TRUE(says(diagnosis.text, "600 times")) << diagnosis.text;
}

TEST_F(FrameLoop, AWaitWithoutAReadInFlightIsNotTheRings) {
    const VirtualTime time([&](auto slept) { world.advance(slept); });
    world.set_map_latency(frame_time);
    EXPECT_TRUE(ok(device.read<std::uint32_t>(BufferView{counter, {0, 4}}).wait(1s)));
    EXPECT_EQ(ring.stats().waits_in_frame, 0U);
}

} // namespace
} // namespace ferry::test
