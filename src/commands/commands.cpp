// SPDX-License-Identifier: MIT
#include "ferry/commands.hpp"

#include "base/error.hpp"
#include "commands/commands_state.hpp"
#include "commands/copy_rules.hpp"
#include "commands/record_command.hpp"
#include "commands/texel_copy.hpp"

namespace ferry {

using base::fail;
using base::text;
using detail::CommandsState;

namespace {

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
    for (const auto& use : bindings.texture_uses) state.use(use.texture);
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

} // namespace

Commands::Commands() noexcept = default;
Commands::Commands(detail::CommandsPtr state) noexcept : state_(std::move(state)) {}
Commands::Commands(Commands&&) noexcept = default;
Commands& Commands::operator=(Commands&&) noexcept = default;
Commands::~Commands() = default;

detail::CommandsPtr Commands::release() noexcept { return std::move(state_); }

const Error* Commands::error() const noexcept {
    return state_ && state_->error ? &*state_->error : nullptr;
}

WGPUCommandEncoderImpl* Commands::raw_encoder() noexcept {
    if (state_) state_->reachable = true;
    return state_ && !state_->error ? state_->encoder.get() : nullptr;
}

void Commands::copy(const BufferView& source, const BufferView& target, Where where) {
    detail::record_command(state_.get(), "copy", where, [&](CommandsState& state) {
        return record_copy(state, source, target);
    });
}

CopyReport Commands::copy_texels(CopyDirection direction, const BufferImage& image,
                                 const TextureAt& place, const std::optional<Extent3D>& size,
                                 Where where) {
    CopyReport report;
    detail::record_command(state_.get(), "copy", where, [&](CommandsState& state) -> Result<> {
        auto done = detail::record_texel_copy(state, direction, image, place, size);
        if (!done) return std::unexpected(std::move(done).error());
        report = *done;
        return {};
    });
    return report;
}

void Commands::copy_textures(const TextureAt& source, const TextureAt& target,
                             const std::optional<Extent3D>& size, Where where) {
    detail::record_command(state_.get(), "copy", where, [&](CommandsState& state) {
        return detail::record_texture_copy(state, source, target, size);
    });
}

void Commands::clear(const BufferView& target, Where where) {
    detail::record_command(state_.get(), "clear", where,
                           [&](CommandsState& state) { return record_clear(state, target); });
}

void Commands::uses(const BufferView& buffer, Where where) {
    detail::record_command(state_.get(), "uses", where, [&](CommandsState& state) {
        auto ok = detail::check_buffer(*state.core, buffer, "used");
        if (ok) state.use({buffer.buffer, gpu_may_write(buffer.buffer->usage)});
        return ok;
    });
}

void Commands::uses(const Texture& texture, Where where) {
    detail::record_command(state_.get(), "uses", where, [&](CommandsState& state) {
        auto ok = detail::check_texture_handle(*state.core, texture.state(), "used");
        if (ok) state.use(texture.state());
        return ok;
    });
}

void Commands::dispatch(const Kernel& kernel, std::initializer_list<Binding> bindings,
                        const DispatchOptions& options, Where where) {
    detail::record_command(state_.get(), "dispatch", where, [&](CommandsState& state) -> Result<> {
        if (!kernel) return std::unexpected(detail::empty_handle("kernel", where));
        auto bound = detail::bind(kernel.state(), bindings);
        if (!bound) return std::unexpected(std::move(bound).error());
        return record_dispatch(state, **bound, options);
    });
}

void Commands::dispatch(const Kernel& kernel, const Bindings& bindings,
                        const DispatchOptions& options, Where where) {
    detail::record_command(state_.get(), "dispatch", where, [&](CommandsState& state) -> Result<> {
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

} // namespace ferry
