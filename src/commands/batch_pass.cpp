// SPDX-License-Identifier: MIT
#include "commands/batch_pass.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "base/align.hpp"
#include "base/error.hpp"
#include "commands/record_read.hpp"
#include "core/make_buffer.hpp"
#include "engine/scope.hpp"

namespace ferry::detail {

namespace {

constexpr std::uint64_t threads_per_group = 64;
constexpr std::uint64_t kept_bytes = std::uint64_t{4} << 20;

constexpr std::string_view move_words = R"(
struct Piece { in_source: u32, in_target: u32, words: u32 }
@group(0) @binding(0) var<storage, read> pieces: array<Piece>;
@group(0) @binding(1) var<storage, read> source: array<u32>;
@group(0) @binding(2) var<storage, read_write> target_: array<u32>;
@compute @workgroup_size(64)
fn move_words(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    for (var i = id.x; i < arrayLength(&pieces); i += groups.x * 64u) {
        let piece = pieces[i];
        for (var word = 0u; word < piece.words; word++) {
            target_[piece.in_target + word] = source[piece.in_source + word];
        }
    }
}
)";

/// A buffer that is used again and again by commands that run one after the other.
class Scratch {
public:
    /// A reference to it, or to a larger one that takes its place.
    Result<HeldBuffer> at_least(Core& core, std::uint64_t wanted_bytes) {
        if (size_bytes_ < wanted_bytes) {
            if (auto ok = make(core, wanted_bytes); !ok)
                return std::unexpected(std::move(ok).error());
        }
        core.gpu().BufferAddRef(buffer_.get());
        HeldBuffer reference(core.gpu(), buffer_.get());
        if (size_bytes_ > kept_bytes) *this = {};
        return reference;
    }

private:
    Result<> make(Core& core, std::uint64_t wanted_bytes) {
        const std::uint64_t limit = core.limits.max_buffer_size_bytes;
        const std::uint64_t size =
            std::max(wanted_bytes, std::min(std::bit_ceil(wanted_bytes), limit));
        auto made = make_buffer(core, {.usage = WGPUBufferUsage_Storage | WGPUBufferUsage_CopySrc |
                                                WGPUBufferUsage_CopyDst,
                                       .size_bytes = size,
                                       .label = "ferry batch"});
        if (!made) return std::unexpected(std::move(made).error());
        buffer_ = HeldBuffer(core.gpu(), *made);
        size_bytes_ = size;
        return {};
    }

    HeldBuffer buffer_{};
    std::uint64_t size_bytes_ = 0;
};

/// What batches of a device share. The core owns it, so it holds none of the core's references.
struct BatchTools final : Spare {
    HeldPipeline pipeline{};
    HeldBindGroupLayout layout{};
    Scratch block{};
    Scratch table{};
};

Result<BatchTools*> tools_of(const std::shared_ptr<Core>& core) {
    auto& kept = core->batch_tools;
    if (!kept) {
        auto kernel = create_kernel(core, move_words, {.label = "ferry batch"});
        if (!kernel) return std::unexpected(std::move(kernel).error());
        auto tools = std::make_unique<BatchTools>();
        tools->pipeline = std::move((*kernel)->pipeline);
        tools->layout = std::move((*kernel)->groups.front());
        kept = std::move(tools);
    }
    return static_cast<BatchTools*>(kept.get());
}

WGPUBindGroupEntry entry(std::uint32_t binding, WGPUBuffer buffer, std::uint64_t offset_bytes,
                         std::uint64_t size_bytes) {
    WGPUBindGroupEntry out = WGPU_BIND_GROUP_ENTRY_INIT;
    out.binding = binding;
    out.buffer = buffer;
    out.offset = offset_bytes;
    out.size = size_bytes;
    return out;
}

Result<HeldBindGroup> bind(Core& core, const BatchTools& tools,
                           const std::array<WGPUBindGroupEntry, 3>& entries) {
    WGPUBindGroupDescriptor descriptor = WGPU_BIND_GROUP_DESCRIPTOR_INIT;
    descriptor.layout = tools.layout.get();
    descriptor.entryCount = entries.size();
    descriptor.entries = entries.data();
    Scope scope(core.instance(), core.device(), Scope::Catch::validation);
    HeldBindGroup group(core.gpu(), core.gpu().DeviceCreateBindGroup(core.device(), &descriptor));
    auto made = core.verdict(scope.close({"binding the buffers of", "a batch"}, group));
    if (!made) return std::unexpected(std::move(made).error());
    return group;
}

} // namespace

