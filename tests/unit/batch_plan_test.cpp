// SPDX-License-Identifier: MIT
#include "commands/batch_plan.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>
#include <random>

#include <gtest/gtest.h>

#include "commands/batch_way.hpp"
#include "commands/pass_plan.hpp"

namespace ferry::detail {
namespace {

constexpr std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();

/// Which bytes of three buffers are taken.
using Marks = std::array<std::array<bool, 128>, 3>;

Marks marks_of(std::span<const BatchRange> ranges) {
    Marks out{};
    for (const auto& range : ranges) {
        for (std::uint64_t at = range.offset_bytes; at < range.end(); ++at)
            out.at(range.buffer).at(at) = true;
    }
    return out;
}

/// And those between two taken ones of a buffer that are at most `gap` apart.
Marks filled(Marks marks, std::uint64_t gap) {
    for (auto& buffer : marks) {
        std::optional<std::size_t> last;
        for (std::size_t at = 0; at < buffer.size(); ++at) {
            if (!buffer[at]) continue;
            if (last && at - *last - 1 <= gap) {
                std::fill(buffer.begin() + static_cast<std::ptrdiff_t>(*last),
                          buffer.begin() + static_cast<std::ptrdiff_t>(at), true);
            }
            last = at;
        }
    }
    return marks;
}

class Random {
public:
    explicit Random(unsigned seed) : engine_(seed) {}
    std::uint64_t up_to(std::uint64_t most) {
        return std::uniform_int_distribution<std::uint64_t>(0, most)(engine_);
    }
    std::vector<BatchRange> ranges(std::uint64_t last_word = 12) {
        std::vector<BatchRange> out(up_to(8));
        for (auto& range : out) {
            range = {static_cast<std::uint32_t>(up_to(2)), 4 * up_to(last_word), 4 * up_to(3)};
        }
        return out;
    }

private:
    std::mt19937 engine_;
};

bool share_bytes(const BatchRange& a, const BatchRange& b) {
    return a.buffer == b.buffer &&
           std::max(a.offset_bytes, b.offset_bytes) < std::min(a.end(), b.end());
}

void expect_right_runs(const std::vector<BatchRange>& ranges, std::uint64_t gap) {
    const BatchRuns merged = merge(ranges, gap);
    ASSERT_EQ(marks_of(merged.runs), filled(marks_of(ranges), gap));
    for (std::size_t i = 0; i + 1 < merged.runs.size(); ++i) {
        const BatchRange &run = merged.runs[i], &next = merged.runs[i + 1];
        ASSERT_LE(run.buffer, next.buffer);
        if (run.buffer != next.buffer) continue;
        ASSERT_GT(next.offset_bytes, run.end());
        ASSERT_GT(next.offset_bytes - run.end(), gap);
    }
    bool overlap = false;
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        for (std::size_t other = 0; other < i; ++other)
            overlap = overlap || share_bytes(ranges[i], ranges[other]);
    }
    ASSERT_EQ(merged.overlap, overlap);
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        if (ranges[i].size_bytes == 0) continue;
        ASSERT_EQ(std::ranges::count(merged.order, i), 1);
        const BatchRange& run = merged.runs.at(merged.run_of.at(i));
        ASSERT_EQ(run.buffer, ranges[i].buffer);
        ASSERT_LE(run.offset_bytes, ranges[i].offset_bytes);
        ASSERT_GE(run.end(), ranges[i].end());
    }
}

TEST(BatchPlan, RunsAreWhatByteByByteFillingGives) {
    Random random(1);
    for (int turn = 0; turn < 80'000; ++turn) {
        expect_right_runs(random.ranges(), 4 * random.up_to(3));
        if (HasFatalFailure()) return;
    }
}

TEST(BatchPlan, NothingWrapsAtTheEndOf64Bits) {
    const std::vector<BatchRange> ranges{{0, largest - 7, 4}, {0, 0, 4}, {0, largest - 11, 8}};
    const BatchRuns merged = merge(ranges, largest / 2);
    ASSERT_EQ(merged.runs.size(), 2U);
    EXPECT_EQ(merged.runs[0].offset_bytes, 0U);
    EXPECT_EQ(merged.runs[0].size_bytes, 4U);
    EXPECT_EQ(merged.runs[1].offset_bytes, largest - 11);
    EXPECT_EQ(merged.runs[1].size_bytes, 8U);
    EXPECT_EQ(merge(ranges, largest).runs.size(), 1U);
}

