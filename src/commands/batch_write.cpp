// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>

#include "base/align.hpp"
#include "base/error.hpp"
#include "commands/batch_pass.hpp"
#include "commands/record_read.hpp"
#include "commands/staged_copy.hpp"
#include "resource/write_rules.hpp"

namespace ferry {

using base::fail;
using base::text;

namespace detail {

namespace {

Error about_write(Error error, std::size_t index) {
    error.what = text("Write (", index, ") of the batch: ", error.what);
    return error;
}

Result<> check_one(const Core& core, const BatchWrite& write) {
    auto bytes = check_write(core, write.target.buffer, write.data, 1,
                             {.offset_bytes = write.target.range.offset_bytes});
    if (!bytes) return std::unexpected(std::move(bytes).error());
    const std::uint64_t size = write.target.range.size_bytes.value_or(write.data.size());
    if (size == write.data.size()) return {};
    return fail(Errc::invalid_argument, "K-02",
                text("The data has (", write.data.size(), ") bytes and the target (", size, ")."),
                "Leave the target's size out, or make both equal.");
}

Result<BatchWork> check_writes(const Core& core, std::span<const BatchWrite> writes) {
    BatchWork out;
    BatchBuffers buffers;
    out.ranges.reserve(writes.size());
    for (std::size_t i = 0; i < writes.size(); ++i) {
        if (auto ok = check_one(core, writes[i]); !ok)
            return std::unexpected(about_write(std::move(ok).error(), i));
        const BufferView& target = writes[i].target;
        const std::uint64_t size = *base::round_up(writes[i].data.size(), 4);
        out.ranges.push_back(
            {size == 0 ? 0 : buffers.index_of(target.buffer), target.range.offset_bytes, size});
    }
    out.buffers = buffers.take();
    return out;
}

/// From front to back, where that is the same: the memory may not be cached. Where writes overlap
/// the later one counts.
void fill(std::byte* memory, std::span<const BatchWrite> writes, const BatchWork& work,
          BatchPlan& plan) {
    if (plan.merged.overlap) std::ranges::sort(plan.merged.order);
    for (std::size_t i : plan.merged.order) {
        const std::span<const std::byte> data = writes[i].data;
        std::byte* at = memory + plan.place_of(work.ranges[i], i);
        std::memcpy(at, data.data(), data.size());
        const auto padding = static_cast<std::size_t>(work.ranges[i].size_bytes - data.size());
        if (padding > 0) std::memset(at + data.size(), 0, padding);
    }
}

Result<BatchReport> record_writes(CommandsState& state, std::span<const BatchWrite> writes,
                                  const BatchOptions& options) {
    auto work = check_writes(*state.core, writes);
    if (!work) return std::unexpected(std::move(work).error());
    auto plan = plan_batch(*state.core, *work, Spread::scatter, options.way, 0);
    if (!plan) return std::unexpected(std::move(plan).error());
    BatchReport report = plan->report();
    if (plan->merged.runs.empty()) return report;

    std::optional<ReadyPass> pass;
    if (plan->places.packed_bytes > 0) {
        auto ready = prepare_pass(state, Spread::scatter, *plan, work->buffers);
        if (!ready) return std::unexpected(std::move(ready).error());
        pass = *std::move(ready);
    }
    const auto table = pass ? pass->table_bytes() : std::span<const std::byte>();
    const std::uint64_t table_at = plan->places.size_bytes;
    auto memory = acquire_memory(state, table_at + table.size());
    if (!memory) return std::unexpected(std::move(memory).error());
    auto to = memory_of(*memory);
    if (!to) return std::unexpected(std::move(to).error());
    fill(*to, writes, *work, *plan);
    std::ranges::copy(table, *to + table_at);
    auto slot = stage(state, *memory);
    if (!slot) return std::unexpected(std::move(slot).error());

    for (const auto& buffer : work->buffers) state.use({buffer, true});
    if (pass) {
        encode_copy(state, *slot, 0, pass->block.get(), 0, plan->places.packed_bytes);
        encode_copy(state, *slot, table_at, pass->table.get(), 0, table.size());
        if (auto ok = record_pass(state, *pass); !ok) return std::unexpected(std::move(ok).error());
        report.dispatches = pass->groups.size();
        report.copies = 2; // of the block and of the table
    }
    report.copies += record_copies(state, Spread::scatter, *work, *plan, *slot);
    return report;
}

} // namespace

} // namespace detail

BatchReport Commands::write_each(std::span<const BatchWrite> writes, const BatchOptions& options,
                                 Where where) {
    BatchReport report;
    detail::record_command(state_.get(), "write_each", where,
                           [&](detail::CommandsState& state) -> Result<> {
                               auto recorded = detail::record_writes(state, writes, options);
                               if (!recorded) return std::unexpected(std::move(recorded).error());
                               report = *recorded;
                               return {};
                           });
    return report;
}

} // namespace ferry
