// SPDX-License-Identifier: MIT
// How pools and their memory end: closed, dropped, outlived, lost, on other threads, in encoders of
// the program's own.
#include <array>
#include <thread>

#include "raw_engine.hpp"
#include "upload_fixture.hpp"

namespace ferry::test {
namespace {

class UploadEnd : public UploadTest {};

TEST_F(UploadEnd, AClosedPoolGivesNothingMoreAndWhatIsInHandIsStillCopied) {
    auto pool = make_pool();
    const Buffer target = make_buffer(device(), 64, copied);
    { auto free = must(pool.acquire<std::byte>(64)); }
    auto staged = must(pool.acquire<std::byte>(64));
    auto dropped = must(pool.acquire<std::byte>(64));
    EXPECT_TRUE(pool.is_open());
    pool.close();
    pool.close();
    EXPECT_FALSE(pool.is_open());
    EXPECT_TRUE(refused(pool.acquire<std::byte>(4), wrong_state({}, {"meshes", "closed"})));
    EXPECT_EQ(sums(pool).free_buffers, 0U);
    EXPECT_EQ(sums(pool).in_hand, 2U);
    fill(staged, pattern(64));
    dropped = {};
    auto commands = device().record();
    commands.copy(std::move(staged), target);
    must(device().submit(std::move(commands)));
    EXPECT_EQ(bytes_of(target), pattern(64));
    EXPECT_EQ(sums(pool).buffers, 0U);
    EXPECT_EQ(sums(pool).sent, 1U);
    EXPECT_EQ(sums(pool).dropped, 2U);
}

TEST_F(UploadEnd, A17_APoolThatIsClosedOrDroppedWithMapsPendingLeavesNothing) {
    for (bool dropped : {false, true}) {
        auto pool = make_pool();
        const Buffer target = make_buffer(device(), MiB, copied);
        auto commands = device().record();
        for (unsigned seed = 0; seed < 4; ++seed)
            commands.copy(stage(pool, pattern(MiB, seed)), target);
        must(device().submit(std::move(commands)));
        pool.close();
        EXPECT_EQ(sums(pool).buffers, 0U);
        if (dropped) pool = {};
        for (int turn = 0; turn < 10; ++turn) device().poll();
        EXPECT_TRUE(bytes_of(target) == pattern(MiB, 3));
        EXPECT_TRUE(device().take_uncaptured_errors().empty());
    }
}

TEST_F(UploadEnd, MemoryAndCommandsOutliveThePool) {
    const Buffer target = make_buffer(device(), 64, copied);
    Staging<std::byte> staged;
    auto commands = device().record();
    {
        auto pool = make_pool();
        commands.copy(stage(pool, pattern(32)), target);
        staged = stage(pool, pattern(32, 2));
    }
    EXPECT_EQ(staged.span().size(), 32U);
    commands.copy(std::move(staged), {target, {.offset_bytes = 32}});
    must(device().submit(std::move(commands)));
    EXPECT_EQ(part(bytes_of(target), 0, 32), pattern(32));
    EXPECT_EQ(part(bytes_of(target), 32, 32), pattern(32, 2));
}

TEST_F(UploadEnd, MovingAPoolKeepsItAndAssigningClosesTheOneBefore) {
    auto first = make_pool();
    auto staged = must(first.acquire<float>(4));
    auto second = std::move(first);
    EXPECT_FALSE(first.is_open());
    EXPECT_EQ(sums(second).in_hand, 1U);
    second = make_pool();
    EXPECT_EQ(sums(second).in_hand, 0U);
    EXPECT_EQ(staged.span().size(), 4U);
    staged = {};
}

TEST_F(UploadEnd, AThreadFillsTheMemoryAndEnds) {
    auto pool = make_pool();
    auto staged = must(pool.acquire<std::uint32_t>(1 << 16));
    std::vector<std::thread> threads;
    for (std::uint32_t quarter = 0; quarter < 4; ++quarter) {
        threads.emplace_back([span = staged.span(), quarter] {
            for (std::uint32_t i = 0; i < 1 << 14; ++i) span[(quarter << 14) + i] = i ^ quarter;
        });
    }
    // Meanwhile the pool is used, and its table grows.
    std::vector<Staging<float>> others;
    for (int i = 0; i < 40; ++i) others.push_back(must(pool.acquire<float>(4)));
    for (std::thread& each : threads) each.join();
    const Buffer target = make_buffer(device(), 4 << 16, copied);
    auto commands = device().record();
    commands.copy(std::move(staged), target);
    must(device().submit(std::move(commands)));
    const auto words = read_all<std::uint32_t>(device(), target);
    for (std::uint32_t i = 0; i < words.size(); ++i) ASSERT_EQ(words[i], (i & 0x3FFF) ^ (i >> 14));
}

TEST_F(UploadEnd, MemoryOfAnotherDeviceIsRefusedAndGoesBack) {
    Device other = open_device({.label = "other"});
    auto pool = must(UploadPool::create(other, {.label = "foreign"}));
    const Buffer target = make_buffer(device(), 64, copied);
    expect_command_refused(
        [&](Commands& commands) { commands.copy(stage(pool, pattern(64)), target); },
        invalid("K-03", {"foreign"}));
    EXPECT_EQ(sums(pool).dropped, 1U);
    const auto make = [](Device& device) {
        return must(device.create_texture(
            {.format = Format::r8_unorm, .size = {4, 4}, .usage = TextureUsage::copy_dst}));
    };
    const Texture theirs = make(other), ours = make(device());
    auto texels = must(pool.acquire(theirs));
    expect_command_refused([&](Commands& commands) { commands.copy(std::move(texels)); },
                           invalid("T-01"));
    EXPECT_TRUE(refused(pool.acquire(ours), invalid("T-01")));
    EXPECT_EQ(sums(pool).dropped, 2U);
    EXPECT_EQ(sums(pool).in_hand, 0U);
}

/// A pool of a device of its own, with memory in every state.
struct Busy {
    Device device = open_device({.label = "ends"});
    UploadPool pool = must(UploadPool::create(device));
    Buffer target = make_buffer(device, 64, Usage::copy_src | Usage::copy_dst);
    Texture texture = must(device.create_texture(
        {.format = Format::r8_unorm, .size = {8, 8}, .usage = TextureUsage::copy_dst}));
    Staging<std::byte> held = stage(pool, pattern(64));
    StagingTexels texels = must(pool.acquire(texture));
    Commands unsent = device.record("unsent");

