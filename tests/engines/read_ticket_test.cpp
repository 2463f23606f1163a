// SPDX-License-Identifier: MIT
// Tickets of reads as values: into memory of the caller's, many at once, outliving, moving.
#include "engine_fixture.hpp"

namespace ferry::test {
namespace {

constexpr Usage copied = Usage::copy_src | Usage::copy_dst;

class ReadTicket : public SharedDevice {};

TEST_F(ReadTicket, WaitIntoCopiesIntoMemoryOfTheCallers) {
    const Buffer buffer = make_filled(device(), counting<std::uint32_t>(4, 1));
    std::vector<std::uint32_t> target(6, 9);
    EXPECT_EQ(must(device().read<std::uint32_t>(buffer).wait_into(target, patience)), 4U);
    EXPECT_EQ(target, (std::vector<std::uint32_t>{1, 2, 3, 4, 9, 9}));
    auto ticket = device().read<std::uint32_t>({buffer, {4, 8}});
    EXPECT_EQ(must(ticket.wait_into(std::span(target).subspan(4), patience)), 2U);
    EXPECT_EQ(target, (std::vector<std::uint32_t>{1, 2, 3, 4, 2, 3}));
    EXPECT_FALSE(ticket);
}

TEST_F(ReadTicket, TakeIntoCopiesOnceItIsReady) {
    const Buffer buffer = make_filled(device(), pattern(64));
    std::vector<std::byte> target(64);
    auto ticket = device().read<std::byte>(buffer);
    std::optional<Result<std::size_t>> taken;
    EXPECT_TRUE(
        poll_until(device(), [&] { return (taken = ticket.take_into(target)).has_value(); }));
    EXPECT_EQ(must(std::move(*taken)), 64U);
    EXPECT_EQ(target, pattern(64));
}

TEST_F(ReadTicket, AMemoryThatIsTooSmallIsRefusedAndLeavesTheTicketPending) {
    const Buffer buffer = make_filled(device(), pattern(64));
    auto ticket = device().read<std::byte>(buffer);
    std::vector<std::byte> small(63, std::byte{0});
    EXPECT_TRUE(refused(ticket.wait_into(small, patience), invalid("", {}, {63, 64})));
    EXPECT_TRUE(ticket);
    EXPECT_EQ(small, std::vector<std::byte>(63));
    auto again = ticket.take_into(small);
    ASSERT_TRUE(again.has_value());
    EXPECT_TRUE(refused(*again, invalid("", {}, {63, 64})));
    EXPECT_TRUE(ticket);
    std::vector<std::byte> enough(64);
    EXPECT_EQ(must(ticket.wait_into(enough, patience)), 64U);
    EXPECT_EQ(enough, pattern(64));
    EXPECT_FALSE(ticket);
}

TEST_F(ReadTicket, AReadThatWasRefusedEndsThroughWaitIntoToo) {
    const Buffer buffer = make_buffer(device(), 16, Usage::storage);
    auto ticket = device().read<std::byte>(buffer);
    std::vector<std::byte> target(16);
    EXPECT_TRUE(refused(ticket.wait_into(target, patience), invalid("K-03")));
    EXPECT_FALSE(ticket) << "this was its one outcome";
}

TEST_F(ReadTicket, WaitIntoBeforeTheSubmitIsNotSubmittedAndLeavesTheTicket) {
    const Buffer buffer = make_filled(device(), pattern(16));
    auto commands = device().record();
    auto ticket = commands.read<std::byte>(buffer);
    std::vector<std::byte> target(16);
    EXPECT_TRUE(refused(ticket.wait_into(target, patience), {{Errc::not_submitted}}));
    EXPECT_FALSE(ticket.take_into(target).has_value());
    must(device().submit(std::move(commands)));
    EXPECT_EQ(must(ticket.wait_into(target, patience)), 16U);
    EXPECT_EQ(target, pattern(16));
}

TEST_F(ReadTicket, ManyReadsOfOneRecordingAllArrive) {
    const auto words = counting<std::uint32_t>(1000);
    const Buffer buffer = make_filled(device(), words);
    auto commands = device().record();
    std::vector<Ticket<std::vector<std::uint32_t>>> tickets;
    for (std::size_t at = 0; at < words.size(); ++at) {
        tickets.push_back(commands.read<std::uint32_t>({buffer, {4 * at, 4}}));
    }
    must(device().submit(std::move(commands)));
    for (std::size_t at = words.size(); at-- > 0;) {
        ASSERT_EQ(must(tickets[at].wait(patience)), std::vector<std::uint32_t>{words[at]});
    }
}

TEST_F(ReadTicket, AThousandReadsInARowAllArrive) {
    const Buffer buffer = make_filled(device(), pattern(64));
    for (std::size_t turn = 0; turn < 1000; ++turn) {
        ASSERT_EQ(bytes_of({buffer, {turn % 48, 16}}), part(pattern(64), turn % 48, 16)) << turn;
    }
}

TEST_F(ReadTicket, AThousandReadsInFlightAllArrive) {
    const Buffer buffer = make_filled(device(), pattern(64));
    std::vector<Ticket<std::vector<std::byte>>> tickets;
    for (std::size_t turn = 0; turn < 1000; ++turn) {
        tickets.push_back(device().read<std::byte>({buffer, {turn % 48, 16}}));
    }
    for (std::size_t turn = 0; turn < 1000; ++turn) {
        ASSERT_EQ(must(tickets[turn].wait(patience)), part(pattern(64), turn % 48, 16)) << turn;
    }
}

TEST_F(ReadTicket, DroppedTicketsGiveTheirMemoryBack) {
    const Buffer buffer = make_filled(device(), pattern(1 << 20));
    for (int turn = 0; turn < 300; ++turn) {
        auto dropped = device().read<std::byte>(buffer);
    }
    EXPECT_EQ(bytes_of(buffer), pattern(1 << 20));
}

TEST_F(ReadTicket, OutlivesItsBufferAndItsCommands) {
    std::optional<Buffer> buffer = make_filled(device(), pattern(16));
    Ticket<std::vector<std::byte>> ticket;
    {
        auto commands = device().record();
        ticket = commands.read<std::byte>(*buffer);
        buffer.reset();
        must(device().submit(std::move(commands)));
    }
    EXPECT_EQ(must(ticket.wait(patience)), pattern(16));
}

TEST_F(ReadTicket, OutlivesItsDevice) {
    std::optional<Device> own = open_device();
    std::optional<Buffer> buffer = make_filled(*own, pattern(16));
    auto ticket = own->read<std::byte>(*buffer);
    own.reset();
    buffer.reset();
    EXPECT_EQ(must(ticket.wait(patience)), pattern(16));
}

TEST_F(ReadTicket, MovesAndIsMovedOver) {
    const Buffer buffer = make_filled(device(), pattern(16));
    auto first = device().read<std::byte>({buffer, {0, 4}});
    auto second = device().read<std::byte>({buffer, {4, 4}});
    auto moved = std::move(first);
    EXPECT_FALSE(first); // NOLINT(bugprone-use-after-move): what this test is about
    EXPECT_TRUE(refused(first.wait(0ms), wrong_state()));
    moved = std::move(second);
    EXPECT_EQ(must(moved.wait(patience)), part(pattern(16), 4, 4));
}

TEST_F(ReadTicket, EachTypeComesBackAsItWasPutIn) {
    struct Particle {
        float position[3];
        std::uint32_t id;
    };
    const std::vector<Particle> particles{{{1, 2, 3}, 4}, {{5, 6, 7}, 8}};
    const Buffer buffer = make_filled(device(), particles);
    const auto seen = read_all<Particle>(device(), buffer);
    ASSERT_EQ(seen.size(), 2U);
    EXPECT_EQ(seen[1].position[2], 7.0F);
    EXPECT_EQ(seen[1].id, 8U);
    EXPECT_EQ(read_all<std::uint64_t>(device(), buffer).size(), 4U);
    EXPECT_EQ(read_all<std::uint16_t>(device(), {buffer, {12, 2}}).at(0), 4U);
}

TEST_F(ReadTicket, ReadsOfTheSameBytesAreIndependent) {
    const Buffer buffer = make_filled(device(), pattern(16), copied);
    auto commands = device().record();
    auto before = commands.read<std::byte>(buffer);
    commands.clear({buffer, {0, 8}});
    auto after = commands.read<std::byte>(buffer);
    must(device().submit(std::move(commands)));
    auto expected = std::vector<std::byte>(8);
    const auto rest = part(pattern(16), 8, 8);
    expected.insert(expected.end(), rest.begin(), rest.end());
    EXPECT_EQ(must(after.wait(patience)), expected);
    EXPECT_EQ(must(before.wait(patience)), pattern(16));
}

} // namespace
} // namespace ferry::test