TEST(BatchPlan, APlaceForEachRunPackedOnesFirst) {
    const std::vector<BatchRange> runs{{0, 0, 8}, {0, 100, 4}, {1, 0, 16}, {2, 4, 12}};
    const auto places = lay_out(runs, {false, true, false, true});
    ASSERT_TRUE(places);
    EXPECT_EQ(places->of_run, (std::vector<std::uint64_t>{16, 0, 24, 4}));
    EXPECT_EQ(places->packed_bytes, 16U);
    EXPECT_EQ(places->size_bytes, 40U);
    const auto plain = lay_out(runs, {});
    ASSERT_TRUE(plain);
    EXPECT_EQ(plain->of_run, (std::vector<std::uint64_t>{0, 8, 12, 28}));
    EXPECT_EQ(plain->packed_bytes, 0U);
}

TEST(BatchPlan, ASumThatDoesNotFit64BitsIsNone) {
    const std::uint64_t half = std::uint64_t{1} << 63;
    EXPECT_FALSE(lay_out(std::vector<BatchRange>{{0, 0, half}, {1, 0, half}}, {}));
    EXPECT_TRUE(lay_out(std::vector<BatchRange>{{0, 0, half}, {1, 0, half - 1}}, {}));
}

/// The compute pass on the host: `buffers` and the block as words.
void run_pass(const PassPlan& plan, Spread spread,
              std::map<std::uint32_t, std::vector<int>>& buffers, std::vector<int>& block) {
    for (const auto& window : plan.windows) {
        auto& buffer = buffers.at(window.buffer);
        const std::span view =
            std::span(buffer).subspan(window.offset_bytes / 4, window.size_bytes / 4);
        for (std::uint64_t i = 0; i < window.pieces; ++i) {
            const std::span piece = std::span(plan.table).subspan(window.table_at / 4 + i * 3, 3);
            for (std::uint32_t word = 0; word < piece[2]; ++word) {
                if (spread == Spread::gather) {
                    block.at(piece[1] + word) = view[piece[0] + word];
                } else {
                    view[piece[1] + word] = block.at(piece[0] + word);
                }
            }
        }
    }
}

struct PassCase {
    std::vector<BatchRange> runs;
    std::vector<bool> packed;
    BatchPlaces places;
};

PassCase random_case(Random& random) {
    PassCase out{.runs = merge(random.ranges(90), 0).runs, .packed = {}, .places = {}};
    for (std::size_t i = 0; i < out.runs.size(); ++i) out.packed.push_back(random.up_to(3) > 0);
    out.places = *lay_out(out.runs, out.packed);
    return out;
}

std::map<std::uint32_t, std::vector<int>> numbered_buffers() {
    std::map<std::uint32_t, std::vector<int>> out;
    for (std::uint32_t buffer = 0; buffer < 3; ++buffer) {
        for (int word = 0; word < 100; ++word)
            out[buffer].push_back(static_cast<int>(buffer) * 1000 + word);
    }
    return out;
}

TEST(BatchPlan, APassMovesExactlyThePackedRuns) {
    Random random(2);
    for (int turn = 0; turn < 20'000; ++turn) {
        const PassCase one = random_case(random);
        const PassLimits limits{.binding_bytes = 112 + 16 * random.up_to(9), .alignment_bytes = 16};
        auto buffers = numbered_buffers();
        std::vector<int> block(one.places.packed_bytes / 4, -1);
        const auto gather =
            plan_pass(Spread::gather, one.runs, one.packed, one.places.of_run, limits);
        run_pass(gather, Spread::gather, buffers, block);
        const auto scatter =
            plan_pass(Spread::scatter, one.runs, one.packed, one.places.of_run, limits);
        auto blank = numbered_buffers();
        for (auto& [number, buffer] : blank) std::ranges::fill(buffer, -1);
        auto expected = blank;
        run_pass(scatter, Spread::scatter, blank, block);
        for (std::size_t i = 0; i < one.runs.size(); ++i) {
            if (!one.packed[i]) continue;
            const BatchRange& run = one.runs[i];
            for (std::uint64_t word = 0; word < run.size_bytes / 4; ++word) {
                const auto at = run.offset_bytes / 4 + word;
                expected[run.buffer][at] = static_cast<int>(run.buffer * 1000 + at);
                ASSERT_EQ(block[one.places.of_run[i] / 4 + word], expected[run.buffer][at]);
            }
        }
        ASSERT_EQ(blank, expected);
        for (const auto& window : gather.windows) {
            ASSERT_EQ(window.offset_bytes % 16, 0U);
            ASSERT_EQ(window.table_at % 16, 0U);
            ASSERT_LE(window.size_bytes, limits.binding_bytes);
        }
    }
}

