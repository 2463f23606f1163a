// SPDX-License-Identifier: MIT
// Losing the device: every ticket ends once, as device_lost, and never with data (M-13; engines.md
// 2).
#include "raw_engine.hpp"
#include "slow_job.hpp"

namespace ferry::test {
namespace {

constexpr Usage copied = Usage::copy_src | Usage::copy_dst;
constexpr Usage readable = Usage::map_read | Usage::copy_dst;
const Refusal is_lost{{Errc::device_lost}};

class DeviceLoss : public testing::Test {
protected:
    void SetUp() override { FERRY_NEEDS_RAW_ENGINE(); }
};

TEST_F(DeviceLoss, APendingReadOfASlowJobEndsAsDeviceLostExactlyOnceAndNeverWithData) {
    Device device = open_device();
    const SlowJob job(device, 300ms);
    auto commands = device.record();
    job.record(commands);
    auto ticket = commands.read<std::uint32_t>(job.result());
    must(device.submit(std::move(commands)));
    EXPECT_FALSE(ticket.ready());
    lose(device);
    EXPECT_TRUE(refused(ticket.wait(patience), is_lost));
    EXPECT_FALSE(ticket);
    EXPECT_TRUE(refused(ticket.wait(patience), wrong_state()));
    EXPECT_TRUE(device.lost().has_value());
}

TEST_F(DeviceLoss, APendingMapEndsAsDeviceLostAndItsBufferIsLost) {
    Device device = open_device();
    const SlowJob job(device, 300ms);
    Buffer target = make_buffer(device, 4, readable, "target");
    auto commands = device.record();
    job.record(commands);
    commands.copy(job.result(), target);
    must(device.submit(std::move(commands)));
    auto ticket = target.map_read();
    EXPECT_FALSE(ticket.ready());
    EXPECT_EQ(target.map_state(), MapState::pending);
    lose(device);
    EXPECT_TRUE(refused(ticket.wait(patience), is_lost));
    EXPECT_EQ(target.map_state(), MapState::lost);
}

TEST_F(DeviceLoss, A16_ThreePendingReadsEachEndOnceAndLaterEventsChangeNothing) {
    Device device = open_device();
    const SlowJob job(device, 300ms);
    // One submission: lavapipe keeps a second one waiting inside the submit call until the first is
    // done.
    std::vector<Ticket<std::vector<std::uint32_t>>> tickets;
    auto commands = device.record();
    job.record(commands);
    for (int each = 0; each < 3; ++each) {
        tickets.push_back(commands.read<std::uint32_t>(job.result()));
    }
    must(device.submit(std::move(commands)));
    lose(device);
    for (auto& ticket : tickets) EXPECT_TRUE(refused(ticket.wait(patience), is_lost));
    for (int turn = 0; turn < 100; ++turn) device.poll();
    for (auto& ticket : tickets) EXPECT_FALSE(ticket);
}

TEST_F(DeviceLoss, ATicketThatNobodyAskedSinceTheLossIsNotDelivered) {
    Device device = open_device();
    const Buffer buffer = make_filled(device, pattern(64));
    Buffer target = make_filled(device, pattern(64), readable);
    auto map = target.map_read();
    lose(device);
    EXPECT_TRUE(refused(map.wait(patience), is_lost));
    EXPECT_TRUE(refused(device.read<std::byte>(buffer).wait(patience), is_lost));
}

TEST_F(DeviceLoss, Q05_DoneHasOneOutcomeAfterTheLoss) {
    Device device = open_device();
    must(device.submit(device.record()));
    auto before = device.done();
    lose(device);
    auto first = before.wait(patience);
    EXPECT_TRUE(first.has_value() || first.error().code == Errc::device_lost);
    auto after = device.done().wait(patience);
    EXPECT_TRUE(after.has_value() || after.error().code == Errc::device_lost);
}

TEST_F(DeviceLoss, EverythingAfterwardsAnswersDeviceLostAndTheProcessLives) {
    Device device = open_device();
    const Buffer buffer = make_buffer(device, 16, copied, "kept");
    Buffer mappable = make_buffer(device, 16, readable);
    auto commands = device.record();
    commands.clear(buffer);
    auto ticket = commands.read<std::byte>(buffer);
    lose(device);
    EXPECT_TRUE(refused(device.submit(std::move(commands)), is_lost));
    EXPECT_TRUE(refused(ticket.wait(patience), is_lost));
    EXPECT_TRUE(refused(device.submit(device.record()), is_lost));
    EXPECT_TRUE(refused(device.create_buffer({.usage = copied, .size_bytes = 16}), is_lost));
    EXPECT_TRUE(refused(device.create_buffer(pattern(16), {.usage = copied}), is_lost));
    EXPECT_TRUE(refused(device.create_mapped_buffer({.usage = copied, .size_bytes = 16}), is_lost));
    EXPECT_TRUE(refused(device.create_kernel(wgsl::twice), is_lost));
    EXPECT_TRUE(refused(device.write(buffer, pattern(16)), is_lost));
    EXPECT_TRUE(refused(mappable.map_read().wait(patience), is_lost));
    ASSERT_TRUE(device.lost().has_value());
    EXPECT_EQ(device.lost()->code, Errc::device_lost);
    device.close();
}

TEST_F(DeviceLoss, ALossBetweenRecordingAndSubmitIsFoundWithoutAnyPoll) {
    for (int turn = 0; turn < 3; ++turn) {
        Device device = open_device();
        const Buffer buffer = make_buffer(device, 16, copied);
        auto commands = device.record();
        commands.clear(buffer);
        lose(device);
        EXPECT_TRUE(refused(device.submit(std::move(commands)), is_lost));
    }
}

TEST_F(DeviceLoss, DetachesMappingsAndRefusesTheWrittenBytes) {
    Device device = open_device();
    auto made =
        must(device.create_mapped_buffer({.usage = copied, .size_bytes = 16, .label = "upload"}));
    Buffer target = make_filled(device, pattern(16), readable);
    auto reading = must(target.map_read().wait(patience));
    auto span = must(reading.as<std::byte>());
    lose(device);
    ASSERT_TRUE(poll_until(device, [&] { return device.lost().has_value(); }));
    EXPECT_FALSE(reading.alive());
    EXPECT_EQ(span.size(), 0U);
    EXPECT_TRUE(refused(span.at(0), {{Errc::wrong_state, Errc::device_lost}}));
    EXPECT_FALSE(made.mapping.alive());
    EXPECT_EQ(made.buffer.map_state(), MapState::lost);
}

TEST_F(DeviceLoss, UnmapOfAWriteMappingAfterTheLossSaysThatTheBytesAreLost) {
    Device device = open_device();
    auto made =
        must(device.create_mapped_buffer({.usage = copied, .size_bytes = 16, .label = "upload"}));
    lose(device);
    EXPECT_TRUE(refused(made.mapping.unmap(), is_lost));
    EXPECT_TRUE(ok(made.mapping.unmap())) << "a second time does nothing";
}

TEST_F(DeviceLoss, DestroyUnmapAndDropAreQuietAfterwards) {
    Device device = open_device();
    std::vector<Buffer> buffers;
    std::vector<Ticket<ReadMapping>> tickets;
    for (int each = 0; each < 4; ++each) {
        buffers.push_back(make_filled(device, pattern(1 << 20), readable));
        tickets.push_back(buffers.back().map_read());
    }
    lose(device);
    buffers[0].destroy();
    (void)buffers[1].unmap();
    buffers.erase(buffers.begin() + 2);
    tickets.pop_back();
    device.poll();
    for (auto& ticket : tickets) {
        auto outcome = ticket.wait(patience);
        // A map that was there before the loss may still be handed out, without its memory.
        if (outcome) {
            EXPECT_FALSE(outcome->alive());
        } else {
            EXPECT_TRUE(refused(outcome, {{Errc::device_lost, Errc::cancelled}}));
        }
    }
}

TEST_F(DeviceLoss, NotifyLostEndsTicketsWithTheReasonThatWasGiven) {
    Device device = open_device();
    auto ticket = device.done();
    auto read = device.read<std::byte>(make_filled(device, pattern(16)));
    interop::notify_lost(device, "the driver was updated");
    EXPECT_TRUE(
        refused(read.wait(patience), {{Errc::device_lost}, "", {"the driver was updated"}}));
    auto done = ticket.wait(patience);
    EXPECT_TRUE(done.has_value() || done.error().code == Errc::device_lost);
    ASSERT_TRUE(device.lost().has_value());
    EXPECT_TRUE(names(*device.lost(), "the driver was updated"));
    interop::notify_lost(device, "a second reason");
    EXPECT_TRUE(names(*device.lost(), "the driver was updated")) << "the first reason stays";
}

} // namespace
} // namespace ferry::test
