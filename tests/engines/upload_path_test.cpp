// SPDX-License-Identifier: MIT
// The ways of bytes to a buffer: all lead to the same bytes in the order of calls.
#include <array>
#include <cstring>

#include "core/core.hpp"
#include "engine_fixture.hpp"
#include "guarded_memory.hpp"

namespace ferry::test {
namespace {

constexpr Usage copied = Usage::copy_src | Usage::copy_dst;
constexpr std::array write_paths{UploadPath::automatic, UploadPath::queue_whole,
                                 UploadPath::queue_pieces, UploadPath::pool};
constexpr std::array create_paths{UploadPath::automatic, UploadPath::queue_whole,
                                  UploadPath::queue_pieces, UploadPath::pool,
                                  UploadPath::mapped_at_creation};
constexpr std::uint64_t KiB = 1024;
constexpr std::uint64_t MiB = 1024 * KiB;

/// Each word differs from those around it, and from those of another seed.
std::vector<std::uint32_t> words(std::uint64_t size_bytes, std::uint32_t seed) {
    std::vector<std::uint32_t> out(static_cast<std::size_t>(size_bytes / 4));
    std::uint32_t word = seed * 0x9E3779B9U;
    for (std::uint32_t& each : out) each = word += 0x01000193U;
    return out;
}

std::string titled(UploadPath path, std::uint64_t size_bytes) {
    return std::string(name(path)) + ", " + std::to_string(size_bytes) + " bytes";
}

class UploadPaths : public SharedDevice {
protected:
    /// Sizes where some row of measurements may change the path or begin another piece.
    static std::vector<std::uint64_t> word_sizes() {
        std::vector<std::uint64_t> sizes{4, 8, 252};
        for (std::uint64_t edge : {64 * KiB, MiB, 2 * MiB, 4 * MiB, 8 * MiB})
            sizes.insert(sizes.end(), {edge - 4, edge, edge + 4});
        return sizes;
    }

    static Result<Submission> submit_copy(const Buffer& source, const Buffer& target) {
        auto commands = device().record();
        commands.copy(source, target);
        return device().submit(std::move(commands));
    }

    /// Copies that ferry's own pool has sent.
    static std::uint64_t sent_by_pool() { return device().core()->uploads().stats().sent; }

