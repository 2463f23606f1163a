// SPDX-License-Identifier: MIT
// What a pool does at its cap and over it, and what it keeps.
#include "upload_fixture.hpp"

namespace ferry::test {
namespace {

const Refusal is_busy{{Errc::busy}, {}, {"meshes"}};

class UploadCap : public UploadTest {
protected:
    /// Takes memory and gives none back, until it is refused; answers what was got.
    static std::vector<Staging<std::byte>> take_all(UploadPool& pool, std::size_t size,
                                                    Result<>& end) {
        std::vector<Staging<std::byte>> held;
        for (int turn = 0; turn < 10'000; ++turn) {
            auto staged = pool.acquire<std::byte>(size);
            sums(pool);
            if (!staged) {
                end = std::unexpected(std::move(staged).error());
                return held;
            }
            held.push_back(*std::move(staged));
        }
        return held;
    }
    /// Each span has bytes of its own that reach the GPU.
    static void expect_all_arrive(std::vector<Staging<std::byte>>& held) {
        const std::size_t size = held.at(0).size();
        const Buffer target = make_buffer(device(), size * held.size(), copied);
        auto commands = device().record();
        std::vector<std::byte> expected;
        for (std::size_t i = 0; i < held.size(); ++i) {
            const auto data = pattern(size, static_cast<unsigned>(i));
            fill(held[i], data);
            commands.copy(std::move(held[i]), {target, {.offset_bytes = i * size}});
            expected.insert(expected.end(), data.begin(), data.end());
        }
        must(device().submit(std::move(commands)));
        EXPECT_TRUE(bytes_of(target) == expected);
    }
};

TEST_F(UploadCap, AcquiringForEverEndsWithBusyAtTheCap) {
    auto pool = make_pool({.cap_bytes = MiB, .when_full = PoolPolicy::refuse});
    Result<> end;
    auto held = take_all(pool, 64 * KiB, end);
    EXPECT_TRUE(refused(end, is_busy));
    EXPECT_TRUE(names_number(end.error(), MiB)) << to_string(end.error());
    EXPECT_TRUE(names_number(end.error(), 64 * KiB)) << to_string(end.error());
    EXPECT_EQ(held.size(), 16U);
    EXPECT_EQ(sums(pool).bytes, MiB);
    EXPECT_EQ(sums(pool).peak_bytes, MiB);
    EXPECT_EQ(sums(pool).host_bytes, 0U);
    EXPECT_EQ(sums(pool).refused, 1U);
    expect_all_arrive(held);
    EXPECT_TRUE(all_come_back(device(), pool));
    EXPECT_TRUE(ok(pool.acquire<std::byte>(64 * KiB))) << "it goes on";
}

TEST_F(UploadCap, WithQueueWritesItEndsWithBusyAtTwiceTheCap) {
    auto pool = make_pool({.cap_bytes = MiB});
    Result<> end;
    auto held = take_all(pool, 64 * KiB, end);
    EXPECT_TRUE(refused(end, is_busy));
    ASSERT_EQ(held.size(), 32U);
    EXPECT_EQ(held[15].way(), StagingWay::made);
    EXPECT_EQ(held[16].way(), StagingWay::queue_write);
    EXPECT_EQ(sums(pool).bytes, MiB);
    EXPECT_EQ(sums(pool).host_bytes, MiB);
    EXPECT_EQ(sums(pool).queue_writes, 16U);
    EXPECT_EQ(sums(pool).buffers, 16U);
    expect_all_arrive(held);
    EXPECT_TRUE(all_come_back(device(), pool));
    EXPECT_EQ(sums(pool).host_bytes, 0U);
    EXPECT_EQ(sums(pool).free_buffers, 16U);
}

TEST_F(UploadCap, RecordedAndNotSubmittedForEverEndsWithBusyToo) {
    for (PoolPolicy policy : {PoolPolicy::refuse, PoolPolicy::queue_write}) {
        auto pool = make_pool({.cap_bytes = MiB, .when_full = policy});
        const Buffer target = make_buffer(device(), 64 * KiB, copied);
        auto commands = device().record();
        Result<Staging<std::byte>> staged;
        int copies = 0;
        for (; copies < 1000 && (staged = pool.acquire<std::byte>(64 * KiB)); ++copies)
            commands.copy(*std::move(staged), target);
        ASSERT_TRUE(refused(staged, is_busy));
        EXPECT_TRUE(names(staged.error(), "not submitted"));
        EXPECT_EQ(copies, policy == PoolPolicy::refuse ? 16 : 32);
        EXPECT_EQ(sums(pool).recorded, static_cast<std::uint64_t>(copies));
        must(device().submit(std::move(commands)));
        EXPECT_TRUE(all_come_back(device(), pool));
        EXPECT_TRUE(ok(pool.acquire<std::byte>(64 * KiB)));
    }
}

TEST_F(UploadCap, APoolOfOneByteWritesThroughTheQueueOrRefuses) {
    auto pool = make_pool({.cap_bytes = 1});
    const Buffer target = make_buffer(device(), 162, copied);
    for (unsigned seed = 0; seed < 5; ++seed) {
        upload(device(), pool, pattern(162, seed), target);
        EXPECT_EQ(bytes_of(target), pattern(162, seed));
    }
    EXPECT_EQ(sums(pool).queue_writes, 5U);
    EXPECT_EQ(sums(pool).peak_bytes, 0U);
    auto strict = make_pool({.cap_bytes = 1, .when_full = PoolPolicy::refuse});
    EXPECT_TRUE(refused(strict.acquire<std::byte>(162), over_limit({}, {162, 1})));
    EXPECT_EQ(sums(strict).refused, 1U);
}

TEST_F(UploadCap, OneRequestOverTheCap) {
    auto strict = make_pool({.cap_bytes = MiB, .when_full = PoolPolicy::refuse});
    EXPECT_TRUE(refused(strict.acquire<std::byte>(MiB + 4), over_limit({}, {MiB + 4, MiB})));
    auto pool = make_pool({.cap_bytes = MiB});
    const Buffer target = make_buffer(device(), MiB + 4, copied);
    auto staged = stage(pool, pattern(MiB + 4));
    EXPECT_EQ(staged.way(), StagingWay::queue_write);
    EXPECT_TRUE(refused(pool.acquire<std::byte>(MiB + 4), is_busy)) << "one at a time";
    auto commands = device().record();
    commands.copy(std::move(staged), target);
    must(device().submit(std::move(commands)));
    EXPECT_TRUE(bytes_of(target) == pattern(MiB + 4));
    EXPECT_EQ(sums(pool).bytes, 0U);
}

TEST_F(UploadCap, MoreThanHalfTheCapIsUsedOnceAndNotKept) {
    auto pool = make_pool({.cap_bytes = MiB});
    const Buffer target = make_buffer(device(), 600 * KiB, copied);
    for (unsigned seed = 0; seed < 3; ++seed) {
        auto staged = stage(pool, pattern(600 * KiB, seed));
        EXPECT_EQ(staged.way(), StagingWay::one_use);
        EXPECT_EQ(sums(pool).bytes, 600 * KiB);
        auto commands = device().record();
        commands.copy(std::move(staged), target);
        must(device().submit(std::move(commands)));
        EXPECT_EQ(sums(pool).bytes, 0U);
        EXPECT_TRUE(bytes_of(target) == pattern(600 * KiB, seed));
    }
    { auto dropped = must(pool.acquire<std::byte>(600 * KiB)); }
    EXPECT_EQ(sums(pool).bytes, 0U);
    EXPECT_EQ(sums(pool).one_use, 4U);
    EXPECT_EQ(sums(pool).made + sums(pool).reused, 0U);
}

TEST_F(UploadCap, ASmallPoolKeepsSmallBuffers) {
    auto pool = make_pool({.cap_bytes = 20 * KiB, .floor_bytes = 20 * KiB});
    const Buffer target = make_buffer(device(), 400, copied);
    for (unsigned seed = 0; seed < 20; ++seed) {
        upload(device(), pool, pattern(400, seed), target);
        EXPECT_EQ(bytes_of(target), pattern(400, seed));
        EXPECT_TRUE(all_come_back(device(), pool));
    }
    EXPECT_EQ(sums(pool).made, 1U);
    EXPECT_EQ(sums(pool).reused, 19U);
}

TEST_F(UploadCap, RoomForALargeRequestIsMadeFromFreeBuffers) {
    auto pool = make_pool({.cap_bytes = MiB, .floor_bytes = MiB, .when_full = PoolPolicy::refuse});
    {
        Result<> end;
        auto held = take_all(pool, 64 * KiB, end);
        EXPECT_EQ(held.size(), 16U);
        EXPECT_TRUE(refused(pool.acquire<std::byte>(512 * KiB), is_busy));
    }
    EXPECT_EQ(sums(pool).free_buffers, 16U);
    auto large = must(pool.acquire<std::byte>(512 * KiB));
    EXPECT_EQ(large.way(), StagingWay::made);
    EXPECT_EQ(sums(pool).bytes, MiB);
    EXPECT_EQ(sums(pool).free_buffers, 8U);
    EXPECT_EQ(sums(pool).peak_bytes, MiB);
}

TEST_F(UploadCap, ASmallRequestDoesNotTakeALargeBuffer) {
    auto pool = make_pool();
    { auto large = must(pool.acquire<std::byte>(4 * MiB)); }
    auto small = must(pool.acquire<std::byte>(MiB));
    EXPECT_EQ(small.way(), StagingWay::made) << "three quarters would be wasted";
    auto half = must(pool.acquire<std::byte>(2 * MiB + 4));
    EXPECT_EQ(half.way(), StagingWay::reused);
    EXPECT_EQ(half.size(), 2 * MiB + 4);
    const Buffer target = make_buffer(device(), 2 * MiB + 4, copied);
    fill(half, pattern(2 * MiB + 4));
    auto commands = device().record();
    commands.copy(std::move(half), target);
    must(device().submit(std::move(commands)));
    EXPECT_TRUE(bytes_of(target) == pattern(2 * MiB + 4));
}

TEST_F(UploadCap, TrimLeavesTheFloorAndWhatIsInUse) {
    auto pool = make_pool({.floor_bytes = 128 * KiB});
    auto kept = must(pool.acquire<std::byte>(64 * KiB));
    {
        std::vector<Staging<std::byte>> held;
        for (int i = 0; i < 10; ++i) held.push_back(must(pool.acquire<std::byte>(64 * KiB)));
    }
    EXPECT_EQ(sums(pool).buffers, 11U);
    pool.trim();
    EXPECT_EQ(sums(pool).bytes, 128 * KiB);
    EXPECT_EQ(sums(pool).buffers, 2U);
    EXPECT_EQ(sums(pool).trimmed, 9U);
    EXPECT_EQ(sums(pool).in_hand, 1U);
    pool.trim();
    EXPECT_EQ(sums(pool).buffers, 2U);
}

TEST_F(UploadCap, SizesNear2To64AreRefused) {
    auto pool = make_pool();
    const std::size_t most = ~std::size_t{0};
    EXPECT_TRUE(refused(pool.acquire<std::uint64_t>(most / 8 + 1), over_limit()));
    EXPECT_TRUE(refused(pool.acquire<std::uint64_t>(most), over_limit()));
    EXPECT_TRUE(refused(pool.acquire<std::uint64_t>(most / 8), over_limit("B-07")));
    EXPECT_TRUE(refused(pool.acquire<std::byte>(most), over_limit("B-07")));
    const std::uint64_t limit = device().limits().max_buffer_size_bytes;
    EXPECT_TRUE(
        refused(pool.acquire<std::byte>(limit + 1), over_limit("B-07", {limit + 1, limit})));
    EXPECT_EQ(sums(pool).requested, 5U);
    EXPECT_EQ(sums(pool).refused, 5U);
    EXPECT_EQ(sums(pool).buffers, 0U);
}

TEST_F(UploadCap, TexelsTakeABufferForEachBandOrNone) {
    const Texture texture = must(device().create_texture(
        {.format = Format::rgba8_unorm, .size = {1024, 1024, 4}, .usage = TextureUsage::copy_dst}));
    auto pool = make_pool({.cap_bytes = 16 * MiB, .when_full = PoolPolicy::refuse});
    auto held = must(pool.acquire<std::byte>(4 * MiB));
    EXPECT_TRUE(refused(pool.acquire(texture), is_busy));
    EXPECT_EQ(sums(pool).in_hand, 1U) << "the bands before went back";
    EXPECT_EQ(sums(pool).requested, 5U);
    EXPECT_EQ(sums(pool).dropped, 3U);
    held = {};
    EXPECT_TRUE(ok(pool.acquire(texture)));
    EXPECT_EQ(sums(pool).reused, 4U);
}

/// It could never be served, so that to try again would be no advice.
TEST_F(UploadCap, TexelsOverTheCapAreRefusedForGood) {
    const Texture texture = must(device().create_texture(
        {.format = Format::rgba8_unorm, .size = {1024, 1024, 4}, .usage = TextureUsage::copy_dst}));
    auto refusing = make_pool({.cap_bytes = 12 * MiB, .when_full = PoolPolicy::refuse});
    EXPECT_TRUE(refused(refusing.acquire(texture), over_limit({}, {4, 4 * MiB, 12 * MiB})));
    EXPECT_TRUE(ok(refusing.acquire(texture, {1024, 1024, 3})));
    auto writing = make_pool({.cap_bytes = 7 * MiB});
    EXPECT_TRUE(refused(writing.acquire(texture), over_limit({}, {4, 4 * MiB, 7 * MiB})));
    EXPECT_TRUE(ok(writing.acquire(texture, {1024, 1024, 2})));
}

/// Commands that were not submitted hold all of the device's slots, and nobody else could submit
/// them.
TEST_F(UploadCap, AnUploadGoesOnBesideCommandsThatHoldTheSlots) {
    const std::vector<std::byte> much(64 * MiB), some(9 * MiB, std::byte{7});
    const Buffer first = make_buffer(device(), much.size(), Usage::copy_dst);
    const Buffer second = make_buffer(device(), some.size(), Usage::copy_src | Usage::copy_dst);
    auto commands = device().record();
    commands.write(first, much);
    EXPECT_EQ(must(upload(device(), some, second)).bytes, some.size());
    must(device().submit(std::move(commands)));
    EXPECT_EQ(read_all(device(), second), some);
}

} // namespace
} // namespace ferry::test
