// SPDX-License-Identifier: MIT
// Reads of buffers: cases A02, A03, A25, A32; M-11; the life of a read's ticket.
#include "engine_fixture.hpp"
#include "slow_job.hpp"

namespace ferry::test {
namespace {

constexpr Usage copied = Usage::copy_src | Usage::copy_dst;

class Read : public SharedDevice {
protected:
    static void submit(Commands&& commands) { must(device().submit(std::move(commands))); }
};

/// Whether `call` came back long before the patience that it was given.
template <class Call>
bool at_once(Call call) {
    const auto start = std::chrono::steady_clock::now();
    call();
    return std::chrono::steady_clock::now() - start < patience / 10;
}

TEST_F(Read, A25_SixBytesAtOffsetTenAreExactlyThese) {
    const Buffer buffer = make_filled(device(), pattern(64));
    EXPECT_EQ(bytes_of({buffer, {10, 6}}), part(pattern(64), 10, 6));
}

TEST_F(Read, EverySmallRangeIsByteExact) {
    for (std::size_t whole : {18U, 32U}) {
        const Buffer buffer = make_filled(device(), pattern(whole));
        for (std::size_t offset = 0; offset <= 9; ++offset) {
            auto commands = device().record();
            std::vector<Ticket<std::vector<std::byte>>> tickets;
            for (std::size_t size = 0; size <= 17 && offset + size <= whole; ++size) {
                tickets.push_back(commands.read<std::byte>({buffer, {offset, size}}));
            }
            submit(std::move(commands));
            for (std::size_t size = 0; size < tickets.size(); ++size) {
                ASSERT_EQ(must(tickets[size].wait(patience)), part(pattern(whole), offset, size))
                    << whole << ": " << offset << ", " << size;
            }
        }
    }
}

TEST_F(Read, TypesAreReadAtAnyOffset) {
    auto data = pattern(3);
    const auto words = counting<std::uint32_t>(5, 1'000'000);
    const auto raw = std::as_bytes(std::span(words));
    data.insert(data.end(), raw.begin(), raw.end());
    const Buffer buffer = make_filled(device(), data);
    EXPECT_EQ(read_all<std::uint32_t>(device(), {buffer, {3, 20}}), words);
    EXPECT_EQ(read_all<std::uint32_t>(device(), {buffer, {7, {}}}),
              counting<std::uint32_t>(4, 1'000'001));
}

TEST_F(Read, ASizeThatIsNoWholeNumberOfElementsIsRefused) {
    const Buffer buffer = make_filled(device(), pattern(18), copied, "odd");
    EXPECT_TRUE(refused(device().read<std::uint32_t>(buffer).wait(patience),
                        invalid("", {"odd"}, {18, 4})));
    EXPECT_TRUE(refused(device().read<std::uint64_t>({buffer, {0, 12}}).wait(patience),
                        invalid("", {}, {12, 8})));
}

TEST_F(Read, RangesOutsideTheBufferAreRefusedWithTheNumbers) {
    const Buffer buffer = make_filled(device(), pattern(18), copied, "odd");
    EXPECT_TRUE(refused(device().read<std::byte>({buffer, {16, 4}}).wait(patience),
                        invalid("", {"odd"}, {16, 4, 18})));
    EXPECT_TRUE(refused(device().read<std::byte>({buffer, {19, 0}}).wait(patience),
                        invalid("", {}, {19, 18})));
    EXPECT_TRUE(refused(device().read<std::byte>({buffer, {19, {}}}).wait(patience),
                        invalid("", {}, {19, 18})));
}

TEST_F(Read, A32_NothingIsReadWithSuccess) {
    const Buffer buffer = make_filled(device(), pattern(16));
    const Buffer none = make_buffer(device(), 0, copied);
    EXPECT_TRUE(bytes_of({buffer, {16, 0}}).empty());
    EXPECT_TRUE(bytes_of({buffer, {16, {}}}).empty());
    EXPECT_TRUE(bytes_of({buffer, {3, 0}}).empty());
    EXPECT_TRUE(bytes_of(none).empty());
    auto commands = device().record();
    auto ticket = commands.read<float>({buffer, {16, 0}});
    submit(std::move(commands));
    EXPECT_TRUE(must(ticket.wait(patience)).empty());
}

TEST_F(Read, LargeReadsArriveWhole) {
    for (std::size_t size : {65'536U, 1'000'003U, 16U << 20}) {
        const Buffer buffer = make_filled(device(), pattern(size));
        EXPECT_EQ(bytes_of(buffer), pattern(size)) << size;
    }
}

TEST_F(Read, A02_ShortWaitsTimeOutAndLeaveTheReadPendingUntilItsValueIsThere) {
    const SlowJob job(device(), 400ms);
    auto commands = device().record("slow");
    job.record(commands);
    auto ticket = commands.read<std::uint32_t>(job.result());
    submit(std::move(commands));
    EXPECT_FALSE(ticket.take().has_value());
    EXPECT_TRUE(refused(ticket.wait(0ms), {{Errc::timeout}}));
    EXPECT_TRUE(refused(ticket.wait(1ms), {{Errc::timeout}}));
    EXPECT_TRUE(refused(ticket.wait(-1ms), {{Errc::timeout}}));
    EXPECT_TRUE(ticket);
    EXPECT_FALSE(ticket.ready());
    EXPECT_EQ(must(ticket.wait(patience)), std::vector<std::uint32_t>{7});
    EXPECT_FALSE(ticket);
}

TEST_F(Read, A02_AWaitEndsSoonAfterItsLimit) {
    const SlowJob job(device(), 400ms);
    auto commands = device().record("slow");
    job.record(commands);
    auto ticket = commands.read<std::uint32_t>(job.result());
    submit(std::move(commands));
    const auto start = std::chrono::steady_clock::now();
    EXPECT_TRUE(refused(ticket.wait(20ms), {{Errc::timeout}}));
    const auto took = std::chrono::steady_clock::now() - start;
    EXPECT_GE(took, 20ms);
    EXPECT_LT(took, 300ms) << "the job takes longer than this";
    EXPECT_EQ(must(ticket.wait(patience)).at(0), 7U);
}

TEST_F(Read, A02_ATakeLoopGetsTheValueWithoutAnyWait) {
    const Buffer buffer = make_filled(device(), pattern(64));
    auto ticket = device().read<std::byte>(buffer);
    std::optional<Result<std::vector<std::byte>>> taken;
    EXPECT_TRUE(poll_until(device(), [&] { return (taken = ticket.take()).has_value(); }));
    ASSERT_TRUE(taken);
    EXPECT_EQ(must(std::move(*taken)), pattern(64));
}

TEST_F(Read, A03_ABufferWithoutCopySrcIsAnErrorAtOnceAndNotAWait) {
    const Buffer buffer = make_buffer(device(), 16, Usage::storage, "data");
    auto ticket = device().read<std::byte>(buffer);
    EXPECT_TRUE(ticket.ready());
    EXPECT_TRUE(at_once([&] {
        EXPECT_TRUE(refused(ticket.wait(patience), invalid("K-03", {"data", "copy_src"})));
    }));

    auto commands = device().record();
    auto recorded = commands.read<std::byte>(buffer);
    EXPECT_TRUE(refused(device().submit(std::move(commands)), invalid("K-03")));
    EXPECT_TRUE(at_once([&] { EXPECT_TRUE(refused(recorded.wait(patience), invalid("K-03"))); }));
}

TEST_F(Read, WaitingBeforeTheSubmitAnswersNotSubmittedAtOnceAndDeliversLater) {
    const Buffer buffer = make_filled(device(), pattern(16), copied, "numbers");
    auto commands = device().record("frame");
    auto ticket = commands.read<std::byte>(buffer);
    EXPECT_FALSE(ticket.ready());
    EXPECT_FALSE(ticket.take().has_value());
    EXPECT_TRUE(at_once([&] {
        EXPECT_TRUE(refused(ticket.wait(patience), {{Errc::not_submitted}, "", {"submit"}}));
    }));
    EXPECT_TRUE(refused(ticket.wait(0ms), {{Errc::not_submitted}}));
    EXPECT_TRUE(ticket);
    submit(std::move(commands));
    EXPECT_EQ(must(ticket.wait(patience)), pattern(16));
}

TEST_F(Read, DroppedCommandsCancelTheirReads) {
    const Buffer buffer = make_filled(device(), pattern(16));
    Ticket<std::vector<std::byte>> ticket;
    {
        auto commands = device().record("dropped");
        ticket = commands.read<std::byte>(buffer);
    }
    EXPECT_TRUE(ticket.ready());
    EXPECT_TRUE(refused(ticket.wait(patience), {{Errc::cancelled}}));
}

TEST_F(Read, ACancelledReadEndsAsCancelledBeforeAndAfterTheSubmit) {
    const Buffer buffer = make_filled(device(), pattern(16));
    auto commands = device().record();
    auto early = commands.read<std::byte>(buffer);
    auto late = commands.read<std::byte>(buffer);
    auto kept = commands.read<std::byte>(buffer);
    early.cancel();
    EXPECT_TRUE(refused(early.wait(patience), {{Errc::cancelled}}));
    submit(std::move(commands));
    late.cancel();
    EXPECT_TRUE(late.ready());
    auto outcome = late.wait(patience);
    EXPECT_TRUE(outcome.has_value() || outcome.error().code == Errc::cancelled);
    EXPECT_EQ(must(kept.wait(patience)), pattern(16));
}

TEST_F(Read, CancelAfterTheOutcomeChangesNothing) {
    const Buffer buffer = make_filled(device(), pattern(16));
    auto ticket = device().read<std::byte>(buffer);
    EXPECT_TRUE(poll_until(device(), [&] { return ticket.ready(); }));
    ticket.cancel();
    EXPECT_EQ(must(ticket.wait(patience)), pattern(16));
}

TEST_F(Read, M11_ALaterWriteDoesNotChangeWhatWasRead) {
    const Buffer buffer = make_filled(device(), pattern(64, 1));
    auto ticket = device().read<std::byte>(buffer);
    must(device().write(buffer, pattern(64, 2)));
    EXPECT_EQ(must(ticket.wait(patience)), pattern(64, 1));
    EXPECT_EQ(bytes_of(buffer), pattern(64, 2));
}

TEST_F(Read, ABufferThatIsDestroyedAfterTheSubmitIsStillRead) {
    Buffer buffer = make_filled(device(), pattern(64));
    auto ticket = device().read<std::byte>(buffer);
    buffer.destroy();
    EXPECT_EQ(must(ticket.wait(patience)), pattern(64)) << "U-02";
}

TEST_F(Read, AMappedOrDestroyedSourceIsRefused) {
    Buffer buffer =
        make_filled(device(), pattern(16), Usage::map_write | Usage::copy_src, "source");
    auto mapping = must(buffer.map_write().wait(patience));
    EXPECT_TRUE(refused(device().read<std::byte>(buffer).wait(patience),
                        wrong_state("S-02", {"source", "mapped"})));
    must(mapping.unmap());
    EXPECT_EQ(bytes_of(buffer), pattern(16));
    buffer.destroy();
    EXPECT_TRUE(refused(device().read<std::byte>(buffer).wait(patience),
                        wrong_state("S-02", {"source", "destroyed"})));
}

} // namespace
} // namespace ferry::test
