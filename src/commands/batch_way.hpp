// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "commands/pass_plan.hpp"
#include "ferry/batch.hpp"
#include "resource/buffer_state.hpp"

namespace ferry::detail {

/// So many short runs in one buffer are moved faster by a compute pass than by copies; 0: never, or
/// not known.
[[nodiscard]] std::size_t crossover(const Core& core, Spread spread);

struct BatchChoice {
    BatchWay way = BatchWay::copies;
    std::string_view reason{};
    std::vector<bool> packed; ///< of each run: whether it goes through the compute pass
};

/// `storage`: of each buffer, whether a kernel may use it. `binding_bytes`: the device's limit.
[[nodiscard]] BatchChoice choose_way(BatchWay wanted, std::size_t crossover,
                                     std::span<const BatchRange> runs,
                                     const std::vector<bool>& storage, std::uint64_t binding_bytes);

/// Where the bytes of a batch go.
struct BatchWork {
    std::vector<std::shared_ptr<BufferState>> buffers;
    std::vector<BatchRange> ranges; ///< whole words
};

/// A batch, merged and laid out.
struct BatchPlan {
    BatchRuns merged;
    BatchChoice choice;
    BatchPlaces places;

    /// Where range `index` begins in the block.
    [[nodiscard]] std::uint64_t place_of(const BatchRange& range, std::size_t index) const {
        const std::size_t run = merged.run_of[index];
        return places.of_run[run] + (range.offset_bytes - merged.runs[run].offset_bytes);
    }
    /// Whether a run goes through the compute pass.
    [[nodiscard]] bool packs(std::size_t run) const {
        return !choice.packed.empty() && choice.packed[run];
    }
    /// Before anything is recorded.
    [[nodiscard]] BatchReport report() const {
        return {.way = choice.way,
                .reason = choice.reason,
                .ranges = merged.run_of.size(),
                .runs = merged.runs.size(),
                .staged_bytes = places.size_bytes};
    }
};

/// Errors: `limit_exceeded`.
[[nodiscard]] Result<BatchPlan> plan_batch(const Core& core, const BatchWork& work, Spread spread,
                                           BatchWay wanted, std::uint64_t gap_bytes);

[[nodiscard]] PassLimits pass_limits(const Core& core);

/// Numbers the buffers of a batch.
class BatchBuffers {
public:
    [[nodiscard]] std::uint32_t index_of(const std::shared_ptr<BufferState>& buffer);
    [[nodiscard]] std::vector<std::shared_ptr<BufferState>> take() { return std::move(buffers_); }

private:
    std::vector<std::shared_ptr<BufferState>> buffers_;
    std::unordered_map<const BufferState*, std::uint32_t> known_;
    std::uint32_t last_ = 0;
};

} // namespace ferry::detail