Result<ReadyPass> prepare_pass(CommandsState& state, Spread spread, const BatchPlan& batch,
                               std::span<const std::shared_ptr<BufferState>> buffers) {
    Core& core = *state.core;
    auto tools = tools_of(state.core);
    if (!tools) return std::unexpected(std::move(tools).error());
    ReadyPass pass{.plan = plan_pass(spread, batch.merged.runs, batch.choice.packed,
                                     batch.places.of_run, pass_limits(core))};
    const std::uint64_t block_bytes = batch.places.packed_bytes;
    auto block = (*tools)->block.at_least(core, block_bytes);
    if (!block) return std::unexpected(std::move(block).error());
    auto table = (*tools)->table.at_least(core, pass.table_bytes().size());
    if (!table) return std::unexpected(std::move(table).error());
    pass.block = *std::move(block);
    pass.table = *std::move(table);
    for (const PassWindow& window : pass.plan.windows) {
        const std::uint32_t scattered = spread == Spread::gather ? 1 : 2;
        auto group =
            bind(core, **tools,
                 {entry(0, pass.table.get(), window.table_at, window.pieces * sizeof(PassPiece)),
                  entry(scattered, buffers[window.buffer]->handle, window.offset_bytes,
                        window.size_bytes),
                  entry(3 - scattered, pass.block.get(), 0, block_bytes)});
        if (!group) return std::unexpected(std::move(group).error());
        pass.groups.push_back(*std::move(group));
    }
    return pass;
}

std::size_t record_copies(CommandsState& state, Spread spread, const BatchWork& work,
                          const BatchPlan& plan, WGPUBuffer slot) {
    std::size_t copies = 0;
    for (std::size_t i = 0; i < plan.merged.runs.size(); ++i) {
        if (plan.packs(i)) continue;
        const BatchRange& run = plan.merged.runs[i];
        const WGPUBuffer buffer = work.buffers[run.buffer]->handle;
        const std::uint64_t at = plan.places.of_run[i];
        if (spread == Spread::gather) {
            encode_copy(state, buffer, run.offset_bytes, slot, at, run.size_bytes);
        } else {
            encode_copy(state, slot, at, buffer, run.offset_bytes, run.size_bytes);
        }
        ++copies;
    }
    return copies;
}

Result<> record_pass(CommandsState& state, const ReadyPass& ready) {
    const EngineTable& gpu = state.core->gpu();
    auto& tools = static_cast<BatchTools&>(*state.core->batch_tools);
    const HeldPass pass(gpu, gpu.CommandEncoderBeginComputePass(state.encoder.get(), nullptr));
    if (!pass) return base::fail(Errc::engine, {}, "The engine begins no compute pass.");
    gpu.ComputePassEncoderSetPipeline(pass.get(), tools.pipeline.get());
    const std::uint64_t most = state.core->limits.max_compute_workgroups_per_dimension;
    for (std::size_t i = 0; i < ready.groups.size(); ++i) {
        const std::uint64_t pieces = ready.plan.windows[i].pieces;
        const std::uint64_t groups = (pieces + threads_per_group - 1) / threads_per_group;
        gpu.ComputePassEncoderSetBindGroup(pass.get(), 0, ready.groups[i].get(), 0, nullptr);
        gpu.ComputePassEncoderDispatchWorkgroups(
            pass.get(), static_cast<std::uint32_t>(std::min(groups, most)), 1, 1);
    }
    gpu.ComputePassEncoderEnd(pass.get());
    return {};
}

} // namespace ferry::detail
