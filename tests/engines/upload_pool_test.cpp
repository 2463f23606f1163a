// SPDX-License-Identifier: MIT
// UploadPool on every engine: bytes arrive, buffers come back, and what is refused.
#include <array>

#include "upload_fixture.hpp"

namespace ferry::test {
namespace {

class Upload : public UploadTest {};

TEST_F(Upload, BytesOfAnySizeArrive) {
    auto pool = make_pool();
    for (std::size_t size : {1U, 3U, 4U, 162U, 16U << 10, (1U << 20) + 4}) {
        SCOPED_TRACE(size);
        const Buffer target = make_buffer(device(), size, copied);
        upload(device(), pool, pattern(size), target);
        EXPECT_EQ(bytes_of(target), pattern(size));
    }
    EXPECT_EQ(sums(pool).bytes_sent, 1U + 3 + 4 + 162 + (16 << 10) + (1 << 20) + 4);
    EXPECT_EQ(sums(pool).sent, 6U);
}

TEST_F(Upload, NothingIsUploadedWithoutACommand) {
    auto pool = make_pool();
    const Buffer target = make_filled(device(), pattern(16));
    auto staged = must(pool.acquire<std::uint32_t>(0));
    EXPECT_EQ(staged.size(), 0U);
    EXPECT_TRUE(staged.span().empty());
    EXPECT_TRUE(ok(staged.span().copy_from({})));
    auto commands = device().record();
    commands.copy(std::move(staged), {target, {.offset_bytes = 16}});
    EXPECT_EQ(sums(pool).dropped, 1U);
    must(device().submit(std::move(commands)));
    EXPECT_EQ(bytes_of(target), pattern(16));
    EXPECT_EQ(sums(pool).sent, 0U);
}

struct Vertex {
    std::array<float, 3> place;
    std::uint32_t color;
    bool operator==(const Vertex&) const = default;
};

TEST_F(Upload, ElementsAreWrittenOneByOneByAlgorithmsAndByAddress) {
    auto pool = make_pool();
    auto staged = must(pool.acquire<Vertex>(8));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(staged.span().raw()) % 16, 0U);
    EXPECT_EQ(staged.span().size_bytes(), 8 * sizeof(Vertex));
    const auto vertex = [](std::uint32_t i) {
        return Vertex{{static_cast<float>(i), 2, 3}, i * 7};
    };
    const auto span = staged.span();
    span[0] = vertex(0);
    std::fill(span.begin(), span.end(), vertex(9));
    const std::array some{vertex(1), vertex(2)};
    auto end = std::ranges::copy(some, span.begin()).out;
    *end++ = vertex(3);
    EXPECT_TRUE(ok(span.copy_from(std::array{vertex(4), vertex(5)}, 6)));
    EXPECT_TRUE(refused(span.copy_from(some, 7), invalid()));
    EXPECT_TRUE(refused(span.copy_from(some, 9), invalid()));
    span.raw()[5] = vertex(6);
    const Buffer target = make_buffer(device(), 8 * sizeof(Vertex), copied);
    auto commands = device().record();
    commands.copy(std::move(staged), target);
    must(device().submit(std::move(commands)));
    EXPECT_EQ(read_all<Vertex>(device(), target),
              (std::vector{vertex(1), vertex(2), vertex(3), vertex(9), vertex(9), vertex(6),
                           vertex(4), vertex(5)}));
}

TEST_F(Upload, ARangeIsFilledAndTheRestKeepsItsBytes) {
    auto pool = make_pool();
    const Buffer target = make_filled(device(), pattern(66));
    upload(device(), pool, pattern(8, 3), {target, {.offset_bytes = 12}});
    upload(device(), pool, pattern(4, 4), {target, {24, 4}});
    upload(device(), pool, pattern(6, 5), {target, {.offset_bytes = 60}}); // to the visible end
    auto expected = pattern(66);
    std::ranges::copy(pattern(8, 3), expected.begin() + 12);
    std::ranges::copy(pattern(4, 4), expected.begin() + 24);
    std::ranges::copy(pattern(6, 5), expected.begin() + 60);
    EXPECT_EQ(bytes_of(target), expected);
}

TEST_F(Upload, WrongRangesAreRefusedAndTheMemoryGoesBack) {
    auto pool = make_pool();
    const Buffer target = make_buffer(device(), 66, copied, "mesh");
    const Buffer source = make_buffer(device(), 64, Usage::copy_src, "source");
    const struct {
        std::size_t bytes;
        BufferView target;
        Refusal wanted;
    } cases[] = {
        {4, {target, {.offset_bytes = 2}}, invalid("K-04", {"mesh"}, {2})},
        {4, {target, {.offset_bytes = 64}}, invalid({}, {"mesh"}, {64, 66})},
        {4, {target, {.offset_bytes = 68}}, invalid({}, {"mesh"}, {68, 66})},
        {4, {target, {.offset_bytes = ~std::uint64_t{3}}}, invalid({}, {"mesh"})},
        {68, target, invalid({}, {"mesh"}, {68, 66})},
        {6, target, invalid("K-04", {"mesh"}, {6})},
        {8, {target, {0, 4}}, invalid("K-02", {}, {8, 4})},
        {4, source, invalid("K-03", {"source", "copy_dst"})},
        {4, Buffer(), invalid()},
    };
    std::uint64_t dropped = 0;
    for (const auto& each : cases) {
        SCOPED_TRACE(testing::Message() << each.bytes << " bytes, case " << dropped);
        expect_command_refused(
            [&](Commands& commands) {
                commands.copy(stage(pool, pattern(each.bytes)), each.target);
            },
            each.wanted);
        EXPECT_EQ(sums(pool).dropped, ++dropped);
        EXPECT_EQ(sums(pool).in_hand + sums(pool).recorded, 0U);
    }
    EXPECT_EQ(sums(pool).sent, 0U);
    EXPECT_EQ(sums(pool).made, 1U) << "it is free again at once";
}

TEST_F(Upload, HundredsOfFramesReuseTheBuffersOfTheFirst) {
    auto pool = make_pool();
    const Buffer target = make_buffer(device(), 48 * KiB, copied);
    std::vector<Ticket<Submission>> in_flight;
    for (unsigned frame = 0; frame < 600; ++frame) {
        if (in_flight.size() == 3) {
            must(in_flight.front().wait(patience));
            in_flight.erase(in_flight.begin());
        }
        auto commands = device().record("frame");
        for (std::uint64_t part = 0; part < 3; ++part) {
            auto staged = must(pool.acquire<std::uint32_t>(4 * KiB));
            std::fill(staged.span().begin(), staged.span().end(), frame * 3 + part);
            commands.copy(std::move(staged), {target, {.offset_bytes = part * 16 * KiB}});
        }
        must(device().submit(std::move(commands)));
        in_flight.push_back(device().done());
        sums(pool);
    }
    EXPECT_LE(sums(pool).made, 12U) << "three for each frame in flight, and for the one recorded";
    EXPECT_EQ(sums(pool).queue_writes + sums(pool).refused + sums(pool).one_use, 0U);
    EXPECT_EQ(sums(pool).sent, 1800U);
    const auto words = read_all<std::uint32_t>(device(), target);
    for (std::size_t part = 0; part < 3; ++part) EXPECT_EQ(words[4096 * part], 599 * 3 + part);
}

TEST_F(Upload, ManySpansInOneFrameAreApart) {
    auto pool = make_pool();
    std::vector<Staging<std::uint32_t>> all;
    for (std::uint32_t i = 0; i < 100; ++i) all.push_back(must(pool.acquire<std::uint32_t>(64)));
    EXPECT_EQ(sums(pool).in_hand, 100U);
    for (std::uint32_t i = 0; i < 100; ++i) fill(all[i], std::vector<std::uint32_t>(64, i));
    const Buffer target = make_buffer(device(), 100 * 256, copied);
    auto commands = device().record();
    for (std::uint64_t i = 0; i < 100; ++i)
        commands.copy(std::move(all[i]), {target, {.offset_bytes = 256 * i}});
    EXPECT_EQ(sums(pool).recorded, 100U);
    must(device().submit(std::move(commands)));
    EXPECT_EQ(sums(pool).sent, 100U);
    const auto words = read_all<std::uint32_t>(device(), target);
    for (std::size_t i = 0; i < words.size(); ++i) ASSERT_EQ(words[i], i / 64);
    EXPECT_TRUE(all_come_back(device(), pool));
    EXPECT_EQ(sums(pool).free_buffers, 100U);
}

TEST_F(Upload, DroppedMemoryIsFreeAtOnceAndNothingIsWritten) {
    auto pool = make_pool();
    const Buffer target = make_filled(device(), pattern(64));
    for (int turn = 0; turn < 10; ++turn) {
        auto staged = stage(pool, pattern(64, 2));
        EXPECT_EQ(sums(pool).in_hand, 1U);
    }
    EXPECT_EQ(sums(pool).made, 1U);
    EXPECT_EQ(sums(pool).reused, 9U);
    EXPECT_EQ(sums(pool).dropped, 10U);
    EXPECT_EQ(bytes_of(target), pattern(64));
}

TEST_F(Upload, CommandsThatAreDroppedGiveTheMemoryBack) {
    auto pool = make_pool();
    const Buffer target = make_filled(device(), pattern(64));
    for (int turn = 0; turn < 5; ++turn) {
        auto commands = device().record();
        commands.copy(stage(pool, pattern(64, 2)), target);
        EXPECT_EQ(sums(pool).recorded, 1U);
        commands = {};
        EXPECT_EQ(sums(pool).recorded, 0U);
        EXPECT_TRUE(all_come_back(device(), pool));
    }
    EXPECT_EQ(sums(pool).dropped, 5U);
    EXPECT_EQ(sums(pool).made, 1U);
    EXPECT_EQ(bytes_of(target), pattern(64));
}

TEST_F(Upload, CommandsWithAnErrorGiveTheMemoryBackBeforeAndAfterIt) {
    auto pool = make_pool();
    const Buffer target = make_filled(device(), pattern(64));
    expect_command_refused(
        [&](Commands& commands) {
            commands.copy(stage(pool, pattern(64, 2)), target);
            commands.clear({target, {2, 4}});
            commands.copy(stage(pool, pattern(64, 3)), target);
            EXPECT_EQ(sums(pool).recorded, 1U);
            EXPECT_EQ(sums(pool).dropped, 1U);
        },
        invalid("K-10"));
    EXPECT_EQ(sums(pool).dropped, 2U);
    EXPECT_EQ(sums(pool).sent, 0U);
    EXPECT_TRUE(all_come_back(device(), pool));
    EXPECT_EQ(sums(pool).free_buffers, 2U);
    EXPECT_EQ(bytes_of(target), pattern(64));
}

TEST_F(Upload, ATargetThatIsDestroyedBeforeTheSubmitIsToldAndTheMemoryGoesBack) {
    auto pool = make_pool();
    Buffer target = make_buffer(device(), 64, copied, "gone");
    auto commands = device().record();
    commands.copy(stage(pool, pattern(64)), target);
    target.destroy();
    EXPECT_TRUE(refused(device().submit(std::move(commands)), wrong_state("S-02", {"gone"})));
    EXPECT_EQ(sums(pool).dropped, 1U);
    EXPECT_TRUE(all_come_back(device(), pool));
}

TEST_F(Upload, TwoCopiesOfOneRecordingRunInOrder) {
    auto pool = make_pool();
    const Buffer target = make_filled(device(), pattern(64));
    auto commands = device().record();
    auto before = commands.read<std::byte>(target);
    commands.copy(stage(pool, pattern(64, 2)), target);
    auto between = commands.read<std::byte>(target);
    commands.copy(stage(pool, pattern(32, 3)), target);
    auto after = commands.read<std::byte>(target);
    must(device().submit(std::move(commands)));
    auto mixed = pattern(64, 2);
    std::ranges::copy(pattern(32, 3), mixed.begin());
    EXPECT_EQ(must(before.wait(patience)), pattern(64));
    EXPECT_EQ(must(between.wait(patience)), pattern(64, 2));
    EXPECT_EQ(must(after.wait(patience)), mixed);
}

TEST_F(Upload, MemoryThatWasGivenAwayIsEmptyAndIsRefused) {
    auto pool = make_pool();
    const Buffer target = make_buffer(device(), 64, copied);
    auto staged = stage(pool, pattern(64));
    EXPECT_TRUE(staged);
    auto moved = std::move(staged);
    EXPECT_FALSE(staged);
    EXPECT_EQ(staged.size(), 0U);
    EXPECT_TRUE(staged.span().empty());
    EXPECT_EQ(moved.size(), 64U);
    auto commands = device().record();
    commands.copy(std::move(moved), target);
    EXPECT_FALSE(moved);
    EXPECT_TRUE(moved.span().empty());
    EXPECT_EQ(moved.span().raw(), nullptr);
    must(device().submit(std::move(commands)));
    expect_command_refused([&](Commands& again) { again.copy(std::move(moved), target); },
                           invalid());
    expect_command_refused([&](Commands& never) { never.copy(Staging<float>(), target); },
                           invalid());
    expect_command_refused([&](Commands& never) { never.copy(StagingTexels()); }, invalid());
    EXPECT_EQ(sums(pool).sent, 1U);
    EXPECT_EQ(bytes_of(target), pattern(64));
}

TEST_F(Upload, AssigningOverMemoryGivesItBack) {
    auto pool = make_pool();
    auto staged = must(pool.acquire<float>(4));
    staged = must(pool.acquire<float>(5));
    EXPECT_EQ(staged.size(), 5U);
    EXPECT_EQ(sums(pool).dropped, 1U);
    EXPECT_EQ(sums(pool).in_hand, 1U);
    auto& same = staged;
    staged = std::move(same);
    EXPECT_EQ(staged.size(), 5U);
    staged = {};
    EXPECT_EQ(sums(pool).in_hand, 0U);
}

TEST_F(Upload, AHandleThatIsEmptyAndACapOfNothingAreRefused) {
    UploadPool none;
    EXPECT_FALSE(none.is_open());
    EXPECT_TRUE(refused(none.acquire<float>(1), invalid()));
    EXPECT_EQ(none.stats().requested, 0U);
    none.trim();
    none.close();
    Device no_device;
    EXPECT_TRUE(refused(UploadPool::create(no_device), invalid()));
    EXPECT_TRUE(refused(UploadPool::create(device(), {.cap_bytes = 0}), invalid({}, {"cap"}, {0})));
}

TEST_F(Upload, NamesOfTheWays) {
    EXPECT_EQ(name(StagingWay::reused), "reused");
    EXPECT_EQ(name(StagingWay::made), "made");
    EXPECT_EQ(name(StagingWay::one_use), "one_use");
    EXPECT_EQ(name(StagingWay::queue_write), "queue_write");
}

} // namespace
} // namespace ferry::test