TEST(BatchPlan, APieceIsAtMost16WordsSoThatThreadsShareALongRun) {
    const std::vector<BatchRange> runs{{0, 0, 4096}};
    const auto plan = plan_pass(Spread::gather, runs, {true}, std::vector<std::uint64_t>{0},
                                {.binding_bytes = 1 << 20, .alignment_bytes = 256});
    ASSERT_EQ(plan.windows.size(), 1U);
    EXPECT_EQ(plan.windows[0].pieces, 64U);
}

std::vector<BatchRange> many(std::size_t count, std::uint32_t buffer, std::uint64_t size_bytes) {
    std::vector<BatchRange> out;
    for (std::size_t i = 0; i < count; ++i) out.push_back({buffer, i * 100'000, size_bytes});
    return out;
}

constexpr std::uint64_t binding = std::uint64_t{128} << 20;

TEST(BatchWayChoice, TheNumberOfShortRunsInOneBufferDecides) {
    const auto few = choose_way(BatchWay::automatic, 10, many(9, 0, 16), {true}, binding);
    EXPECT_EQ(few.way, BatchWay::copies);
    const auto enough = choose_way(BatchWay::automatic, 10, many(10, 0, 16), {true}, binding);
    EXPECT_EQ(enough.way, BatchWay::compute);
    EXPECT_EQ(enough.packed, std::vector<bool>(10, true));
    const auto long_ones =
        choose_way(BatchWay::automatic, 10, many(50, 0, 65'536), {true}, binding);
    EXPECT_EQ(long_ones.way, BatchWay::copies);
    for (const auto& choice : {few, enough, long_ones}) EXPECT_FALSE(choice.reason.empty());
}

TEST(BatchWayChoice, OnlyBuffersWithStorageAndEnoughRunsTakePart) {
    auto runs = many(10, 0, 16);
    for (const auto& more : {many(10, 1, 16), many(3, 2, 16)})
        runs.insert(runs.end(), more.begin(), more.end());
    const auto choice = choose_way(BatchWay::automatic, 10, runs, {false, true, true}, binding);
    EXPECT_EQ(choice.way, BatchWay::compute);
    for (std::size_t i = 0; i < runs.size(); ++i) EXPECT_EQ(choice.packed[i], runs[i].buffer == 1);
    const auto forced = choose_way(BatchWay::compute, 10, runs, {false, true, true}, binding);
    for (std::size_t i = 0; i < runs.size(); ++i) EXPECT_EQ(forced.packed[i], runs[i].buffer != 0);
}

TEST(BatchWayChoice, WhatWasNotMeasuredIsCopiedUnlessTheCallerAsks) {
    EXPECT_EQ(choose_way(BatchWay::automatic, 0, many(999, 0, 16), {true}, binding).way,
              BatchWay::copies);
    EXPECT_EQ(choose_way(BatchWay::compute, 0, many(1, 0, 16), {true}, binding).way,
              BatchWay::compute);
    EXPECT_EQ(choose_way(BatchWay::compute, 0, many(1, 0, 16), {false}, binding).way,
              BatchWay::copies);
    EXPECT_EQ(choose_way(BatchWay::copies, 1, many(999, 0, 16), {true}, binding).way,
              BatchWay::copies);
}

TEST(BatchWayChoice, MoreThanOneBindingTakesIsCopied) {
    const auto runs = many(100, 0, 16);
    EXPECT_EQ(choose_way(BatchWay::compute, 1, runs, {true}, 4 * 1600).way, BatchWay::compute);
    EXPECT_EQ(choose_way(BatchWay::compute, 1, runs, {true}, 4 * 1600 - 4).way, BatchWay::copies);
}

} // namespace
} // namespace ferry::detail
