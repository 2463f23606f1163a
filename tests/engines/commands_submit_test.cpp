// SPDX-License-Identifier: MIT
// What submit does with errors and with states: rules K-08, K-09, S-01 to S-05, case A13.
#include "mapping_fixture.hpp"
#include "raw_engine.hpp"

namespace ferry::test {
namespace {

constexpr Usage copied = Usage::copy_src | Usage::copy_dst;

class Submit : public MappingTest {};

TEST_F(Submit, K08_TheFirstErrorIsKeptWithItsCommandItsIndexAndTheCallersLine) {
    const Buffer a = make_buffer(device(), 64, copied, "first wrong");
    const Buffer b = make_buffer(device(), 64, copied, "second wrong");
    auto commands = device().record("frame");
    for (int command = 0; command < 7; ++command) commands.clear({a, {0, 4}});
    EXPECT_EQ(commands.error(), nullptr);
    commands.clear({a, {2, 4}});
    const auto line = std::source_location::current().line() - 1;
    commands.copy({b, {6, 4}}, a);
    ASSERT_NE(commands.error(), nullptr);
    auto sent = device().submit(std::move(commands));
    ASSERT_TRUE(refused(sent, invalid("K-10", {"first wrong", "clear", "frame"})));
    EXPECT_FALSE(names(sent.error(), "second wrong"));
    EXPECT_TRUE(names_number(sent.error(), 7) || names_number(sent.error(), 8))
        << to_string(sent.error());
    EXPECT_EQ(std::string_view(sent.error().where.file_name()), __FILE__);
    EXPECT_EQ(sent.error().where.line(), line);
}

TEST_F(Submit, NothingOfAFaultyRecordingRunsAndItsTicketsEndWithItsError) {
    const Buffer source = make_filled(device(), pattern(64, 1));
    const Buffer target = make_filled(device(), pattern(64, 2));
    auto commands = device().record();
    auto before = commands.read<std::byte>(source);
    commands.copy(source, target);
    commands.copy({source, {2, 4}}, target);
    auto after = commands.read<std::byte>(source);
    commands.clear(target);
    auto sent = device().submit(std::move(commands));
    ASSERT_TRUE(refused(sent, invalid("K-04")));
    for (auto* ticket : {&before, &after}) {
        EXPECT_TRUE(ticket->ready());
        auto outcome = ticket->wait(patience);
        ASSERT_TRUE(refused(outcome, invalid("K-04")));
        EXPECT_EQ(outcome.error().what, sent.error().what);
    }
    EXPECT_EQ(bytes_of(target), pattern(64, 2));
}

TEST_F(Submit, AFaultyRecordingThatIsDroppedEndsItsTicketsWithItsError) {
    const Buffer buffer = make_buffer(device(), 16, copied);
    Ticket<std::vector<std::byte>> ticket;
    {
        auto commands = device().record();
        commands.clear({buffer, {1, 4}});
        ticket = commands.read<std::byte>(buffer);
    }
    EXPECT_TRUE(refused(ticket.wait(patience), {{Errc::invalid_argument, Errc::cancelled}}));
}

TEST_F(Submit, AFaultyRecordingAnswersWhileItIsStillOpen) {
    const Buffer buffer = make_buffer(device(), 16, copied);
    auto commands = device().record();
    commands.clear({buffer, {1, 4}});
    EXPECT_EQ(commands.raw_encoder(), nullptr);
    auto ticket = commands.read<std::byte>(buffer);
    EXPECT_TRUE(refused(ticket.wait(patience), {{Errc::invalid_argument, Errc::not_submitted}}));
}

/// What a recorded copy of `source` to `target` is answered when `spoil` runs between recording and
/// submit.
template <class Spoil>
Result<Submission> submit_after(Device& device, const Buffer& source, const Buffer& target,
                                Spoil spoil) {
    auto commands = device.record("spoiled");
    commands.copy(source, target);
    spoil();
    return device.submit(std::move(commands));
}

TEST_F(Submit, S02_S03_AMappedSourceIsRefusedWithLabelAndStateAndNothingRuns) {
    Buffer source = make_filled(device(), pattern(16, 1), writable, "upload");
    const Buffer target = make_filled(device(), pattern(16, 2), copied);
    auto mapping = must(source.map_write().wait(patience));
    auto sent = submit_after(device(), source, target, [] {});
    EXPECT_TRUE(refused(sent, wrong_state("S-02", {"upload", "mapped"})));
    EXPECT_EQ(bytes_of(target), pattern(16, 2));
    EXPECT_TRUE(ok(mapping.unmap()));
    EXPECT_TRUE(ok(submit_after(device(), source, target, [] {})));
    EXPECT_EQ(bytes_of(target), pattern(16, 1));
}

TEST_F(Submit, S02_APendingSourceIsRefusedAndItsMapStillSucceeds) {
    Buffer source = make_filled(device(), pattern(16), writable, "upload");
    const Buffer target = make_buffer(device(), 16, copied);
    Ticket<WriteMapping> ticket;
    auto sent = submit_after(device(), source, target, [&] { ticket = source.map_write(); });
    EXPECT_TRUE(refused(sent, wrong_state("S-02", {"upload"})));
    EXPECT_TRUE(ok(ticket.wait(patience)));
    EXPECT_EQ(bytes_of(target), std::vector<std::byte>(16));
}

TEST_F(Submit, S02_AMappedTargetIsRefused) {
    const Buffer source = make_filled(device(), pattern(16));
    Buffer target = make_buffer(device(), 16, readable, "result");
    auto mapping = must(target.map_read().wait(patience));
    EXPECT_TRUE(refused(submit_after(device(), source, target, [] {}),
                        wrong_state("S-02", {"result", "mapped"})));
    EXPECT_EQ(must(must(mapping.as<std::byte>()).copy()), std::vector<std::byte>(16));
}

TEST_F(Submit, S02_ABufferThatWasMadeMappedIsRefused) {
    auto made =
        must(device().create_mapped_buffer({.usage = copied, .size_bytes = 16, .label = "fresh"}));
    const Buffer target = make_buffer(device(), 16, copied);
    auto sent = submit_after(device(), made.buffer, target, [] {});
    EXPECT_TRUE(refused(sent, wrong_state("S-02", {"fresh", "mapped"})));
}

TEST_F(Submit, S02_S03_ADestroyedBufferIsRefusedAndTheRestDoesNotRun) {
    Buffer source = make_filled(device(), pattern(16), copied, "gone");
    const Buffer target = make_filled(device(), pattern(16, 2));
    auto commands = device().record();
    commands.clear(target);
    commands.copy(source, target);
    auto ticket = commands.read<std::byte>(target);
    source.destroy();
    EXPECT_TRUE(
        refused(device().submit(std::move(commands)), wrong_state("S-02", {"gone", "destroyed"})));
    EXPECT_TRUE(refused(ticket.wait(patience), wrong_state("S-02")));
    EXPECT_EQ(bytes_of(target), pattern(16, 2));
}

TEST_F(Submit, A13_TheWrongOrderIsRefusedWithTheRightOrderInTheText) {
    Buffer source = make_filled(device(), pattern(16), writable, "upload");
    const Buffer target = make_buffer(device(), 16, copied);
    Ticket<WriteMapping> ticket;
    auto sent = submit_after(device(), source, target, [&] { ticket = source.map_write(); });
    ASSERT_TRUE(refused(sent, wrong_state("S-02")));
    EXPECT_TRUE(says(sent.error().fix, "unmap")) << to_string(sent.error());
}

TEST_F(Submit, K09_MappedAndDestroyedBuffersMayBeRecorded) {
    Buffer source = make_filled(device(), pattern(16), writable);
    Buffer gone = make_buffer(device(), 16, copied);
    const Buffer target = make_buffer(device(), 16, copied);
    auto mapping = must(source.map_write().wait(patience));
    gone.destroy();
    auto commands = device().record();
    commands.copy(source, target);
    commands.copy(gone, target);
    EXPECT_EQ(commands.error(), nullptr);
}

TEST_F(Submit, S01_MappingAndUnmappingBetweenRecordingAndSubmitIsFree) {
    Buffer source = make_filled(device(), pattern(16, 1), writable);
    const Buffer target = make_buffer(device(), 16, copied);
    auto sent = submit_after(device(), source, target, [&] {
        for (unsigned turn = 1; turn <= 3; ++turn) {
            auto mapping = must(source.map_write().wait(patience));
            must(must(mapping.as<std::byte>()).copy_from(pattern(16, turn)));
            must(mapping.unmap());
        }
    });
    ASSERT_TRUE(ok(sent));
    EXPECT_EQ(bytes_of(target), pattern(16, 3));
}

TEST_F(Submit, S01_RecordingWhileMappedAndUnmappingBeforeSubmitIsFree) {
    Buffer source = make_buffer(device(), 16, writable);
    const Buffer target = make_buffer(device(), 16, copied);
    auto mapping = must(source.map_write().wait(patience));
    must(must(mapping.as<std::byte>()).copy_from(pattern(16)));
    EXPECT_TRUE(ok(submit_after(device(), source, target, [&] { must(mapping.unmap()); })));
    EXPECT_EQ(bytes_of(target), pattern(16));
}

TEST_F(Submit, ABufferMayBeDroppedBetweenRecordingAndSubmit) {
    const Buffer target = make_buffer(device(), 16, copied);
    auto commands = device().record();
    {
        const Buffer source = make_filled(device(), pattern(16));
        commands.copy(source, target);
    }
    ASSERT_TRUE(ok(device().submit(std::move(commands))));
    EXPECT_EQ(bytes_of(target), pattern(16));
}

TEST_F(Submit, S04_ASecondSubmitOfTheSameCommandsIsRefused) {
    auto commands = device().record();
    EXPECT_TRUE(ok(device().submit(std::move(commands))));
    EXPECT_FALSE(commands); // NOLINT(bugprone-use-after-move): what this test is about
    EXPECT_TRUE(refused(device().submit(std::move(commands)),
                        {{Errc::invalid_argument, Errc::wrong_state}}));
}

TEST_F(Submit, EmptyCommandsAnswerErrorsAndDoNotCrash) {
    const Buffer buffer = make_buffer(device(), 16, copied);
    Commands empty;
    EXPECT_FALSE(empty);
    empty.copy(buffer, buffer);
    empty.clear(buffer);
    empty.uses(buffer);
    EXPECT_EQ(empty.raw_encoder(), nullptr);
    auto ticket = empty.read<std::byte>(buffer);
    EXPECT_TRUE(refused(ticket.wait(patience), {{Errc::invalid_argument, Errc::wrong_state}}));
    EXPECT_TRUE(
        refused(device().submit(std::move(empty)), {{Errc::invalid_argument, Errc::wrong_state}}));
}

TEST_F(Submit, K03_CommandsAndBuffersOfAnotherDeviceAreRefused) {
    Device other = open_device();
    const Buffer foreign = make_buffer(other, 16, copied, "foreign");
    const Buffer own = make_buffer(device(), 16, copied);
    auto commands = other.record("theirs");
    commands.clear(foreign);
    EXPECT_TRUE(refused(device().submit(std::move(commands)), invalid("", {"theirs"})));
    auto mixed = device().record();
    mixed.copy(foreign, own);
    EXPECT_TRUE(refused(device().submit(std::move(mixed)), invalid("K-03", {"foreign"})));
}

TEST_F(Submit, UsesMakesSubmitCheckABufferOfTheCallersPasses) {
    Buffer buffer = make_buffer(device(), 16, writable, "mine");
    auto commands = device().record();
    EXPECT_NE(commands.raw_encoder(), nullptr);
    commands.uses(buffer);
    auto mapping = must(buffer.map_write().wait(patience));
    EXPECT_TRUE(
        refused(device().submit(std::move(commands)), wrong_state("S-02", {"mine", "mapped"})));
}

TEST_F(Submit, S08_ARawCommandThatIsWrongIsAnErrorOfSubmitAndNothingRuns) {
    FERRY_NEEDS_RAW_ENGINE();
    const Buffer a = make_filled(device(), pattern(16, 1));
    const Buffer b = make_filled(device(), pattern(16, 2));
    auto copy = raw_engine().get<WGPUProcCommandEncoderCopyBufferToBuffer>(
        "wgpuCommandEncoderCopyBufferToBuffer");
    auto commands = device().record("raw");
    commands.copy(a, b);
    expect_invalid_calls(device(), 1);
    copy(commands.raw_encoder(), interop::raw(a), 2, interop::raw(b), 0, 4);
    auto ticket = commands.read<std::byte>(b);
    auto sent = device().submit(std::move(commands));
    EXPECT_TRUE(refused(sent, {{Errc::engine, Errc::invalid_argument}, "", {"raw"}}));
    EXPECT_TRUE(refused(ticket.wait(patience), {{Errc::engine, Errc::invalid_argument}}));
    EXPECT_EQ(bytes_of(b), pattern(16, 2));
}

TEST_F(Submit, ARawCommandOnTheEncoderRunsInOrderWithFerrysOwn) {
    FERRY_NEEDS_RAW_ENGINE();
    const Buffer a = make_filled(device(), pattern(16, 1));
    const Buffer b = make_filled(device(), pattern(16, 2));
    const Buffer c = make_buffer(device(), 16, copied);
    auto commands = device().record();
    commands.uses(b);
    commands.copy(a, b);
    raw_engine().get<WGPUProcCommandEncoderCopyBufferToBuffer>(
        "wgpuCommandEncoderCopyBufferToBuffer")(commands.raw_encoder(), interop::raw(b), 0,
                                                interop::raw(c), 0, 16);
    auto seen = commands.read<std::byte>(c);
    ASSERT_TRUE(ok(device().submit(std::move(commands))));
    EXPECT_EQ(must(seen.wait(patience)), pattern(16, 1));
}

} // namespace
} // namespace ferry::test
