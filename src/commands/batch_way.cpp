// SPDX-License-Identifier: MIT
#include "commands/batch_way.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace ferry {

std::string_view name(BatchWay way) noexcept {
    switch (way) {
    case BatchWay::automatic: return "automatic";
    case BatchWay::copies: return "copies";
    case BatchWay::compute: return "compute";
    }
    return "unknown";
}

namespace detail {

using base::fail;
using base::grouped;
using base::text;

namespace {

/// Longer runs are left to copies, which cost little beside their bytes.
constexpr std::uint64_t short_bytes = std::uint64_t{4} << 10;

struct Crossover {
    EngineKind engine;
    AdapterKind adapter;
    std::size_t to_gather;
    std::size_t to_scatter;
};

/// Measured with bench/batch.cpp: ranges of 16 bytes in a buffer of 40 MB. wgpu-native v29 on
/// lavapipe: 64 copies take 70 us and a gather 65; Dawn of October 2026 on SwiftShader: 128 copies
/// take 71 us and a gather 71. On an NVIDIA H200 16 copies take 54 and 60 us and a gather 49
/// and 48.
constexpr Crossover crossovers[] = {
    {EngineKind::wgpu_native, AdapterKind::cpu, 64, 48},
    {EngineKind::wgpu_native, AdapterKind::discrete, 16, 14},
    {EngineKind::dawn, AdapterKind::cpu, 128, 112},
    {EngineKind::dawn, AdapterKind::discrete, 16, 14},
};

constexpr std::string_view asked_for = "the caller chose it";
constexpr std::string_view not_measured =
    "compute passes were not measured on this engine and kind of adapter";
constexpr std::string_view few_runs =
    "no buffer with the usage storage has enough short runs for a compute pass";
constexpr std::string_view many_runs = "more short runs in one buffer than copies are good for";
constexpr std::string_view no_short_run = "no short run lies in a buffer with the usage storage";
constexpr std::string_view too_much = "the short runs together are too many bytes for one binding";

BatchChoice copies(std::string_view reason) { return {BatchWay::copies, reason, {}}; }

} // namespace

std::size_t crossover(const Core& core, Spread spread) {
    for (const Crossover& row : crossovers) {
        if (row.engine != core.gpu().kind || row.adapter != core.adapter.kind) continue;
        return spread == Spread::gather ? row.to_gather : row.to_scatter;
    }
    return 0;
}

BatchChoice choose_way(BatchWay wanted, std::size_t crossover, std::span<const BatchRange> runs,
                       const std::vector<bool>& storage, std::uint64_t binding_bytes) {
    const bool free_choice = wanted == BatchWay::automatic;
    if (wanted == BatchWay::copies) return copies(asked_for);
    if (free_choice && crossover == 0) return copies(not_measured);
    const auto suits = [&](const BatchRange& run) {
        return run.size_bytes <= short_bytes && storage[run.buffer];
    };
    std::vector<std::size_t> counts(storage.size());
    for (const BatchRange& run : runs) counts[run.buffer] += suits(run) ? 1U : 0U;
    const std::size_t least = free_choice ? crossover : 1;
    BatchChoice out{BatchWay::compute, free_choice ? many_runs : asked_for, {}};
    out.packed.reserve(runs.size());
    std::uint64_t packed_bytes = 0;
    for (const BatchRange& run : runs) {
        const bool packs = suits(run) && counts[run.buffer] >= least;
        out.packed.push_back(packs);
        packed_bytes += packs ? run.size_bytes : 0;
    }
    if (packed_bytes == 0) return copies(free_choice ? few_runs : no_short_run);
    // The table of a pass is at most three times as large as what the pass moves.
    return packed_bytes <= binding_bytes / 4 ? out : copies(too_much);
}

PassLimits pass_limits(const Core& core) {
    constexpr std::uint64_t most = std::uint64_t{1} << 31; // shaders count in 32 bits
    return {std::min(core.limits.max_storage_buffer_binding_size_bytes, most),
            std::max<std::uint64_t>(core.limits.min_storage_buffer_offset_alignment, 4)};
}

Result<BatchPlan> plan_batch(const Core& core, const BatchWork& work, Spread spread,
                             BatchWay wanted, std::uint64_t gap_bytes) {
    std::vector<bool> storage;
    for (const auto& buffer : work.buffers) {
        storage.push_back(has(buffer->usage, BufferUsage::storage) && !buffer->destroyed);
    }
    BatchPlan plan{.merged = merge(work.ranges, gap_bytes), .choice = {}, .places = {}};
    plan.choice = choose_way(wanted, crossover(core, spread), plan.merged.runs, storage,
                             pass_limits(core).binding_bytes);
    auto places = lay_out(plan.merged.runs, plan.choice.packed);
    const std::uint64_t limit = core.limits.max_buffer_size_bytes;
    if (!places || places->size_bytes > limit) {
        return fail(Errc::limit_exceeded, "B-07",
                    text("The (", grouped(work.ranges.size()), ") ranges of the batch have (",
                         places ? grouped(places->size_bytes) : "2^64 or more",
                         ") bytes together, over the device's limit of (", grouped(limit),
                         ") for the buffer that takes them."),
                    "Make several batches of them.");
    }
    plan.places = *std::move(places);
    return plan;
}

std::uint32_t BatchBuffers::index_of(const std::shared_ptr<BufferState>& buffer) {
    if (!buffers_.empty() && buffers_[last_] == buffer) return last_;
    const auto [place, fresh] =
        known_.try_emplace(buffer.get(), static_cast<std::uint32_t>(buffers_.size()));
    if (fresh) buffers_.push_back(buffer);
    return last_ = place->second;
}

} // namespace detail

} // namespace ferry
