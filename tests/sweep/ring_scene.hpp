// SPDX-License-Identifier: MIT
#pragma once

#include "fake_world.hpp"

namespace ferry::test {

constexpr auto frame_time = 16ms;

/// A world whose frames read a counter through a ring; the clock moves on by a frame after each.
struct RingScene {
    explicit RingScene(const RingOptions& options) : RingScene(options, 4) {}
    RingScene(RingOptions options, std::uint64_t size_bytes) {
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
    Device device = world.open();
    Buffer source;
    ReadbackRing ring;
    RingRecord last = RingRecord::closed;
};

} // namespace ferry::test
