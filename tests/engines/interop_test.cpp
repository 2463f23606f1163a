// SPDX-License-Identifier: MIT
// Raw handles: a device, buffers and encoders of the program's own.
#include <array>
#include <thread>

#include "raw_engine.hpp"

namespace ferry::test {
namespace {

constexpr Usage copied = Usage::copy_src | Usage::copy_dst;

/// Command encoders of the program's own.
WGPUCommandEncoder make_encoder(WGPUDevice device) {
    return raw_engine().get<WGPUProcDeviceCreateCommandEncoder>("wgpuDeviceCreateCommandEncoder")(
        device, nullptr);
}
WGPUCommandBuffer finish(WGPUCommandEncoder encoder) {
    auto buffer = raw_engine().get<WGPUProcCommandEncoderFinish>("wgpuCommandEncoderFinish")(
        encoder, nullptr);
    raw_engine().get<WGPUProcCommandEncoderRelease>("wgpuCommandEncoderRelease")(encoder);
    return buffer;
}
void submit_raw(WGPUQueue queue, WGPUCommandBuffer buffer) {
    raw_engine().get<WGPUProcQueueSubmit>("wgpuQueueSubmit")(queue, 1, &buffer);
}
void release(WGPUCommandBuffer buffer) {
    raw_engine().get<WGPUProcCommandBufferRelease>("wgpuCommandBufferRelease")(buffer);
}

class Interop : public SharedDevice {
protected:
    void SetUp() override { FERRY_NEEDS_RAW_ENGINE(); }
    static interop::RawDevice raw() { return interop::raw(device()); }
};

TEST_F(Interop, SubmitOfTheCallersCommandBufferDeliversItsReads) {
    const Buffer buffer = make_filled(device(), pattern(64));
    WGPUCommandEncoder encoder = make_encoder(raw().device);
    auto commands = must(interop::record_into(device(), encoder, "mine"));
    auto ticket = commands.read<std::byte>({buffer, {10, 6}});
    WGPUCommandBuffer finished = finish(encoder);
    const std::array<WGPUCommandBuffer, 1> all{finished};
    EXPECT_TRUE(ok(interop::submit(device(), all, std::move(commands))));
    release(finished);
    EXPECT_EQ(must(ticket.wait(patience)), part(pattern(64), 10, 6));
}

TEST_F(Interop, SubmittedDeliversTheReadsOfWorkThatWasSent) {
    const Buffer buffer = make_filled(device(), pattern(64));
    must(device().done().wait(patience));
    WGPUCommandEncoder encoder = make_encoder(raw().device);
    auto commands = must(interop::record_into(device(), encoder));
    auto first = commands.read<std::byte>(buffer);
    auto second = commands.read<std::uint32_t>({buffer, {4, 4}});
    WGPUCommandBuffer finished = finish(encoder);
    submit_raw(raw().queue, finished);
    release(finished);
    EXPECT_TRUE(ok(interop::submitted(device(), std::move(commands))));
    EXPECT_EQ(must(first.wait(patience)), pattern(64));
    EXPECT_EQ(must(second.wait(patience)).size(), 1U);
}

TEST_F(Interop, SubmittedForWorkThatWasNeverSentIsNotSubmittedAndNeverOldBytes) {
    const Buffer buffer = make_filled(device(), pattern(64));
    // Staging memory with old bytes in it, which must not be taken for the result.
    for (int turn = 0; turn < 3; ++turn) EXPECT_EQ(bytes_of(buffer), pattern(64));
    for (int turn = 0; turn < 3; ++turn) {
        WGPUCommandEncoder encoder = make_encoder(raw().device);
        auto commands = must(interop::record_into(device(), encoder));
        auto ticket = commands.read<std::byte>(buffer);
        WGPUCommandBuffer finished = finish(encoder);
        EXPECT_TRUE(ok(interop::submitted(device(), std::move(commands))));
        EXPECT_TRUE(refused(ticket.wait(patience), {{Errc::not_submitted}}));
        release(finished);
    }
    EXPECT_EQ(bytes_of(buffer), pattern(64));
}

TEST_F(Interop, SentTwiceInTurnDeliversEachTimeItsOwnBytes) {
    const Buffer buffer = make_filled(device(), pattern(64, 0));
    for (unsigned turn = 1; turn <= 5; ++turn) {
        must(device().write(buffer, pattern(64, turn)));
        must(device().submit(device().record()));
        WGPUCommandEncoder encoder = make_encoder(raw().device);
        auto commands = must(interop::record_into(device(), encoder));
        auto ticket = commands.read<std::byte>(buffer);
        WGPUCommandBuffer finished = finish(encoder);
        submit_raw(raw().queue, finished);
        release(finished);
        must(interop::submitted(device(), std::move(commands)));
        EXPECT_EQ(must(ticket.wait(patience)), pattern(64, turn));
    }
}

TEST_F(Interop, DroppedCommandsOnTheCallersEncoderCancelTheirReads) {
    const Buffer buffer = make_filled(device(), pattern(64));
    WGPUCommandEncoder encoder = make_encoder(raw().device);
    Ticket<std::vector<std::byte>> ticket;
    {
        auto commands = must(interop::record_into(device(), encoder));
        ticket = commands.read<std::byte>(buffer);
    }
    EXPECT_TRUE(refused(ticket.wait(patience), {{Errc::cancelled}}));
    // The caller may still send it: its memory must not have been given to anybody else meanwhile.
    auto other = device().read<std::byte>({buffer, {0, 8}});
    WGPUCommandBuffer finished = finish(encoder);
    submit_raw(raw().queue, finished);
    release(finished);
    EXPECT_EQ(must(other.wait(patience)), part(pattern(64), 0, 8));
}

TEST_F(Interop, AFaultyRecordingIsRefusedByInteropSubmitToo) {
    const Buffer buffer = make_filled(device(), pattern(64));
    WGPUCommandEncoder encoder = make_encoder(raw().device);
    auto commands = must(interop::record_into(device(), encoder));
    commands.clear({buffer, {2, 4}});
    WGPUCommandBuffer finished = finish(encoder);
    const std::array<WGPUCommandBuffer, 1> all{finished};
    EXPECT_TRUE(refused(interop::submit(device(), all, std::move(commands)), invalid("K-10")));
    release(finished);
    EXPECT_EQ(bytes_of(buffer), pattern(64));
}

TEST_F(Interop, AMappedBufferIsRefusedByInteropSubmitToo) {
    auto made =
        must(device().create_mapped_buffer({.usage = copied, .size_bytes = 16, .label = "fresh"}));
    WGPUCommandEncoder encoder = make_encoder(raw().device);
    auto commands = must(interop::record_into(device(), encoder));
    commands.clear(made.buffer);
    WGPUCommandBuffer finished = finish(encoder);
    const std::array<WGPUCommandBuffer, 1> all{finished};
    EXPECT_TRUE(refused(interop::submit(device(), all, std::move(commands)),
                        wrong_state("S-02", {"fresh"})));
    release(finished);
}

TEST_F(Interop, NullHandlesAreRefused) {
    EXPECT_TRUE(refused(interop::record_into(device(), nullptr), invalid()));
    EXPECT_TRUE(refused(interop::adopt(device(), static_cast<WGPUBuffer>(nullptr)), invalid()));
    const interop::RawDevice whole = raw();
    interop::RawDevice broken = whole;
    broken.instance = nullptr;
    EXPECT_TRUE(refused(interop::adopt(engine(), broken), invalid()));
    broken = whole;
    broken.device = nullptr;
    EXPECT_TRUE(refused(interop::adopt(engine(), broken), invalid()));
    broken = whole;
    broken.queue = nullptr;
    EXPECT_TRUE(refused(interop::adopt(engine(), broken), invalid()));
}

TEST_F(Interop, AnAdoptedBufferHasTheEnginesSizeAndUsage) {
    FERRY_NEEDS_RAW_ENGINE();
    WGPUBufferDescriptor descriptor = WGPU_BUFFER_DESCRIPTOR_INIT;
    descriptor.usage = static_cast<WGPUBufferUsage>(copied);
    descriptor.size = 16;
    WGPUBuffer own = raw_engine().get<WGPUProcDeviceCreateBuffer>("wgpuDeviceCreateBuffer")(
        interop::raw(device()).device, &descriptor);
    const Buffer adopted = must(interop::adopt(device(), own, "adopted"));
    raw_engine().get<WGPUProcBufferRelease>("wgpuBufferRelease")(own);
    EXPECT_EQ(adopted.size_bytes(), 16U);
    EXPECT_EQ(adopted.usage(), copied);
    EXPECT_EQ(adopted.label(), "adopted");
    EXPECT_EQ(adopted.map_state(), MapState::unmapped);
    ASSERT_TRUE(ok(device().write(adopted, pattern(16, 5))));
    EXPECT_EQ(bytes_of(adopted), pattern(16, 5));
}

TEST_F(Interop, AHandleThatFerryKnowsIsAdoptedAsTheSameBuffer) {
    Buffer own = make_filled(device(), pattern(16), copied);
    const Buffer same = must(interop::adopt(device(), interop::raw(own), "adopted"));
    EXPECT_EQ(same.label(), own.label());
    own.destroy();
    EXPECT_EQ(same.map_state(), MapState::destroyed);
    Commands commands = device().record();
    commands.clear(same);
    EXPECT_TRUE(refused(device().submit(std::move(commands)), {{Errc::wrong_state}, "S-02"}));
}

TEST(Adopt, ADeviceOfTheProgramsOwnMovesBytesAndItsCallbacksStay) {
    FERRY_NEEDS_RAW_ENGINE();
    RawDevice own;
    {
        Device device = must(interop::adopt(engine(), own.handles(), "adopted"));
        const Buffer buffer = make_filled(device, pattern(18));
        EXPECT_EQ(read_all(device, buffer), pattern(18));
        EXPECT_EQ(device.limits().max_buffer_size_bytes, 268'435'456U);
        Buffer mappable = make_filled(device, pattern(16), Usage::map_read);
        auto mapping = must(mappable.map_read().wait(patience));
        EXPECT_EQ(must(must(mapping.as<std::byte>()).copy()), pattern(16));
        EXPECT_TRUE(refused(device.create_buffer({.usage = Usage::none, .size_bytes = 4}),
                            invalid("B-04")));
    }
    EXPECT_EQ(own.errors(), 0);
    // The handles are still the program's: a second ferry device works on them.
    Device again = must(interop::adopt(engine(), own.handles()));
    EXPECT_EQ(read_all(again, make_filled(again, pattern(5))), pattern(5));
}

TEST(Adopt, ALossThatNobodyTellsIsFoundBeforeASubmitAndBeforeADelivery) {
    FERRY_NEEDS_RAW_ENGINE();
    RawDevice own;
    Device device = must(interop::adopt(engine(), own.handles()));
    const Buffer buffer = make_buffer(device, 16, copied);
    Buffer target = make_filled(device, pattern(16), Usage::map_read);
    auto map = target.map_read();
    auto commands = device.record();
    commands.clear(buffer);
    lose(device);
    EXPECT_TRUE(refused(device.submit(std::move(commands)), {{Errc::device_lost}}));
    EXPECT_TRUE(refused(map.wait(patience), {{Errc::device_lost}}));
    EXPECT_TRUE(device.lost().has_value());
}

TEST(Adopt, NotifyLostMayComeFromAnotherThread) {
    FERRY_NEEDS_RAW_ENGINE();
    RawDevice own;
    Device device = must(interop::adopt(engine(), own.handles()));
    Buffer target = make_filled(device, pattern(16), Usage::map_read);
    auto map = target.map_read();
    std::thread([&] { interop::notify_lost(device, "told by a thread"); }).join();
    EXPECT_TRUE(refused(map.wait(patience), {{Errc::device_lost}, "", {"told by a thread"}}));
}

TEST(Adopt, RawHandlesOfAnEmptyDeviceAndBufferAreNull) {
    EXPECT_EQ(interop::raw(Device{}).device, nullptr);
    EXPECT_EQ(interop::raw(Buffer{}), nullptr);
    EXPECT_TRUE(refused(interop::record_into(Device{}, nullptr),
                        {{Errc::invalid_argument, Errc::wrong_state}}));
}

TEST(Uncaptured, AnErrorOfARawCallIsKeptWithTheEnginesWords) {
    FERRY_NEEDS_RAW_ENGINE();
    Device device = open_device();
    expect_invalid_calls(device, 1);
    WGPUBufferDescriptor wrong = WGPU_BUFFER_DESCRIPTOR_INIT;
    wrong.usage = WGPUBufferUsage_MapRead | WGPUBufferUsage_Storage;
    wrong.size = 16;
    WGPUBuffer made = raw_engine().get<WGPUProcDeviceCreateBuffer>("wgpuDeviceCreateBuffer")(
        interop::raw(device).device, &wrong);
    std::vector<Error> errors;
    EXPECT_TRUE(
        poll_until(device, [&] { return !(errors = device.take_uncaptured_errors()).empty(); }));
    ASSERT_EQ(errors.size(), 1U);
    EXPECT_EQ(errors[0].code, Errc::engine);
    EXPECT_FALSE(to_string(errors[0]).empty());
    EXPECT_TRUE(device.take_uncaptured_errors().empty());
    raw_engine().get<WGPUProcBufferRelease>("wgpuBufferRelease")(made);
}

} // namespace
} // namespace ferry::test