    static std::uint64_t pool_pieces(const UploadChoice& choice, std::uint64_t size_bytes) {
        if (choice.path != UploadPath::pool) return 0;
        return (size_bytes + choice.piece_bytes - 1) / choice.piece_bytes;
    }
};

TEST_F(UploadPaths, AWriteOfAnySizeArrivesOnEveryPath) {
    for (std::uint64_t size : word_sizes()) {
        const Buffer target = make_buffer(device(), size, copied);
        std::uint32_t seed = 0;
        for (UploadPath path : write_paths) {
            const auto data = words(size, ++seed);
            ASSERT_TRUE(ok(device().write(target, data, {.path = path}))) << titled(path, size);
            ASSERT_TRUE(read_all<std::uint32_t>(device(), target) == data) << titled(path, size);
        }
    }
}

TEST_F(UploadPaths, W04_AnOddTailArrivesAndNoByteBehindTheDataIsRead) {
    for (std::uint64_t size : {std::uint64_t{1}, std::uint64_t{3}, 64 * KiB + 1, MiB - 1,
                               2 * MiB + 3, 4 * MiB + 1, 8 * MiB + 2}) {
        const GuardedMemory memory(static_cast<std::size_t>(size));
        const auto data = pattern(static_cast<std::size_t>(size));
        std::memcpy(memory.as().data(), data.data(), data.size());
        for (UploadPath path : write_paths) {
            const Buffer target = make_buffer(device(), size, copied);
            ASSERT_TRUE(ok(device().write(target, memory.as(), {.path = path})))
                << titled(path, size);
            ASSERT_TRUE(bytes_of(target) == data) << titled(path, size);
        }
    }
}

TEST_F(UploadPaths, BytesAroundTheWriteKeepTheirValue) {
    constexpr std::uint64_t size = 4 * MiB + 12;
    for (UploadPath path : write_paths) {
        const auto before = words(size + 24, 1);
        const Buffer target = make_filled(device(), before);
        const auto data = words(size, 2);
        ASSERT_TRUE(ok(device().write(target, data, {.offset_bytes = 12, .path = path})));
        auto expected = before;
        std::copy(data.begin(), data.end(), expected.begin() + 3);
        EXPECT_TRUE(read_all<std::uint32_t>(device(), target) == expected) << name(path);
    }
}

TEST_F(UploadPaths, Q02_WriteSubmitWriteSubmitKeepsItsOrderFromPathToPath) {
    for (std::uint64_t size : {64 * KiB, 5 * MiB}) {
        const Buffer source = make_buffer(device(), size, copied);
        const Buffer first = make_buffer(device(), size, copied);
        const Buffer second = make_buffer(device(), size, copied);
        for (UploadPath one : write_paths) {
            for (UploadPath other : write_paths) {
                const auto before = words(size, 1);
                const auto after = words(size, 2);
                ASSERT_TRUE(ok(device().write(source, before, {.path = one})));
                ASSERT_TRUE(ok(submit_copy(source, first)));
                ASSERT_TRUE(ok(device().write(source, after, {.path = other})));
                ASSERT_TRUE(ok(submit_copy(source, second)));
                ASSERT_TRUE(read_all<std::uint32_t>(device(), first) == before)
                    << name(one) << " before " << name(other);
                ASSERT_TRUE(read_all<std::uint32_t>(device(), second) == after)
                    << name(other) << " after " << name(one);
            }
        }
    }
}

TEST_F(UploadPaths, Q03_OfTwoWritesBeforeASubmitTheLastOneStays) {
    constexpr std::uint64_t size = 5 * MiB;
    const Buffer source = make_buffer(device(), size, copied);
    for (UploadPath one : write_paths) {
        for (UploadPath other : write_paths) {
            const auto last = words(size, 2);
            ASSERT_TRUE(ok(device().write(source, words(size, 1), {.path = one})));
            ASSERT_TRUE(ok(device().write(source, last, {.path = other})));
            ASSERT_TRUE(read_all<std::uint32_t>(device(), source) == last)
                << name(other) << " after " << name(one);
        }
    }
}

TEST_F(UploadPaths, Q02_AWriteAfterRecordingIsSeenByTheCommandsOnEveryPath) {
    constexpr std::uint64_t size = 5 * MiB;
    for (UploadPath path : write_paths) {
        const Buffer source = make_filled(device(), words(size, 1));
        auto commands = device().record();
        auto seen = commands.read<std::uint32_t>(source);
        const auto data = words(size, 2);
        ASSERT_TRUE(ok(device().write(source, data, {.path = path})));
        ASSERT_TRUE(ok(device().submit(std::move(commands))));
        EXPECT_TRUE(must(seen.wait(patience)) == data) << name(path);
    }
}

TEST_F(UploadPaths, TheDataIsCopiedBeforeTheCallReturns) {
    constexpr std::uint64_t size = 5 * MiB;
    const auto data = words(size, 1);
    for (UploadPath path : write_paths) {
        const Buffer target = make_buffer(device(), size, copied);
        auto changing = data;
        ASSERT_TRUE(ok(device().write(target, changing, {.path = path})));
        std::ranges::fill(changing, 0U);
        EXPECT_TRUE(read_all<std::uint32_t>(device(), target) == data) << name(path);
    }
}

TEST_F(UploadPaths, DoneSendsWhatWasWritten) {
    FERRY_NEEDS_REAL_ENGINE("the fake's work-done waits for queue writes, as the standard says");
    const Buffer target = make_buffer(device(), KiB, copied);
    ASSERT_TRUE(ok(device().write(target, words(KiB, 1), {.path = UploadPath::queue_whole})));
    EXPECT_EQ(device().core()->unsent_bytes(), KiB);
    auto done = device().done();
    EXPECT_EQ(device().core()->unsent_bytes(), 0U);
    EXPECT_TRUE(ok(done.wait(patience)));
}

TEST_F(UploadPaths, DoneWaitsForTheBytes) {
    constexpr std::uint64_t size = 5 * MiB;
    const Usage readable = Usage::map_read | Usage::copy_dst;
    for (UploadPath path : write_paths) {
        Buffer target = make_buffer(device(), size, readable);
        const auto data = words(size, 1);
        ASSERT_TRUE(ok(device().write(target, data, {.path = path})));
        ASSERT_TRUE(ok(device().done().wait(patience)));
        auto mapping = must(target.map_read().wait(patience));
        EXPECT_TRUE(must(must(mapping.as<std::uint32_t>()).copy()) == data) << name(path);
    }
}

TEST_F(UploadPaths, ABufferIsBornWithItsDataOnEveryPath) {
    for (std::uint64_t size : {std::uint64_t{1}, std::uint64_t{4}, 64 * KiB, 64 * KiB + 3,
                               4 * MiB - 4, 4 * MiB, 4 * MiB + 2, 8 * MiB + 5}) {
        const auto data = pattern(static_cast<std::size_t>(size));
        for (UploadPath path : create_paths) {
            const Buffer made = must(device().create_buffer(data, {.usage = copied, .path = path}));
            EXPECT_EQ(made.size_bytes(), size);
            ASSERT_TRUE(bytes_of(made) == data) << titled(path, size);
        }
    }
}

TEST_F(UploadPaths, B10_BehindTheFirstDataAreZeros) {
    for (std::uint64_t size : {std::uint64_t{5}, 4 * MiB + 3}) {
        auto expected = pattern(static_cast<std::size_t>(size));
        for (UploadPath path : create_paths) {
            expected.resize(static_cast<std::size_t>(size));
            const Buffer made = must(device().create_buffer(
                expected, {.usage = copied, .size_bytes = size + 9, .path = path}));
            expected.resize(static_cast<std::size_t>(size + 9));
            ASSERT_TRUE(bytes_of(made) == expected) << titled(path, size);
        }
    }
}

TEST_F(UploadPaths, MappedAtCreationIsNoPathOfAWrite) {
    const Buffer target = make_filled(device(), words(16, 1));
    EXPECT_TRUE(
        refused(device().write(target, words(16, 2), {.path = UploadPath::mapped_at_creation}),
                invalid({}, {"mapped_at_creation", "create_buffer"})));
    EXPECT_EQ(read_all<std::uint32_t>(device(), target), words(16, 1));
}

TEST_F(UploadPaths, W08_AForcedPathToABufferWithoutCopyDstIsRefused) {
    for (UploadPath path : {UploadPath::queue_whole, UploadPath::queue_pieces, UploadPath::pool}) {
        EXPECT_TRUE(
            refused(device().create_buffer(
                        pattern(8), {.usage = Usage::copy_src, .label = "fixed", .path = path}),
                    invalid("W-08", {std::string(name(path)), "fixed", "copy_dst"})));
    }
    for (UploadPath path : {UploadPath::automatic, UploadPath::mapped_at_creation}) {
        const Buffer made =
            must(device().create_buffer(pattern(8), {.usage = Usage::copy_src, .path = path}));
        EXPECT_EQ(bytes_of(made), pattern(8)) << name(path);
    }
}

TEST_F(UploadPaths, WithoutCopyDstABufferIsMappedAtCreation) {
    for (std::uint64_t size : {std::uint64_t{4}, 64 * MiB}) {
        const UploadChoice choice = device().explain_create(size, Usage::storage);
        EXPECT_EQ(choice.path, UploadPath::mapped_at_creation);
        EXPECT_TRUE(says(choice.reason, "copy_dst")) << choice.reason;
    }
}

TEST_F(UploadPaths, TheChoiceIsAPathThatCanBeForcedAndHasAReason) {
    for (std::uint64_t size = 1; size <= 512 * MiB; size *= 2) {
        const UploadChoice written = device().explain_write(size);
        EXPECT_NE(written.path, UploadPath::automatic);
        EXPECT_NE(written.path, UploadPath::mapped_at_creation);
        const UploadChoice created = device().explain_create(size, copied);
        EXPECT_NE(created.path, UploadPath::automatic);
        for (const UploadChoice& choice : {written, created}) {
            EXPECT_FALSE(choice.reason.empty());
            EXPECT_GT(choice.piece_bytes, 0U);
            EXPECT_LE(choice.piece_bytes, size);
        }
    }
}

TEST_F(UploadPaths, WhatIsExplainedIsWhatIsDone) {
    for (std::uint64_t size : word_sizes()) {
        const Buffer target = make_buffer(device(), size, copied);
        std::uint64_t before = sent_by_pool();
        ASSERT_TRUE(ok(device().write(target, words(size, 1))));
        EXPECT_EQ(sent_by_pool() - before, pool_pieces(device().explain_write(size), size)) << size;
        before = sent_by_pool();
        const Buffer made = make_filled(device(), words(size, 1), copied);
        EXPECT_EQ(sent_by_pool() - before, pool_pieces(device().explain_create(size, copied), size))
            << size;
    }
}

TEST_F(UploadPaths, AForcedPathIsTaken) {
    const Buffer target = make_buffer(device(), MiB, copied);
    for (UploadPath path : {UploadPath::queue_whole, UploadPath::queue_pieces, UploadPath::pool}) {
        const std::uint64_t before = sent_by_pool();
        ASSERT_TRUE(ok(device().write(target, words(MiB, 1), {.path = path})));
        EXPECT_EQ(sent_by_pool() > before, path == UploadPath::pool) << name(path);
    }
}

TEST_F(UploadPaths, WhatTheGpuIsToGetReachesItAlsoWhenThePoolIsFull) {
    constexpr std::uint64_t size = 3 * MiB + 4;
    Device small = open_device({.staging_budget_bytes = MiB});
    const auto data = words(size, 7);
    const Buffer target = make_buffer(small, size, copied);
    ASSERT_TRUE(ok(small.write(target, data, {.path = UploadPath::pool})));
    EXPECT_TRUE(read_all<std::uint32_t>(small, target) == data);
}

} // namespace
} // namespace ferry::test