    Busy() {
        { auto free = must(pool.acquire<std::byte>(64)); }
        upload(device, pool, pattern(64), target);
        unsent.copy(stage(pool, pattern(64)), target);
        EXPECT_EQ(sums(pool).in_hand, 2U);
        EXPECT_EQ(sums(pool).recorded, 1U);
        EXPECT_GE(sums(pool).buffers, 3U);
    }

    void expect_ended(const Refusal& wanted) {
        EXPECT_FALSE(pool.is_open());
        EXPECT_TRUE(refused(pool.acquire<float>(1), wanted));
        EXPECT_TRUE(refused(UploadPool::create(device), wanted));
        EXPECT_TRUE(held.span().empty());
        EXPECT_EQ(held.size(), 64U);
        EXPECT_FALSE(held.span().copy_from(pattern(64)));
        EXPECT_TRUE(texels.row(0).empty());
        EXPECT_TRUE(refused(texels.copy_from(pattern(64)), wrong_state({}, {"ended"})));
        unsent.copy(std::move(texels));
        EXPECT_TRUE(
            refused(device.submit(std::move(unsent)), {{wanted.codes[0], Errc::wrong_state}}));
        auto commands = device.record();
        commands.copy(std::move(held), target);
        EXPECT_FALSE(device.submit(std::move(commands)));
        EXPECT_EQ(sums(pool).in_hand + sums(pool).recorded, 0U);
        EXPECT_EQ(sums(pool).buffers, 0U);
        EXPECT_EQ(sums(pool).sent, 1U);
        for (int turn = 0; turn < 10; ++turn) device.poll();
    }
};

TEST(UploadLoss, AClosedDeviceEndsThePoolAndTheMemoryInHand) {
    Busy busy;
    busy.device.close();
    busy.expect_ended(wrong_state({}, {"closed"}));
}

TEST(UploadLoss, ALostDeviceEndsThePoolAndTheMemoryInHand) {
    FERRY_NEEDS_RAW_ENGINE();
    Busy busy;
    lose(busy.device);
    EXPECT_TRUE(poll_until(busy.device, [&] {
        (void)busy.device.submit(busy.device.record()); // some engines tell only when asked
        return busy.device.lost().has_value();
    }));
    busy.expect_ended({{Errc::device_lost}});
}

TEST(UploadLoss, EverythingMayBeDroppedInAnyOrderAfterTheDevice) {
    for (bool closed : {false, true}) {
        Busy busy;
        if (closed) busy.device.close();
        busy.device = {};
        busy.pool = {};
        EXPECT_EQ(busy.held.span().empty(), closed);
        busy.unsent = {};
        busy.texels = {};
        busy.held = {};
    }
}

/// An encoder of the program's own with one copy of a pool's memory in it.
class OwnEncoder {
public:
    OwnEncoder(Device& device, UploadPool& pool, const Buffer& target, unsigned seed)
        : queue_(interop::raw(device).queue),
          encoder_(raw_engine().get<WGPUProcDeviceCreateCommandEncoder>(
              "wgpuDeviceCreateCommandEncoder")(interop::raw(device).device, nullptr)),
          commands(must(interop::record_into(device, encoder_, "mine"))) {
        commands.copy(stage(pool, pattern(64, seed)), target);
        finished = raw_engine().get<WGPUProcCommandEncoderFinish>("wgpuCommandEncoderFinish")(
            encoder_, nullptr);
    }
    OwnEncoder(const OwnEncoder&) = delete;
    OwnEncoder& operator=(const OwnEncoder&) = delete;
    ~OwnEncoder() {
        raw_engine().get<WGPUProcCommandEncoderRelease>("wgpuCommandEncoderRelease")(encoder_);
        raw_engine().get<WGPUProcCommandBufferRelease>("wgpuCommandBufferRelease")(finished);
    }
    void submit_raw() {
        raw_engine().get<WGPUProcQueueSubmit>("wgpuQueueSubmit")(queue_, 1, &finished);
    }

private:
    WGPUQueue queue_;
    WGPUCommandEncoder encoder_;

public:
    Commands commands;
    WGPUCommandBuffer finished = nullptr;
};

TEST_F(UploadEnd, InEncodersOfTheProgramsOwn) {
    FERRY_NEEDS_RAW_ENGINE();
    for (std::uint64_t cap : {MiB, std::uint64_t{1}}) { // mapped memory, and queue writes
        auto pool = make_pool({.cap_bytes = cap});
        const Buffer target = make_buffer(device(), 64, copied);
        {
            OwnEncoder own(device(), pool, target, 1);
            const std::array all{own.finished};
            EXPECT_TRUE(ok(interop::submit(device(), all, std::move(own.commands))));
            EXPECT_EQ(sums(pool).sent, 1U);
            EXPECT_EQ(bytes_of(target), pattern(64, 1));
        }
        {
            OwnEncoder own(device(), pool, target, 2);
            own.submit_raw();
            EXPECT_TRUE(ok(interop::submitted(device(), std::move(own.commands))));
            EXPECT_EQ(sums(pool).sent, 2U);
            EXPECT_EQ(bytes_of(target), pattern(64, 2));
        }
        EXPECT_TRUE(all_come_back(device(), pool));
        // Dropped, and sent all the same: its memory is nobody else's until then.
        OwnEncoder own(device(), pool, target, 3);
        own.commands = {};
        EXPECT_EQ(sums(pool).dropped, 1U);
        for (unsigned seed = 4; seed < 8; ++seed) upload(device(), pool, pattern(64, seed), target);
        EXPECT_EQ(bytes_of(target), pattern(64, 7));
        own.submit_raw();
        EXPECT_EQ(bytes_of(target), pattern(64, 3));
    }
}

} // namespace
} // namespace ferry::test
