// SPDX-License-Identifier: MIT
#include <cstring>
#include <limits>

#include "base/error.hpp"
#include "commands/batch_pass.hpp"
#include "commands/copy_rules.hpp"
#include "commands/record_read.hpp"
#include "commands/staged_copy.hpp"

namespace ferry {

using base::fail;
using base::grouped;
using base::text;

namespace detail {

namespace {

/// Bytes are cheaper than one more copy.
constexpr std::uint64_t gap_bytes = 256;

/// Reads as they were asked for; `layout.staged` has the bytes before each in its first word.
struct WantedReads {
    BatchWork work;
    BatchLayout layout;
};

Error about_read(Error error, std::size_t index) {
    error.what = text("Read (", index, ") of the batch: ", error.what);
    return error;
}

Result<WideRead> check_read(const Core& core, const BufferView& source, std::size_t element_size) {
    if (auto ok = check_buffer(core, source, "source"); !ok)
        return std::unexpected(std::move(ok).error());
    return plan_read(source, element_size);
}

Result<WantedReads> check_reads(const Core& core, std::span<const BufferView> sources,
                                std::size_t element_size) {
    constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::ptrdiff_t>::max());
    WantedReads out;
    BatchBuffers buffers;
    out.work.ranges.reserve(sources.size());
    out.layout.staged.reserve(sources.size());
    out.layout.ends.reserve(sources.size() + 1);
    for (std::size_t i = 0; i < sources.size(); ++i) {
        auto read = check_read(core, sources[i], element_size);
        if (!read) return std::unexpected(about_read(std::move(read).error(), i));
        if (read->size_bytes > most - out.layout.ends.back()) {
            return fail(Errc::limit_exceeded, {},
                        text("The first (", grouped(i + 1),
                             ") reads of the batch have more bytes than a program can hold."),
                        "Make several batches of them.");
        }
        const bool empty = read->size_bytes == 0;
        out.work.ranges.push_back({empty ? 0 : buffers.index_of(sources[i].buffer),
                                   read->copy.offset_bytes, read->copy.size_bytes});
        out.layout.staged.push_back(read->skip_bytes);
        out.layout.ends.push_back(out.layout.ends.back() + read->size_bytes);
    }
    out.work.buffers = buffers.take();
    return out;
}

void find_results(WantedReads& reads, const BatchPlan& plan) {
    for (std::size_t i = 0; i < reads.work.ranges.size(); ++i) {
        const BatchRange& range = reads.work.ranges[i];
        if (range.size_bytes > 0) reads.layout.staged[i] += plan.place_of(range, i);
    }
}

/// Moves the packed runs into the front of the slot; answers how many dispatches that took.
Result<std::size_t> record_gather(CommandsState& state, const BatchWork& work,
                                  const BatchPlan& plan, WGPUBuffer slot) {
    auto pass = prepare_pass(state, Spread::gather, plan, work.buffers);
    if (!pass) return std::unexpected(std::move(pass).error());
    const auto table = pass->table_bytes();
    auto memory = acquire_memory(state, table.size());
    if (!memory) return std::unexpected(std::move(memory).error());
    auto to = memory_of(*memory);
    if (!to) return std::unexpected(std::move(to).error());
    std::memcpy(*to, table.data(), table.size());
    auto from = stage(state, *memory);
    if (!from) return std::unexpected(std::move(from).error());
    encode_copy(state, *from, 0, pass->table.get(), 0, table.size());
    if (auto ok = record_pass(state, *pass); !ok) return std::unexpected(std::move(ok).error());
    encode_copy(state, pass->block.get(), 0, slot, 0, plan.places.packed_bytes);
    return pass->groups.size();
}

Result<std::shared_ptr<ReadOperation>> record_reads(CommandsState& state,
                                                    std::span<const BufferView> sources,
                                                    std::size_t element_size,
                                                    const BatchOptions& options) {
    auto reads = check_reads(*state.core, sources, element_size);
    if (!reads) return std::unexpected(std::move(reads).error());
    const BatchWork& work = reads->work;
    auto plan = plan_batch(*state.core, work, Spread::gather, options.way, gap_bytes);
    if (!plan) return std::unexpected(std::move(plan).error());
    find_results(*reads, *plan);

    ReadOperation::Layout layout;
    auto parts = acquire_parts(state, plan->places.size_bytes, layout);
    if (!parts) return std::unexpected(std::move(parts).error());
    BatchReport& report = reads->layout.report;
    report = plan->report();
    for (const auto& buffer : work.buffers) state.use({buffer, false});
    if (plan->places.packed_bytes > 0) {
        auto dispatches = record_gather(state, work, *plan, parts->slot.buffer());
        if (!dispatches) return std::unexpected(std::move(dispatches).error());
        report.dispatches = *dispatches;
        report.copies = 2; // of the table and of the block
    }
    report.copies += record_copies(state, Spread::gather, work, *plan, parts->slot.buffer());
    layout.batch = std::make_shared<const BatchLayout>(std::move(reads->layout));
    return add_read(state, text("The batch of ", sources.size(), " reads"), *std::move(parts),
                    layout);
}

const ReadOperation& read_of(Operation& operation) {
    return static_cast<const ReadOperation&>(operation);
}

} // namespace

Result<std::shared_ptr<const BatchLayout>> batch_layout(Operation& operation) {
    if (operation.error()) return std::unexpected(*operation.error());
    return read_of(operation).layout().batch;
}

void copy_batch(Operation& operation, std::byte* target) noexcept {
    const BatchLayout& layout = *read_of(operation).layout().batch;
    const std::byte* slot = read_of(operation).rows().first;
    for (std::size_t i = 0; i < layout.staged.size(); ++i) {
        const auto size = static_cast<std::size_t>(layout.ends[i + 1] - layout.ends[i]);
        if (size > 0) std::memcpy(target + layout.ends[i], slot + layout.staged[i], size);
    }
    give_back(operation, {});
}

} // namespace detail

detail::OperationPtr Commands::read_batch(std::span<const BufferView> sources,
                                          std::size_t element_size, const BatchOptions& options,
                                          Where where) {
    return detail::read_command(
        state_.get(), "read_each", where, [&](detail::CommandsState& state) {
            return detail::record_reads(state, sources, element_size, options);
        });
}

} // namespace ferry
