// SPDX-License-Identifier: MIT
// What a ring refuses, how it ends, and what stays of it.
#include <limits>

#include "raw_engine.hpp"
#include "ring_fixture.hpp"

namespace ferry::test {
namespace {

constexpr Usage copied = Usage::copy_src | Usage::copy_dst;

class RingErrors : public SharedDevice {
protected:
    static Result<ReadbackRing> create(const RingOptions& options) {
        return ReadbackRing::create(device(), options);
    }
    /// The read fails the recording, as any command; the ring counts it and says why, and goes on.
    static void expect_refused(Device& on, ReadbackRing& ring,
                               std::initializer_list<RingSource> sources, const Refusal& wanted) {
        const std::uint64_t before = ring.stats().refused;
        auto commands = on.record("frame");
        const auto outcome = sources.size() == 1 ? ring.record(commands, *sources.begin())
                                                 : ring.record(commands, sources);
        EXPECT_EQ(outcome, RingRecord::refused);
        EXPECT_EQ(ring.stats().refused, before + 1);
        ASSERT_TRUE(ring.last_error());
        EXPECT_TRUE(is_refusal(*ring.last_error(), wanted));
        EXPECT_NE(std::string_view(ring.last_error()->where.file_name()).find("ring_error_test"),
                  std::string_view::npos);
        EXPECT_TRUE(refused(on.submit(std::move(commands)), wanted));
        expect_sum(ring.stats());
    }
};

TEST_F(RingErrors, SizesAndNumbersOfSlots) {
    EXPECT_TRUE(refused(create({.label = "empty"}), invalid({}, {"empty", "size_bytes"}, {0})));
    EXPECT_TRUE(refused(create({.size_bytes = 4, .slots = 0}), invalid({}, {"slot"}, {0})));
    const std::uint64_t limit = device().limits().max_buffer_size_bytes;
    const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    for (std::uint64_t size : {limit, limit + 1, std::uint64_t{1} << 32, most - 47, most - 3, most})
        EXPECT_TRUE(refused(create({.size_bytes = size}), over_limit("B-07", {size, limit})));
    for (std::uint32_t slots : {1025U, std::numeric_limits<std::uint32_t>::max()}) {
        EXPECT_TRUE(refused(create({.size_bytes = 4, .slots = slots}), over_limit({}, {1024})));
        EXPECT_TRUE(refused(create({.size_bytes = 4, .max_slots = slots}), over_limit({}, {1024})));
    }
    EXPECT_TRUE(ok(create({.size_bytes = 4, .slots = 1, .max_slots = 0})));
    EXPECT_TRUE(refused(create({.size_bytes = 0}), invalid()));
    Device none;
    EXPECT_TRUE(refused(ReadbackRing::create(none, {.size_bytes = 4}), invalid()));
}

TEST_F(RingErrors, TheLargestSizeThatTheErrorNamesIsAccepted) {
    Device device = open_device({.required_limits = {.max_buffer_size_bytes = 268'435'456}});
    const std::uint64_t limit = device.limits().max_buffer_size_bytes;
    auto over = ReadbackRing::create(device, {.size_bytes = limit - 47, .slots = 1});
    EXPECT_TRUE(refused(over, over_limit("B-07", {limit - 48})));
    EXPECT_TRUE(ok(ReadbackRing::create(device, {.size_bytes = limit - 48, .slots = 1})));
}

TEST_F(RingErrors, WrongSources) {
    auto ring = must(create({.size_bytes = 8, .slots = 2, .label = "picky"}));
    const Buffer good = make_filled(device(), pattern(16));
    expect_refused(device(), ring, {make_buffer(device(), 16, Usage::copy_dst, "target only")},
                   invalid("K-03", {"target only", "copy_src"}));
    expect_refused(device(), ring, {BufferView{good, {12, 8}}}, invalid({}, {}, {12, 8, 16}));
    expect_refused(device(), ring, {BufferView{good, {0, 9}}}, invalid({}, {"picky"}, {9, 8}));
    expect_refused(device(), ring, {make_filled(device(), pattern(4), copied, "short")},
                   invalid({}, {"short"}, {4, 8}));
    expect_refused(device(), ring,
                   {BufferView{good, {std::numeric_limits<std::uint64_t>::max() - 3, 8}}},
                   invalid());
    expect_refused(device(), ring, {BufferView{good, {0, 4}}, BufferView{good, {4, 4}}},
                   invalid({}, {"size_bytes"}, {20, 8}));
    expect_refused(device(), ring, {}, invalid({}, {"reads nothing"}));
    expect_refused(device(), ring, {Buffer()}, invalid());
    const Texture picture = must(device().create_texture({.format = Format::rgba8_unorm,
                                                          .size = {4, 4},
                                                          .usage = TextureUsage::copy_src,
                                                          .label = "picture"}));
    expect_refused(device(), ring, {picture}, invalid({}, {"plan_read"}, {8}));
    const Texture target = must(device().create_texture({.format = Format::rgba8_unorm,
                                                         .size = {1, 1},
                                                         .usage = TextureUsage::copy_dst,
                                                         .label = "painted"}));
    expect_refused(device(), ring, {target}, invalid("T-02", {"painted"}));
    EXPECT_EQ(ring.stats().slots, 2U);
    read_once(device(), ring, good);
    EXPECT_EQ(to_vector(ring.latest<std::byte>()->span()), part(pattern(16), 0, 8));
}

TEST_F(RingErrors, OtherDevicesAndEmptyCommands) {
    Device other = open_device();
    auto ring = must(create({.size_bytes = 4, .label = "here"}));
    const Buffer there = make_filled(other, pattern(4));
    auto commands = other.record("elsewhere");
    EXPECT_EQ(ring.record(commands, there), RingRecord::refused);
    EXPECT_TRUE(refused(other.submit(std::move(commands)),
                        invalid({}, {"here", "elsewhere", "different devices"})));
    expect_refused(device(), ring, {there}, invalid({}, {"device"}));
    Commands empty;
    EXPECT_EQ(ring.record(empty, there), RingRecord::refused);
    EXPECT_TRUE(is_refusal(*ring.last_error(), invalid({}, {"empty"})));
    EXPECT_EQ(ring.stats().refused, 3U);
    expect_sum(ring.stats());
}

TEST_F(RingErrors, FaultyCommandsRefuseAndTheFirstErrorStays) {
    auto ring = must(create({.size_bytes = 4}));
    const Buffer buffer = make_filled(device(), pattern(4));
    auto commands = device().record();
    EXPECT_EQ(ring.record(commands, buffer), RingRecord::recorded);
    commands.clear({buffer, {2, 4}});
    EXPECT_EQ(ring.record(commands, buffer), RingRecord::refused);
    EXPECT_EQ(ring.stats().in_flight, 1U);
    EXPECT_TRUE(refused(device().submit(std::move(commands)), invalid("K-10")));
    const RingStats stats = ring.stats();
    EXPECT_EQ(stats.failed, 1U) << "the submit failed";
    EXPECT_EQ(stats.refused, 1U);
    EXPECT_EQ(stats.in_flight, 0U);
    expect_sum(stats);
    read_once(device(), ring, buffer);
}

TEST_F(RingErrors, DroppedCommandsCancelAndASubmitThatIsRefusedFails) {
    auto ring = must(create({.size_bytes = 4, .slots = 2}));
    Buffer buffer = make_filled(device(), pattern(4), copied, "gone");
    {
        auto dropped = device().record();
        EXPECT_EQ(ring.record(dropped, buffer), RingRecord::recorded);
    }
    EXPECT_EQ(ring.stats().cancelled, 1U);
    auto commands = device().record();
    EXPECT_EQ(ring.record(commands, buffer), RingRecord::recorded);
    buffer.destroy();
    EXPECT_TRUE(refused(device().submit(std::move(commands)), wrong_state("S-02", {"gone"})));
    EXPECT_EQ(ring.stats().failed, 1U);
    EXPECT_EQ(ring.last_error()->code, Errc::wrong_state);
    EXPECT_FALSE(ring.latest<std::byte>());
    expect_sum(ring.stats());
    read_once(device(), ring, make_filled(device(), pattern(4)));
}

TEST_F(RingErrors, AClosedRingAnswersClosedAndCountsNothing) {
    auto ring = must(create({.size_bytes = 4, .slots = 4}));
    const Buffer buffer = make_filled(device(), pattern(4));
    read_once(device(), ring, buffer);
    EXPECT_TRUE(ring.latest<std::byte>());
    auto unsent = device().record();
    EXPECT_EQ(ring.record(unsent, buffer), RingRecord::recorded);
    auto sent = device().record();
    EXPECT_EQ(ring.record(sent, buffer), RingRecord::recorded);
    must(device().submit(std::move(sent)));
    ring.close();
    ring.close();
    const RingStats closed = ring.stats();
    EXPECT_EQ(closed.cancelled, 2U);
    EXPECT_EQ(closed.in_flight, 0U);
    EXPECT_EQ(closed.slots, 0U);
    EXPECT_EQ(ring.record(unsent, buffer), RingRecord::closed);
    EXPECT_EQ(ring.record(unsent, Buffer()), RingRecord::closed);
    EXPECT_TRUE(ok(device().submit(std::move(unsent)))) << "the rest of the frame still counts";
    EXPECT_EQ(ring.stats().requested, 3U);
    expect_sum(ring.stats());
    EXPECT_FALSE(ring.next<std::byte>());
    EXPECT_FALSE(ring.next_mapped());
    EXPECT_EQ(ring.diagnose().health, RingHealth::closed);
}

TEST_F(RingErrors, ALeaseOutlivesItsRing) {
    const Buffer buffer = make_filled(device(), pattern(8));
    for (const bool move_away : {false, true}) {
        MappedReadback lease;
        {
            auto ring = must(create({.size_bytes = 8, .slots = 2}));
            read_once(device(), ring, buffer, 3);
            lease = next_mapped(device(), ring);
            read_once(device(), ring, buffer);
            if (move_away) ring = {};
            ring.close();
        }
        EXPECT_EQ(to_vector(must(lease.bytes())), pattern(8));
        EXPECT_EQ(lease.tag(), 3U);
    }
}

TEST_F(RingErrors, ARingWithMapsPendingCanBeDropped) {
    const Buffer buffer = make_filled(device(), pattern(4));
    for (int turn = 0; turn < 5; ++turn) {
        auto ring = must(create({.size_bytes = 4, .slots = 4}));
        for (int i = 0; i < 3; ++i) {
            auto commands = device().record();
            EXPECT_EQ(ring.record(commands, buffer), RingRecord::recorded);
            must(device().submit(std::move(commands)));
        }
    }
    EXPECT_EQ(bytes_of(buffer), pattern(4));
}

class RingLoss : public testing::Test {
protected:
    void SetUp() override { FERRY_NEEDS_RAW_ENGINE(); }

