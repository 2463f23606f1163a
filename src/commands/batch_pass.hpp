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
    WGPUBuffer table_buffer = nullptr;   ///< takes the table
    WGPUBuffer block_buffer = nullptr;   ///< of the packed bytes

    [[nodiscard]] std::span<const std::byte> table() const {
        return std::as_bytes(std::span(plan.table));
    }
};

/// Makes the kernel, at the first call on a device, the block and the bindings.
[[nodiscard]] Result<ReadyPass> prepare_pass(CommandsState& state, Spread spread,
                                             const BatchPlan& batch,
                                             std::span<const std::shared_ptr<BufferState>> buffers);

/// Records the dispatches; the table and, to scatter, the block are in place by then.
[[nodiscard]] Result<> record_pass(CommandsState& state, const ReadyPass& pass);
/// Everything is recorded: lets go of a large block and table, which the commands keep.
void trim_pass(Core& core) noexcept;

} // namespace ferry::detail
