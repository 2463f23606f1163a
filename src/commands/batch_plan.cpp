// SPDX-License-Identifier: MIT
#include "commands/batch_plan.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

namespace ferry::detail {

namespace {

struct Key {
    std::uint64_t offset_bytes;
    std::size_t index;
    std::uint32_t buffer;

    bool operator<(const Key& other) const noexcept {
        return std::tie(buffer, offset_bytes) < std::tie(other.buffer, other.offset_bytes);
    }
};

/// The ranges that are not empty, by buffer and offset.
std::vector<Key> sorted(std::span<const BatchRange> ranges) {
    std::vector<Key> keys;
    keys.reserve(ranges.size());
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        if (ranges[i].size_bytes > 0) keys.push_back({ranges[i].offset_bytes, i, ranges[i].buffer});
    }
    if (!std::ranges::is_sorted(keys, std::less<>())) std::ranges::sort(keys, std::less<>());
    return keys;
}

bool joins(const BatchRange& run, const BatchRange& range, std::uint64_t gap_bytes) {
    return run.buffer == range.buffer &&
           (range.offset_bytes <= run.end() || range.offset_bytes - run.end() <= gap_bytes);
}

} // namespace

BatchRuns merge(std::span<const BatchRange> ranges, std::uint64_t gap_bytes) {
    BatchRuns out;
    out.run_of.resize(ranges.size());
    out.order.reserve(ranges.size());
    for (const Key& key : sorted(ranges)) {
        const BatchRange& range = ranges[key.index];
        out.order.push_back(key.index);
        if (out.runs.empty() || !joins(out.runs.back(), range, gap_bytes)) {
            out.runs.push_back(range);
        } else {
            BatchRange& run = out.runs.back();
            out.overlap = out.overlap || range.offset_bytes < run.end();
            run.size_bytes = std::max(run.end(), range.end()) - run.offset_bytes;
        }
        out.run_of[key.index] = out.runs.size() - 1;
    }
    return out;
}

std::optional<BatchPlaces> lay_out(std::span<const BatchRange> runs,
                                   const std::vector<bool>& packed) {
    BatchPlaces out;
    out.of_run.resize(runs.size());
    const auto place = [&](bool which) {
        for (std::size_t i = 0; i < runs.size(); ++i) {
            if ((!packed.empty() && packed[i]) != which) continue;
            if (runs[i].size_bytes > std::numeric_limits<std::uint64_t>::max() - out.size_bytes)
                return false;
            out.of_run[i] = out.size_bytes;
            out.size_bytes += runs[i].size_bytes;
        }
        if (which) out.packed_bytes = out.size_bytes;
        return true;
    };
    if (!place(true) || !place(false)) return std::nullopt;
    return out;
}

} // namespace ferry::detail
