// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "commands/batch_plan.hpp"

namespace ferry::detail {

/// From where to where a batch moves bytes.
enum class Spread : std::uint8_t {
    gather, ///< from places in buffers to one block
    scatter ///< from the block to the places
};

/// What the device allows for storage bindings.
struct PassLimits {
    std::uint64_t binding_bytes = 0;
    std::uint64_t alignment_bytes = 0; ///< a multiple of 4
};

/// A dispatch: what it sees of one buffer, and its part of the table.
struct PassWindow {
    std::uint32_t buffer = 0;
    std::uint64_t offset_bytes = 0;
    std::uint64_t size_bytes = 0;
    std::uint64_t table_at = 0; ///< in bytes
    std::uint64_t pieces = 0;
};

/// One entry of the table, all in words.
struct PassPiece {
    std::uint32_t in_source;
    std::uint32_t in_target;
    std::uint32_t words;
};

struct PassPlan {
    std::vector<PassWindow> windows;
    std::vector<std::uint32_t> table; ///< of pieces
};

/// Splits the `packed` runs into pieces that take a thread about equally long. `places` are those
/// of the runs in the block; `limits` hold every such run.
[[nodiscard]] PassPlan plan_pass(Spread spread, std::span<const BatchRange> runs,
                                 const std::vector<bool>& packed,
                                 std::span<const std::uint64_t> places, const PassLimits& limits);

} // namespace ferry::detail
