// SPDX-License-Identifier: MIT
// Mappings and spans as values: detaching (G-10, case A05), moving, outliving; what write mappings
// keep (C-02, C-03).
#include "mapping_fixture.hpp"

namespace ferry::test {
namespace {

class MappingHandle : public MappingTest {};

template <class T>
void expect_detached(MappedSpan<T>& span) {
    EXPECT_EQ(span.size(), 0U);
    EXPECT_TRUE(span.empty());
    EXPECT_TRUE(refused(span.at(0), wrong_state()));
    EXPECT_TRUE(refused(span.span(), wrong_state()));
    EXPECT_TRUE(refused(span.copy(), wrong_state()));
    std::vector<std::remove_const_t<T>> target(64);
    EXPECT_TRUE(refused(span.copy_to(target), wrong_state()));
}

TEST_F(MappingHandle, A05_G10_SpansDetachAtUnmapAndTheErrorSaysWhoseTheyWere) {
    Buffer buffer = make_readable(pattern(64), "result");
    auto mapping = must(buffer.map_read().wait(patience));
    auto whole = must(mapping.as<std::byte>());
    auto sub = must(mapping.as<std::uint32_t>({16, 16}));
    auto copy = whole;
    EXPECT_EQ(copy.size(), 64U);
    EXPECT_TRUE(ok(mapping.unmap()));
    expect_detached(whole);
    expect_detached(sub);
    expect_detached(copy);
    EXPECT_TRUE(refused(whole.at(0), wrong_state("", {"result", "unmap"})));
}

TEST_F(MappingHandle, A05_SpansStayDetachedWhenTheBufferIsMappedAgain) {
    Buffer buffer = make_readable(pattern(64));
    auto mapping = must(buffer.map_read().wait(patience));
    auto stale = must(mapping.as<std::byte>());
    EXPECT_TRUE(ok(mapping.unmap()));
    auto again = must(buffer.map_read().wait(patience));
    auto fresh = must(again.as<std::byte>());
    EXPECT_EQ(fresh.size(), 64U);
    expect_detached(stale);
}

TEST_F(MappingHandle, G10_SpansDetachWhenTheMappingIsDropped) {
    Buffer buffer = make_readable(pattern(64));
    MappedSpan<const std::byte> span;
    {
        auto mapping = must(buffer.map_read().wait(patience));
        span = must(mapping.as<std::byte>());
        EXPECT_EQ(span.size(), 64U);
    }
    expect_detached(span);
}

TEST_F(MappingHandle, G10_WritableSpansDetachAtDestroy) {
    Buffer buffer = make_buffer(device(), 64, writable);
    auto mapping = must(buffer.map_write().wait(patience));
    auto span = must(mapping.as<std::byte>());
    buffer.destroy();
    expect_detached(span);
    EXPECT_TRUE(refused(span.set(0, std::byte{1}), wrong_state()));
    EXPECT_TRUE(refused(span.copy_from(pattern(4)), wrong_state()));
}

TEST_F(MappingHandle, AnEmptySpanAnswersErrors) {
    MappedSpan<const float> span;
    expect_detached(span);
    ReadMapping mapping;
    EXPECT_FALSE(mapping.alive());
    EXPECT_TRUE(refused(mapping.as<float>(), wrong_state()));
    EXPECT_TRUE(ok(mapping.unmap()));
}

TEST_F(MappingHandle, ASpanChecksItsIndexAndItsTarget) {
    Buffer buffer = make_readable(counting<std::uint32_t>(4, 7));
    auto mapping = must(buffer.map_read().wait(patience));
    auto span = must(mapping.as<std::uint32_t>());
    EXPECT_EQ(must(span.at(3)), 10U);
    EXPECT_TRUE(refused(span.at(4), invalid("", {}, {4})));
    std::vector<std::uint32_t> small(3);
    EXPECT_TRUE(refused(span.copy_to(small), invalid("", {}, {12, 16})));
    std::vector<std::uint32_t> large(6, 1);
    EXPECT_EQ(must(span.copy_to(large)), 4U);
    EXPECT_EQ(large, (std::vector<std::uint32_t>{7, 8, 9, 10, 1, 1}));
    std::vector<std::uint32_t> reserved(4);
    EXPECT_EQ(must(span.copy_to(std::span(reserved))), 4U);
    EXPECT_EQ(std::vector(must(span.span()).begin(), must(span.span()).end()),
              counting<std::uint32_t>(4, 7));
}

TEST_F(MappingHandle, AWritableSpanChecksItsIndexAndItsSource) {
    auto made = must(device().create_mapped_buffer({.usage = Usage::copy_src, .size_bytes = 16}));
    auto span = must(made.mapping.as<std::uint32_t>());
    EXPECT_TRUE(ok(span.set(3, 5)));
    EXPECT_TRUE(refused(span.set(4, 5), invalid("", {}, {4})));
    EXPECT_TRUE(refused(span.copy_from(counting<std::uint32_t>(5)), invalid("", {}, {16, 20})));
    EXPECT_TRUE(ok(span.copy_from(counting<std::uint32_t>(2, 1))));
    EXPECT_TRUE(ok(made.mapping.unmap()));
    EXPECT_EQ(read_all<std::uint32_t>(device(), made.buffer),
              (std::vector<std::uint32_t>{1, 2, 0, 5}));
}

TEST_F(MappingHandle, AMovedMappingStaysMappedAndTheOldHandleIsEmpty) {
    Buffer buffer = make_readable(pattern(16));
    auto first = must(buffer.map_read().wait(patience));
    auto span = must(first.as<std::byte>());
    auto second = std::move(first);
    EXPECT_FALSE(first.alive()); // NOLINT(bugprone-use-after-move): what this test is about
    EXPECT_TRUE(refused(first.as<std::byte>(), wrong_state()));
    EXPECT_TRUE(ok(first.unmap()));
    EXPECT_TRUE(second.alive());
    EXPECT_EQ(buffer.map_state(), MapState::mapped);
    EXPECT_EQ(must(span.copy()), pattern(16));
    EXPECT_TRUE(ok(second.unmap()));
    EXPECT_EQ(span.size(), 0U);
}

TEST_F(MappingHandle, MovingAMappingToItselfKeepsIt) {
    Buffer buffer = make_readable(pattern(16));
    auto mapping = must(buffer.map_read().wait(patience));
    auto& same = mapping;
    mapping = std::move(same);
    EXPECT_TRUE(mapping.alive());
    EXPECT_EQ(must(must(mapping.as<std::byte>()).copy()), pattern(16));
}

TEST_F(MappingHandle, MovingOverAMappingEndsTheOneThatWasThere) {
    Buffer one = make_readable(pattern(16, 1));
    Buffer two = make_readable(pattern(16, 2));
    auto mapping = must(one.map_read().wait(patience));
    mapping = must(two.map_read().wait(patience));
    EXPECT_EQ(one.map_state(), MapState::unmapped);
    EXPECT_EQ(two.map_state(), MapState::mapped);
    EXPECT_EQ(must(must(mapping.as<std::byte>()).copy()), pattern(16, 2));
}

TEST_F(MappingHandle, AMappingOutlivesTheHandleOfItsBuffer) {
    std::optional<Buffer> buffer = make_readable(pattern(16));
    auto mapping = must(buffer->map_read().wait(patience));
    buffer.reset();
    EXPECT_TRUE(mapping.alive());
    EXPECT_EQ(must(must(mapping.as<std::byte>()).copy()), pattern(16));
}

TEST_F(MappingHandle, AMapTicketOutlivesTheHandleOfItsBuffer) {
    std::optional<Buffer> buffer = make_readable(pattern(16));
    auto ticket = buffer->map_read();
    buffer.reset();
    auto mapping = must(ticket.wait(patience));
    EXPECT_EQ(must(must(mapping.as<std::byte>()).copy()), pattern(16));
}

TEST_F(MappingHandle, C03_WhatWasWrittenIsCopiedOnAfterUnmap) {
    Buffer staging = make_buffer(device(), 64, writable);
    const Buffer working = make_buffer(device(), 64, Usage::copy_dst | Usage::copy_src);
    auto mapping = must(staging.map_write().wait(patience));
    EXPECT_TRUE(ok(must(mapping.as<std::byte>()).copy_from(pattern(64))));
    EXPECT_TRUE(ok(mapping.unmap()));
    auto commands = device().record();
    commands.copy(staging, working);
    ASSERT_TRUE(ok(device().submit(std::move(commands))));
    EXPECT_EQ(bytes_of(working), pattern(64));
}

TEST_F(MappingHandle, C03_ADroppedWriteMappingSendsItsBytes) {
    Buffer staging = make_buffer(device(), 64, writable);
    {
        auto mapping = must(staging.map_write().wait(patience));
        EXPECT_TRUE(ok(must(mapping.as<std::byte>()).copy_from(pattern(64))));
    }
    EXPECT_EQ(bytes_of(staging), pattern(64));
}

TEST_F(MappingHandle, C02_UntouchedBytesInsideAndOutsideTheRangeKeepTheirValue) {
    Buffer staging = make_filled(device(), pattern(64), writable);
    auto mapping = must(staging.map_write({16, 32}).wait(patience));
    auto span = must(mapping.as<std::byte>({24, 8}));
    EXPECT_EQ(must(span.copy()), part(pattern(64), 24, 8))
        << "a write mapping shows the present bytes";
    EXPECT_TRUE(ok(span.set(1, std::byte{0})));
    EXPECT_TRUE(ok(mapping.unmap()));
    auto expected = pattern(64);
    expected[25] = std::byte{0};
    EXPECT_EQ(bytes_of(staging), expected);
}

TEST_F(MappingHandle, C02_WriteMappingsInTurnAddUp) {
    Buffer staging = make_buffer(device(), 32, writable);
    for (std::uint64_t offset : {24U, 0U, 16U, 8U}) {
        auto mapping = must(staging.map_write({offset, 8}).wait(patience));
        EXPECT_TRUE(ok(must(mapping.as<std::byte>()).copy_from(part(pattern(32), offset, 8))));
    }
    EXPECT_EQ(bytes_of(staging), pattern(32));
}

TEST_F(MappingHandle, C03_Q01_EachSubmitSeesTheUnmapBeforeIt) {
    Buffer staging = make_buffer(device(), 16, writable);
    std::vector<Ticket<std::vector<std::byte>>> tickets;
    for (unsigned turn = 0; turn < 10; ++turn) {
        auto mapping = must(staging.map_write().wait(patience));
        EXPECT_TRUE(ok(must(mapping.as<std::byte>()).copy_from(pattern(16, turn))));
        EXPECT_TRUE(ok(mapping.unmap()));
        tickets.push_back(device().read<std::byte>(staging));
    }
    for (unsigned turn = 0; turn < 10; ++turn)
        EXPECT_EQ(must(tickets[turn].wait(patience)), pattern(16, turn));
}

} // namespace
} // namespace ferry::test