    /// A ring with a slot in each state: recorded, pending, ready, leased.
    struct States {
        explicit States(Device& device)
            : buffer(make_filled(device, pattern(4))),
              ring(must(ReadbackRing::create(
                  device, {.size_bytes = 4, .slots = 5, .order = RingOrder::all}))),
              recorded(device.record()) {
            read_once(device, ring, buffer, 1);
            lease = next_mapped(device, ring);
            read_once(device, ring, buffer, 2);
            result = ring.latest<std::byte>();
            read_once(device, ring, buffer, 3);
            EXPECT_EQ(ring.record(recorded, buffer), RingRecord::recorded);
            auto sent = device.record();
            EXPECT_EQ(ring.record(sent, buffer), RingRecord::recorded);
            must(device.submit(std::move(sent)));
        }
        void expect_end(bool lost) {
            EXPECT_EQ(ring.latest<std::byte>()->tag(), 2U);
            const RingStats stats = ring.stats();
            expect_sum(stats);
            EXPECT_EQ(stats.in_flight, 0U);
            EXPECT_EQ(lost ? stats.failed : stats.cancelled, 3U);
            EXPECT_EQ(stats.delivered, 2U);
            EXPECT_FALSE(ring.is_open());
            EXPECT_FALSE(ring.next<std::byte>());
            EXPECT_TRUE(refused(lease.bytes(), {{lost ? Errc::device_lost : Errc::wrong_state}}));
            EXPECT_EQ(ring.record(recorded, buffer), RingRecord::closed);
            EXPECT_EQ(to_vector(result->span()), pattern(4)) << "a copy stays";
            lease = {};
            expect_sum(ring.stats());
            EXPECT_EQ(ring.diagnose().health, RingHealth::closed);
        }
        Buffer buffer;
        ReadbackRing ring;
        Commands recorded;
        MappedReadback lease;
        std::optional<Readback<std::byte>> result;
    };
};

TEST_F(RingLoss, TheLossOfTheDeviceEndsEverySlotOnce) {
    Device device = open_device();
    States states(device);
    lose(device);
    ASSERT_TRUE(poll_until(device, [&] { return device.lost().has_value(); }));
    states.expect_end(true);
    EXPECT_EQ(states.ring.last_error()->code, Errc::device_lost);
    for (int i = 0; i < 100; ++i) device.poll();
    EXPECT_EQ(states.ring.stats().failed, 3U) << "each ended once";
    expect_sum(states.ring.stats());
}

TEST_F(RingLoss, ClosingTheDeviceCancelsEverySlot) {
    Device device = open_device();
    States states(device);
    device.close();
    states.expect_end(false);
}

TEST_F(RingLoss, TheRingFindsTheLossByItself) {
    Device device = open_device();
    const Buffer buffer = make_filled(device, pattern(4));
    auto ring = must(ReadbackRing::create(device, {.size_bytes = 4}));
    auto commands = device.record();
    EXPECT_EQ(ring.record(commands, buffer), RingRecord::recorded);
    must(device.submit(std::move(commands)));
    lose(device);
    EXPECT_TRUE(poll_until(device, [&] { return !ring.latest<std::byte>() && !ring.is_open(); }));
    EXPECT_EQ(ring.stats().failed + ring.stats().delivered, 1U);
    EXPECT_TRUE(refused(ReadbackRing::create(device, {.size_bytes = 4}), {{Errc::device_lost}}));
}

TEST_F(RingLoss, TheRingAndItsLeaseOutliveTheDevice) {
    ReadbackRing ring;
    MappedReadback lease;
    {
        Device device = open_device();
        const Buffer buffer = make_filled(device, pattern(4));
        ring = must(ReadbackRing::create(device, {.size_bytes = 4}));
        read_once(device, ring, buffer);
        lease = next_mapped(device, ring);
    }
    EXPECT_EQ(to_vector(must(lease.bytes())), pattern(4));
    ring = {};
    EXPECT_EQ(to_vector(must(lease.bytes())), pattern(4));
}

} // namespace
} // namespace ferry::test
