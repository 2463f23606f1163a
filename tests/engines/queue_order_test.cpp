// SPDX-License-Identifier: MIT
// One queue in call order: rules; Device::done.
#include "mapping_fixture.hpp"

namespace ferry::test {
namespace {

constexpr Usage copied = Usage::copy_src | Usage::copy_dst;

class QueueOrder : public MappingTest {
protected:
    static std::vector<std::uint32_t> words(std::uint32_t value) {
        return std::vector<std::uint32_t>(4, value);
    }

    static Result<Submission> submit_copy(const Buffer& source, const Buffer& target) {
        auto commands = device().record();
        commands.copy(source, target);
        return device().submit(std::move(commands));
    }
};

TEST_F(QueueOrder, Q02_AWriteAfterRecordingAndBeforeSubmitIsSeenByTheCommands) {
    const Buffer source = make_filled(device(), words(1));
    auto commands = device().record();
    auto seen = commands.read<std::uint32_t>(source);
    ASSERT_TRUE(ok(device().write(source, words(9))));
    ASSERT_TRUE(ok(device().submit(std::move(commands))));
    EXPECT_EQ(must(seen.wait(patience)), words(9));
}

TEST_F(QueueOrder, Q02_WriteSubmitWriteSubmitGivesOneThenTwo) {
    const Buffer source = make_buffer(device(), 16, copied);
    const Buffer first = make_buffer(device(), 16, copied);
    const Buffer second = make_buffer(device(), 16, copied);
    ASSERT_TRUE(ok(device().write(source, words(1))));
    ASSERT_TRUE(ok(submit_copy(source, first)));
    ASSERT_TRUE(ok(device().write(source, words(2))));
    ASSERT_TRUE(ok(submit_copy(source, second)));
    EXPECT_EQ(read_all<std::uint32_t>(device(), first), words(1));
    EXPECT_EQ(read_all<std::uint32_t>(device(), second), words(2));
}

TEST_F(QueueOrder, Q03_OfSeveralWritesBeforeOneSubmitTheLastIsSeen) {
    const Buffer source = make_buffer(device(), 16, copied);
    auto commands = device().record();
    ASSERT_TRUE(ok(device().write(source, words(1))));
    auto first = commands.read<std::uint32_t>(source);
    ASSERT_TRUE(ok(device().write(source, words(2))));
    auto second = commands.read<std::uint32_t>(source);
    ASSERT_TRUE(ok(device().write(source, words(3))));
    ASSERT_TRUE(ok(device().submit(std::move(commands))));
    EXPECT_EQ(must(first.wait(patience)), words(3));
    EXPECT_EQ(must(second.wait(patience)), words(3));
}

TEST_F(QueueOrder, Q04_CommandsOfOneRecordingRunInOrder) {
    const Buffer a = make_filled(device(), words(1));
    const Buffer b = make_filled(device(), words(2));
    auto commands = device().record();
    auto before = commands.read<std::uint32_t>(b);
    commands.copy(a, b);
    auto between = commands.read<std::uint32_t>(b);
    commands.clear(b);
    auto after = commands.read<std::uint32_t>(b);
    ASSERT_TRUE(ok(device().submit(std::move(commands))));
    EXPECT_EQ(must(before.wait(patience)), words(2));
    EXPECT_EQ(must(between.wait(patience)), words(1));
    EXPECT_EQ(must(after.wait(patience)), words(0));
}

TEST_F(QueueOrder, Q09_RecordedAndNotSubmittedIsInvisible) {
    const Buffer a = make_filled(device(), words(1));
    const Buffer b = make_filled(device(), words(2));
    auto commands = device().record();
    commands.copy(a, b);
    EXPECT_EQ(read_all<std::uint32_t>(device(), b), words(2));
    ASSERT_TRUE(ok(device().submit(std::move(commands))));
    EXPECT_EQ(read_all<std::uint32_t>(device(), b), words(1));
}

TEST_F(QueueOrder, Q10_AWriteAndThenAMapWithoutASubmitSeesTheBytes) {
    Buffer buffer = make_buffer(device(), 16, readable);
    for (std::uint32_t value : {5U, 6U, 7U}) {
        ASSERT_TRUE(ok(device().write(buffer, words(value))));
        auto mapping = must(buffer.map_read().wait(patience));
        EXPECT_EQ(must(must(mapping.as<std::uint32_t>()).copy()), words(value));
    }
}

TEST_F(QueueOrder, Q10_AWritableBufferThatWasFilledIsCopiedWithoutAnotherSubmit) {
    Buffer staging = make_buffer(device(), 16, writable);
    {
        auto mapping = must(staging.map_write().wait(patience));
        EXPECT_TRUE(ok(must(mapping.as<std::uint32_t>()).copy_from(words(3))));
    }
    EXPECT_EQ(read_all<std::uint32_t>(device(), staging), words(3));
}

TEST_F(QueueOrder, SubmissionNumbersRiseByOne) {
    const Buffer buffer = make_buffer(device(), 16, copied);
    std::uint64_t last = must(device().submit(device().record())).number;
    for (int turn = 0; turn < 5; ++turn) {
        auto commands = device().record();
        commands.clear(buffer);
        const std::uint64_t number = must(device().submit(std::move(commands))).number;
        EXPECT_EQ(number, last + 1);
        last = number;
    }
}

TEST_F(QueueOrder, AnEmptyRecordingIsSubmitted) {
    EXPECT_TRUE(ok(device().submit(device().record("nothing"))));
}

TEST_F(QueueOrder, Q05_DoneNamesTheLastSubmission) {
    const Submission sent = must(device().submit(device().record()));
    EXPECT_EQ(must(device().done().wait(patience)).number, sent.number);
}

TEST_F(QueueOrder, Q05_DoneIsReadyWithoutAnyWork) {
    Device fresh = open_device();
    EXPECT_TRUE(ok(fresh.done().wait(patience)));
}

TEST_F(QueueOrder, Q05_SeveralDonesEndInCallOrder) {
    const Buffer buffer = make_buffer(device(), 1 << 20, copied);
    std::vector<Ticket<Submission>> tickets;
    for (int turn = 0; turn < 20; ++turn) {
        auto commands = device().record();
        commands.clear(buffer);
        ASSERT_TRUE(ok(device().submit(std::move(commands))));
        tickets.push_back(device().done());
    }
    const auto in_order = [&] {
        bool ready_behind = false;
        for (auto each = tickets.rbegin(); each != tickets.rend(); ++each) {
            const bool ready = each->ready();
            EXPECT_TRUE(ready || !ready_behind) << "a later one was ready first";
            ready_behind = ready_behind || ready;
        }
        return tickets.back().ready();
    };
    EXPECT_TRUE(poll_until(device(), in_order));
    std::uint64_t last = 0;
    for (auto& ticket : tickets) {
        const auto number = must(ticket.wait(patience)).number;
        EXPECT_GT(number, last);
        last = number;
    }
}

TEST_F(QueueOrder, Q05_DoneCoversWritesToo) {
    const Buffer source = make_buffer(device(), 16, copied);
    ASSERT_TRUE(ok(device().write(source, words(4))));
    EXPECT_TRUE(ok(device().done().wait(patience)));
    EXPECT_EQ(read_all<std::uint32_t>(device(), source), words(4));
}

TEST_F(QueueOrder, ATakenTicketIsEmptyAndAnswersWrongState) {
    auto ticket = device().done();
    EXPECT_TRUE(ticket);
    EXPECT_TRUE(ok(ticket.wait(patience)));
    EXPECT_FALSE(ticket);
    EXPECT_TRUE(ticket.ready());
    EXPECT_TRUE(refused(ticket.wait(patience), wrong_state()));
    EXPECT_TRUE(refused(*ticket.take(), wrong_state()));
    Ticket<Submission> empty;
    EXPECT_TRUE(empty.ready());
    EXPECT_TRUE(refused(empty.wait(0s), wrong_state()));
}

TEST_F(QueueOrder, DroppedDonesAreForgotten) {
    for (int turn = 0; turn < 100; ++turn) {
        auto dropped = device().done();
    }
    EXPECT_TRUE(ok(device().done().wait(patience)));
}

} // namespace
} // namespace ferry::test
