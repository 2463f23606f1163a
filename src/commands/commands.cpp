// SPDX-License-Identifier: MIT
#include "ferry/commands.hpp"

#include <optional>

#include "base/align.hpp"
#include "base/error.hpp"
#include "commands/commands_state.hpp"
#include "commands/copy_rules.hpp"
#include "engine/scope.hpp"

namespace ferry {

using base::fail;
using base::text;
using detail::CommandsState;

namespace {

/// Counts the command and runs `body`, unless an earlier command was wrong; keeps its error.
template <class Body>
void record_command(CommandsState* state, std::string_view command, std::source_location where,
                    Body body) {
    if (state == nullptr) return;
    ++state->recorded;
    if (state->error) return;
    // An encoder that the user can reach may be finished, or inside a pass of his: some engines end
    // the process then.
    std::optional<detail::Scope> scope;
    if (state->reachable) {
        scope.emplace(state->core->instance(), state->core->device(),
                      detail::Scope::Catch::validation);
    }
    Result<> done = body(*state);
    if (scope) {
        auto said = state->core->verdict(scope->close({"recording a", {}, command}));
        if (done) done = std::move(said);
    }
    if (!done) state->fail(std::move(done).error(), command, where);
}

Result<> record_copy(CommandsState& state, const BufferView& source, const BufferView& target) {
    if (auto ok = detail::check_buffer(*state.core, source, "source"); !ok) return ok;
    if (auto ok = detail::check_buffer(*state.core, target, "target"); !ok) return ok;
    auto plan = detail::plan_copy(source, target);
    if (!plan) return std::unexpected(std::move(plan).error());
    if (plan->source.size_bytes == 0) return {};
    state.use({source.buffer, false});
    state.use({target.buffer, true});
    state.core->gpu().CommandEncoderCopyBufferToBuffer(
        state.encoder.get(), source.buffer->handle, plan->source.offset_bytes,
        target.buffer->handle, plan->target.offset_bytes, plan->source.size_bytes);
    return {};
}

bool gpu_may_write(BufferUsage usage) {
    return has(usage, BufferUsage::copy_dst) || has(usage, BufferUsage::storage) ||
           has(usage, BufferUsage::query_resolve);
}

Result<> record_clear(CommandsState& state, const BufferView& target) {
    if (auto ok = detail::check_buffer(*state.core, target, "target"); !ok) return ok;
    auto range = detail::plan_clear(target);
    if (!range) return std::unexpected(std::move(range).error());
    if (range->size_bytes == 0) return {}; // an explicit 0 ends the process on wgpu-native (K-11)
    state.use({target.buffer, true});
    state.core->gpu().CommandEncoderClearBuffer(state.encoder.get(), target.buffer->handle,
                                                range->offset_bytes, range->size_bytes);
    return {};
}

/// Workgroups in each dimension, within the device's limit.
Result<std::array<std::uint32_t, 3>> count_groups(const detail::KernelState& kernel,
                                                  const DispatchOptions& options) {
    if (options.threads.given == options.groups.given) {
        return fail(Errc::invalid_argument, {},
                    text("The dispatch of \"", kernel.label, "\" says ",
                         options.threads.given ? "both" : "neither", " how many threads",
                         options.threads.given ? " and" : " nor", " how many groups."),
                    "Give exactly one: .threads = n, or .groups = n.");
    }
    const Grid wanted = options.threads.given ? options.threads : options.groups;
    const std::array<std::uint64_t, 3> counts{wanted.x, wanted.y, wanted.z};
    const std::uint64_t most = kernel.core->limits.max_compute_workgroups_per_dimension;
    std::array<std::uint32_t, 3> out{};
    for (std::size_t i = 0; i < 3; ++i) {
        const std::uint64_t per_group = options.threads.given ? kernel.workgroup_size[i] : 1;
        const std::uint64_t groups = counts[i] / per_group + (counts[i] % per_group != 0 ? 1 : 0);
        if (groups > most) {
            return fail(Errc::limit_exceeded, {},
                        text("The dispatch of \"", kernel.label, "\" needs (", groups,
                             ") workgroups in dimension ", "xyz"[i],
                             ", over the device's limit of (", most, ")."),
                        text("Let each thread work on several elements: a loop with the stride of "
                             "all threads, and .groups "
                             "= ",
                             most,
                             " or fewer (--groups on the command line); or use two dimensions."));
        }
        out[i] = static_cast<std::uint32_t>(groups);
    }
    return out;
}

Result<> record_dispatch(CommandsState& state, const detail::BindingsState& bindings,
                         const DispatchOptions& options) {
    const detail::KernelState& kernel = *bindings.kernel;
    if (kernel.core != state.core) {
        return fail(Errc::invalid_argument, {},
                    text("The kernel \"", kernel.label, "\" belongs to another device."),
                    "Use kernels of the device that records.");
    }
    auto groups = count_groups(kernel, options);
    if (!groups) return std::unexpected(std::move(groups).error());
    for (const auto& use : bindings.uses) state.use(use);
    const detail::EngineTable& gpu = state.core->gpu();
    const detail::HeldPass pass(gpu,
                                gpu.CommandEncoderBeginComputePass(state.encoder.get(), nullptr));
    if (!pass) return fail(Errc::engine, {}, "The engine begins no compute pass.");
    gpu.ComputePassEncoderSetPipeline(pass.get(), kernel.pipeline.get());
    for (std::size_t i = 0; i < bindings.groups.size(); ++i) {
        gpu.ComputePassEncoderSetBindGroup(pass.get(), static_cast<std::uint32_t>(i),
                                           bindings.groups[i].get(), 0, nullptr);
    }
    gpu.ComputePassEncoderDispatchWorkgroups(pass.get(), (*groups)[0], (*groups)[1], (*groups)[2]);
    gpu.ComputePassEncoderEnd(pass.get());
    return {};
}

/// What a read needs, had before anything of it is recorded: nothing half-recorded remains.
struct ReadParts {
    detail::StagingSlot slot;
    detail::Stamps::Stamp stamp{}; ///< with an encoder of the user's: copied behind the bytes
};

Result<ReadParts> acquire_parts(CommandsState& state, std::uint64_t mapped_bytes) {
    ReadParts parts;
    if (state.owner == detail::Owner::user) {
        auto stamp = state.core->stamps().next(*state.core);
        if (!stamp) return std::unexpected(std::move(stamp).error());
        parts.stamp = *stamp;
    }
    auto slot = state.core->staging().acquire(mapped_bytes);
    if (!slot) return std::unexpected(std::move(slot).error());
    parts.slot = *std::move(slot);
    return parts;
}

void encode_copy(CommandsState& state, WGPUBuffer from, std::uint64_t from_bytes, WGPUBuffer to,
                 std::uint64_t to_bytes, std::uint64_t size_bytes) {
    if (size_bytes == 0) return;
    state.core->gpu().CommandEncoderCopyBufferToBuffer(state.encoder.get(), from, from_bytes, to,
                                                       to_bytes, size_bytes);
}

Result<std::shared_ptr<detail::ReadOperation>> record_read(CommandsState& state,
                                                           const BufferView& source,
                                                           std::size_t element_size) {
    if (auto ok = detail::check_buffer(*state.core, source, "source"); !ok) {
        return std::unexpected(std::move(ok).error());
    }
    auto plan = detail::plan_read(source, element_size);
    if (!plan) return std::unexpected(std::move(plan).error());
    const bool stamped = state.owner == detail::Owner::user;
    detail::ReadOperation::Layout layout{.skip_bytes = plan->skip_bytes,
                                         .size_bytes = plan->size_bytes};
    layout.stamp_at = *base::round_up(plan->copy.size_bytes, 8);
    layout.mapped_bytes = stamped ? layout.stamp_at + sizeof(std::uint64_t)
                                  : std::max<std::uint64_t>(plan->copy.size_bytes, 4);
    auto parts = acquire_parts(state, layout.mapped_bytes);
    if (!parts) return std::unexpected(std::move(parts).error());
    const WGPUBuffer staging = parts->slot.buffer();
    if (plan->copy.size_bytes > 0) state.use({source.buffer, false});
    encode_copy(state, source.buffer->handle, plan->copy.offset_bytes, staging, 0,
                plan->copy.size_bytes);
    if (stamped) {
        layout.stamp = parts->stamp.value;
        encode_copy(state, parts->stamp.buffer, parts->stamp.offset_bytes, staging, layout.stamp_at,
                    sizeof(std::uint64_t));
    }
    return std::make_shared<detail::ReadOperation>(
        state.core, text("The read of ", plan->size_bytes, " bytes of ", source.buffer->named()),
        std::move(parts->slot), layout);
}

} // namespace

Commands::Commands() noexcept = default;
Commands::Commands(std::unique_ptr<CommandsState> state) noexcept : state_(std::move(state)) {}
Commands::Commands(Commands&&) noexcept = default;
Commands& Commands::operator=(Commands&&) noexcept = default;
Commands::~Commands() = default;

std::unique_ptr<CommandsState> Commands::release() noexcept { return std::move(state_); }

const Error* Commands::error() const noexcept {
    return state_ && state_->error ? &*state_->error : nullptr;
}

WGPUCommandEncoderImpl* Commands::raw_encoder() noexcept {
    if (state_) state_->reachable = true;
    return state_ && !state_->error ? state_->encoder.get() : nullptr;
}

void Commands::copy(const BufferView& source, const BufferView& target, Where where) {
    record_command(state_.get(), "copy", where,
                   [&](CommandsState& state) { return record_copy(state, source, target); });
}

void Commands::clear(const BufferView& target, Where where) {
    record_command(state_.get(), "clear", where,
                   [&](CommandsState& state) { return record_clear(state, target); });
}

void Commands::uses(const BufferView& buffer, Where where) {
    record_command(state_.get(), "uses", where, [&](CommandsState& state) {
        auto ok = detail::check_buffer(*state.core, buffer, "used");
        if (ok) state.use({buffer.buffer, gpu_may_write(buffer.buffer->usage)});
        return ok;
    });
}

void Commands::dispatch(const Kernel& kernel, std::initializer_list<Binding> bindings,
                        const DispatchOptions& options, Where where) {
    record_command(state_.get(), "dispatch", where, [&](CommandsState& state) -> Result<> {
        if (!kernel) return std::unexpected(detail::empty_handle("kernel", where));
        auto bound = detail::bind(kernel.state(), bindings);
        if (!bound) return std::unexpected(std::move(bound).error());
        return record_dispatch(state, **bound, options);
    });
}

void Commands::dispatch(const Kernel& kernel, const Bindings& bindings,
                        const DispatchOptions& options, Where where) {
    record_command(state_.get(), "dispatch", where, [&](CommandsState& state) -> Result<> {
        if (!kernel || !bindings)
            return std::unexpected(detail::empty_handle(kernel ? "bindings" : "kernel", where));
        if (bindings.state()->kernel != kernel.state()) {
            return fail(
                Errc::invalid_argument, {},
                text("The bindings were made for another kernel than \"", kernel.label(), "\"."),
                "Bind for this kernel: Device::bind.");
        }
        return record_dispatch(state, *bindings.state(), options);
    });
}

detail::OperationPtr Commands::read_bytes(const BufferView& source, std::size_t element_size,
                                          Where where) {
    if (!state_) return detail::Operation::failed(detail::empty_handle("commands", where));
    std::shared_ptr<detail::ReadOperation> operation;
    record_command(state_.get(), "read", where, [&](CommandsState& state) -> Result<> {
        auto recorded = record_read(state, source, element_size);
        if (!recorded) return std::unexpected(std::move(recorded).error());
        operation = *std::move(recorded);
        state.reads.push_back(operation);
        return {};
    });
    if (!operation) return detail::Operation::failed(*state_->error);
    return operation;
}

} // namespace ferry
