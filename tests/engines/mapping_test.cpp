// SPDX-License-Identifier: MIT
// The life of a mapping: rules 1.2, M-01 to M-12, U-01, U-02, C-02, cases A13 and A28.
#include "mapping_fixture.hpp"

namespace ferry::test {
namespace {

class MappingLife : public MappingTest {};

TEST_F(MappingLife, GoesFromUnmappedOverPendingToMappedAndBack) {
    Buffer buffer = make_readable(pattern(64));
    EXPECT_EQ(buffer.map_state(), MapState::unmapped);
    auto ticket = start(buffer);
    auto mapping = must(ticket.wait(patience));
    EXPECT_EQ(buffer.map_state(), MapState::mapped);
    EXPECT_TRUE(mapping.alive());
    EXPECT_EQ(must(must(mapping.as<std::byte>()).copy()), pattern(64));
    EXPECT_TRUE(ok(mapping.unmap()));
    EXPECT_EQ(buffer.map_state(), MapState::unmapped);
    EXPECT_FALSE(mapping.alive());
}

TEST_F(MappingLife, Q08_AMapSeesTheWorkThatWasSubmittedBefore) {
    const Buffer source = make_filled(device(), pattern(64), Usage::copy_src | Usage::copy_dst);
    Buffer target = make_buffer(device(), 64, readable);
    for (unsigned turn = 0; turn < 20; ++turn) {
        ASSERT_TRUE(ok(device().write(source, pattern(64, turn))));
        auto commands = device().record();
        commands.copy(source, target);
        ASSERT_TRUE(ok(device().submit(std::move(commands))));
        auto mapping = must(target.map_read().wait(patience));
        ASSERT_EQ(must(must(mapping.as<std::byte>()).copy()), pattern(64, turn)) << turn;
    }
}

TEST_F(MappingLife, ADroppedMappingIsUnmapped) {
    Buffer buffer = make_readable(pattern(16));
    { auto mapping = must(buffer.map_read().wait(patience)); }
    EXPECT_EQ(buffer.map_state(), MapState::unmapped);
    EXPECT_TRUE(ok(buffer.map_read().wait(patience)));
}

TEST_F(MappingLife, AMapThatNobodyTakesIsUnmappedWithItsTicket) {
    Buffer buffer = make_readable(pattern(16));
    {
        auto ticket = buffer.map_read();
        ASSERT_TRUE(poll_until(device(), [&] { return ticket.ready(); }));
    }
    EXPECT_TRUE(poll_until(device(), [&] { return buffer.map_state() == MapState::unmapped; }));
    EXPECT_TRUE(ok(buffer.map_read().wait(patience)));
}

TEST_F(MappingLife, ADroppedTicketCancelsItsMap) {
    Buffer buffer = make_readable(pattern(16));
    { auto ticket = start(buffer); }
    EXPECT_TRUE(poll_until(device(), [&] { return buffer.map_state() == MapState::unmapped; }));
    EXPECT_TRUE(ok(buffer.map_read().wait(patience)));
}

TEST_F(MappingLife, A13_M01_ASecondMapIsRefusedAndTheFirstStillSucceeds) {
    Buffer buffer = make_readable(pattern(16), "result");
    auto first = start(buffer);
    EXPECT_TRUE(refused(buffer.map_read().wait(patience), wrong_state("M-01", {"result"})));
    auto mapping = must(first.wait(patience));
    EXPECT_TRUE(
        refused(buffer.map_read().wait(patience), wrong_state("M-01", {"result", "mapped"})));
    EXPECT_TRUE(mapping.alive());
    EXPECT_EQ(must(must(mapping.as<std::byte>()).copy()), pattern(16));
}

TEST_F(MappingLife, M01_ABufferThatWasMadeMappedIsMapped) {
    auto made = must(
        device().create_mapped_buffer({.usage = writable, .size_bytes = 16, .label = "fresh"}));
    EXPECT_TRUE(
        refused(made.buffer.map_write().wait(patience), wrong_state("M-01", {"fresh", "mapped"})));
}

TEST_F(MappingLife, ARefusalWhileMappedNamesTheLineThatMapped) {
    Buffer buffer = make_readable(pattern(16));
    auto mapping = must(buffer.map_read().wait(patience));
    auto again = buffer.map_read().wait(patience);
    ASSERT_FALSE(again);
    EXPECT_TRUE(names(again.error(), "mapping_test.cpp")) << to_string(again.error());
}

TEST_F(MappingLife, U01_M12_UnmapWhilePendingCancelsAtOnce) {
    Buffer buffer = make_readable(pattern(16));
    auto ticket = start(buffer);
    EXPECT_TRUE(ok(buffer.unmap()));
    EXPECT_EQ(buffer.map_state(), MapState::unmapped);
    EXPECT_TRUE(ticket.ready());
    EXPECT_TRUE(refused(ticket.wait(patience), {{Errc::cancelled}}));
    auto mapping = must(buffer.map_read().wait(patience));
    EXPECT_EQ(must(must(mapping.as<std::byte>()).copy()), pattern(16));
}

TEST_F(MappingLife, CancelWhilePendingEndsAsCancelled) {
    Buffer buffer = make_readable(pattern(16));
    auto ticket = start(buffer);
    ticket.cancel();
    EXPECT_TRUE(refused(ticket.wait(patience), {{Errc::cancelled}}));
    EXPECT_TRUE(poll_until(device(), [&] { return buffer.map_state() == MapState::unmapped; }));
    EXPECT_TRUE(ok(buffer.map_read().wait(patience)));
}

TEST_F(MappingLife, U01_UnmapWithoutAMappingIsNothingToDo) {
    Buffer buffer = make_readable(pattern(16));
    EXPECT_TRUE(ok(buffer.unmap()));
    auto mapping = must(buffer.map_read().wait(patience));
    EXPECT_TRUE(ok(mapping.unmap()));
    EXPECT_TRUE(ok(mapping.unmap()));
    EXPECT_TRUE(ok(buffer.unmap()));
    buffer.destroy();
    EXPECT_TRUE(ok(buffer.unmap()));
    EXPECT_EQ(buffer.map_state(), MapState::destroyed);
}

TEST_F(MappingLife, UnmapOfTheBufferEndsTheMapping) {
    Buffer buffer = make_readable(pattern(16));
    auto mapping = must(buffer.map_read().wait(patience));
    EXPECT_TRUE(ok(buffer.unmap()));
    EXPECT_FALSE(mapping.alive());
    EXPECT_TRUE(refused(mapping.as<std::byte>(), wrong_state()));
    auto next = must(buffer.map_read().wait(patience));
    EXPECT_TRUE(ok(mapping.unmap())) << "the old mapping must not end the new one";
    EXPECT_TRUE(next.alive());
    EXPECT_EQ(buffer.map_state(), MapState::mapped);
}

TEST_F(MappingLife, U02_M12_DestroyWhilePendingCancels) {
    Buffer buffer = make_readable(pattern(16));
    auto ticket = start(buffer);
    buffer.destroy();
    EXPECT_EQ(buffer.map_state(), MapState::destroyed);
    EXPECT_TRUE(refused(ticket.wait(patience), {{Errc::cancelled}}));
}

TEST_F(MappingLife, U02_DestroyWhileMappedEndsTheMapping) {
    Buffer buffer = make_readable(pattern(16));
    auto mapping = must(buffer.map_read().wait(patience));
    auto span = must(mapping.as<std::byte>());
    buffer.destroy();
    buffer.destroy();
    EXPECT_EQ(buffer.map_state(), MapState::destroyed);
    EXPECT_FALSE(mapping.alive());
    EXPECT_EQ(span.size(), 0U);
    EXPECT_TRUE(refused(span.at(0), wrong_state()));
    EXPECT_TRUE(ok(mapping.unmap()));
}

TEST_F(MappingLife, M04_ADestroyedBufferIsNotMapped) {
    Buffer buffer = make_buffer(device(), 16, readable, "gone");
    buffer.destroy();
    EXPECT_TRUE(
        refused(buffer.map_read().wait(patience), wrong_state("M-04", {"gone", "destroyed"})));
    EXPECT_EQ(buffer.map_state(), MapState::destroyed);
}

TEST_F(MappingLife, M09_EachModeNeedsItsUsage) {
    Buffer for_reading = make_buffer(device(), 16, readable, "in");
    Buffer for_writing = make_buffer(device(), 16, writable, "out");
    Buffer other = make_buffer(device(), 16, Usage::storage | Usage::copy_src, "data");
    EXPECT_TRUE(
        refused(for_reading.map_write().wait(patience), invalid("M-09", {"in", "map_write"})));
    EXPECT_TRUE(
        refused(for_writing.map_read().wait(patience), invalid("M-09", {"out", "map_read"})));
    EXPECT_TRUE(refused(other.map_read().wait(patience),
                        invalid("M-09", {"data", "map_read", "copy_dst"})));
    EXPECT_EQ(for_reading.map_state(), MapState::unmapped);
    EXPECT_TRUE(ok(for_reading.map_read().wait(patience)));
}

TEST_F(MappingLife, ARefusedMapIsReadyAtOnceAndChangesNothing) {
    Buffer buffer = make_readable(pattern(16));
    auto ticket = buffer.map_read({4, 4});
    EXPECT_TRUE(ticket.ready());
    EXPECT_EQ(buffer.map_state(), MapState::unmapped);
    EXPECT_TRUE(refused(*ticket.take(), invalid("M-05")));
    EXPECT_TRUE(ok(buffer.map_read().wait(patience)));
}

TEST_F(MappingLife, A28_TheWholeIsMappedWithoutASentinelAndABadRangeIsRefusedByFerry) {
    Buffer buffer = make_readable(pattern(64));
    EXPECT_TRUE(
        refused(buffer.map_read({0, ~std::uint64_t{0}}).wait(patience), invalid("", {}, {64})));
    EXPECT_TRUE(refused(buffer.map_read({8, 64}).wait(patience), invalid("M-07", {}, {8, 64})));
    auto mapping = must(buffer.map_read({}).wait(patience));
    EXPECT_EQ(mapping.range().offset_bytes, 0U);
    EXPECT_EQ(mapping.range().size_bytes, 64U);
}

TEST_F(MappingLife, NotSubmittedIsAnsweredAtOnceWhenRecordedCommandsWriteToTheBuffer) {
    const Buffer source = make_filled(device(), pattern(16), Usage::copy_src);
    Buffer target = make_buffer(device(), 16, readable, "target");
    auto commands = device().record("frame");
    commands.copy(source, target);
    const auto before = std::chrono::steady_clock::now();
    EXPECT_TRUE(refused(target.map_read().wait(patience),
                        {{Errc::not_submitted}, "", {"target", "submit"}}));
    EXPECT_LT(std::chrono::steady_clock::now() - before, patience / 2);
    EXPECT_EQ(target.map_state(), MapState::unmapped);
    ASSERT_TRUE(ok(device().submit(std::move(commands))));
    auto mapping = must(target.map_read().wait(patience));
    EXPECT_EQ(must(must(mapping.as<std::byte>()).copy()), pattern(16));
}

TEST_F(MappingLife, M10_DroppedCommandsDoNotKeepABufferFromBeingMapped) {
    const Buffer source = make_filled(device(), pattern(16), Usage::copy_src);
    Buffer target = make_buffer(device(), 16, readable);
    {
        auto commands = device().record();
        commands.copy(source, target);
    }
    auto mapping = must(target.map_read().wait(patience));
    EXPECT_EQ(must(must(mapping.as<std::byte>()).copy()), std::vector<std::byte>(16));
}

TEST_F(MappingLife, ManyMapsInARow) {
    Buffer buffer = make_readable(pattern(64));
    for (int turn = 0; turn < 1000; ++turn)
        ASSERT_TRUE(ok(buffer.map_read({8, 16}).wait(patience))) << turn;
}

} // namespace
} // namespace ferry::test
