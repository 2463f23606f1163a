// SPDX-License-Identifier: MIT
#pragma once

#include "fake_world.hpp"

namespace ferry::test {

constexpr auto frame_time = 16ms;

/// A world whose frames read a counter through a ring; the clock moves on by a frame after each.
struct RingScene {
    explicit RingScene(RingOptions options, std::uint64_t size_bytes = 4,
                       const Engine& engine = fake_engine())
        : device(world.open({.engine = engine})) {
        options.size_bytes = size_bytes;
        options.label = "scene";
        source = make_buffer(device, size_bytes, Usage::copy_src | Usage::copy_dst);
        ring = must(ReadbackRing::create(device, options));
    }

    /// `reads` records, submitted together; the consumer takes the newest.
    void frame(int reads = 1) {
        submit(reads);
        (void)ring.latest<std::byte>();
        world.advance(frame_time);
    }
    void frames(int count, int reads = 1) {
        for (int i = 0; i < count; ++i) frame(reads);
    }
    void submit(int reads = 1) {
        Commands commands = device.record("frame");
        for (int i = 0; i < reads; ++i) last = ring.record(commands, source);
        (void)device.submit(std::move(commands));
    }

    World world;
    Device device;
    Buffer source;
    ReadbackRing ring;
    RingRecord last = RingRecord::closed;
};

/// A scene in which each read has its own word.
struct Words : RingScene {
    using RingScene::RingScene;
    void send(std::uint32_t word) {
        must(device.write(source, std::vector{word}));
        Commands commands = device.record();
        last = ring.record(commands, source, word);
        (void)device.submit(std::move(commands));
    }
    [[nodiscard]] std::vector<std::uint32_t> take_all() {
        std::vector<std::uint32_t> all;
        while (auto result = ring.next<std::uint32_t>()) {
            EXPECT_EQ(result->tag(), result->front());
            all.push_back(result->front());
        }
        return all;
    }
};

/// A function of the engine, for what a user of raw webgpu.h does.
template <class Function>
[[nodiscard]] Function raw(const char* name) {
    return reinterpret_cast<Function>(ferry_fake_symbol(nullptr, name));
}
#define FERRY_RAW(name) raw<WGPUProc##name>("wgpu" #name)

} // namespace ferry::test
