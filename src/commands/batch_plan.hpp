// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace ferry::detail {

/// Bytes of one of several buffers. Their sum fits 64 bits.
struct BatchRange {
    std::uint32_t buffer = 0;
    std::uint64_t offset_bytes = 0;
    std::uint64_t size_bytes = 0;
    [[nodiscard]] std::uint64_t end() const noexcept { return offset_bytes + size_bytes; }
};

/// Ranges as runs: sorted, and no two of them touch.
struct BatchRuns {
    std::vector<BatchRange> runs;
    std::vector<std::size_t> run_of; ///< of each range; of an empty range it means nothing
    std::vector<std::size_t> order;  ///< of the ranges that are not empty, by buffer and offset
    bool overlap = false;            ///< some ranges do
};

/// Makes one run of ranges that overlap, touch or have at most `gap_bytes` between them.
[[nodiscard]] BatchRuns merge(std::span<const BatchRange> ranges, std::uint64_t gap_bytes);

/// A place for each run in one block: first those that are `packed`, then the others.
struct BatchPlaces {
    std::vector<std::uint64_t> of_run;
    std::uint64_t packed_bytes = 0;
    std::uint64_t size_bytes = 0;
};

/// Empty when the sum does not fit 64 bits. `packed`: as many as runs, or none.
[[nodiscard]] std::optional<BatchPlaces> lay_out(std::span<const BatchRange> runs,
                                                 const std::vector<bool>& packed);

} // namespace ferry::detail
