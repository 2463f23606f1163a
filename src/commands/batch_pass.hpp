// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "commands/batch_way.hpp"
#include "commands/commands_state.hpp"

namespace ferry::detail {

/// A compute pass with everything it needs, before anything of it is recorded.
struct ReadyPass {
    PassPlan plan{};
    std::vector<HeldBindGroup> groups{}; ///< of each window
    HeldBuffer table{};                  ///< takes the table
    HeldBuffer block{};                  ///< of the packed bytes

    [[nodiscard]] std::span<const std::byte> table_bytes() const {
        return std::as_bytes(std::span(plan.table));
    }
};

/// Makes the kernel, at the first call on a device, the block and the bindings.
[[nodiscard]] Result<ReadyPass> prepare_pass(CommandsState& state, Spread spread,
                                             const BatchPlan& batch,
                                             std::span<const std::shared_ptr<BufferState>> buffers);

/// Copies the runs that no pass moves, into the slot or out of it; answers how many.
std::size_t record_copies(CommandsState& state, Spread spread, const BatchWork& work,
                          const BatchPlan& plan, WGPUBuffer slot);

/// Records the dispatches; the table and, to scatter, the block are in place by then.
[[nodiscard]] Result<> record_pass(CommandsState& state, const ReadyPass& pass);

} // namespace ferry::detail
