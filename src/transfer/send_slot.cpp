// SPDX-License-Identifier: MIT
#include "transfer/send_slot.hpp"

#include "base/align.hpp"
#include "base/backoff.hpp"
#include "resource/texels.hpp"
#include "transfer/submit_own.hpp"

namespace ferry::detail {

namespace {

constexpr std::chrono::milliseconds patience{2};

template <class Encode>
Result<> send(UploadSlots& slots, std::uint32_t index, Encode encode) {
    Core& core = slots.core();
    auto staged = slots.stage(index, false);
    if (!staged) {
        slots.drop(index);
        return std::unexpected(std::move(staged).error());
    }
    auto sent = submit_own(core, "ferry upload",
                           [&](WGPUCommandEncoder encoder) { encode(encoder, *staged); });
    if (sent) {
        slots.sent(index);
    } else {
        slots.never_sent(index, sent.error());
    }
    return sent;
}

} // namespace

Result<std::uint32_t> acquire_soon(UploadSlots& slots, std::uint64_t size_bytes) {
    base::Backoff backoff(patience);
    for (;;) {
        slots.core().pump();
        auto slot = slots.acquire(size_bytes, PoolPolicy::refuse);
        if (slot || slot.error().code != Errc::busy || !backoff.pause()) return slot;
    }
}

Result<> send_slot(UploadSlots& slots, std::uint32_t index, const BufferState& target,
                   std::uint64_t offset_bytes) {
    const std::uint64_t size = *base::round_up(slots.slot(index).size_bytes, 4);
    return send(slots, index, [&](WGPUCommandEncoder encoder, WGPUBuffer from) {
        slots.core().gpu().CommandEncoderCopyBufferToBuffer(encoder, from, 0, target.handle,
                                                            offset_bytes, size);
    });
}

Result<> send_slot(UploadSlots& slots, std::uint32_t index, const TextureState& target,
                   const CopyPlan& plan) {
    return send(slots, index, [&](WGPUCommandEncoder encoder, WGPUBuffer from) {
        const WGPUTexelCopyTextureInfo to = texture_info(target, plan.at);
        WGPUTexelCopyBufferInfo memory = WGPU_TEXEL_COPY_BUFFER_INFO_INIT;
        memory.layout = buffer_layout(plan);
        memory.buffer = from;
        const WGPUExtent3D size = engine_extent(plan.size);
        slots.core().gpu().CommandEncoderCopyBufferToTexture(encoder, &memory, &to, &size);
    });
}

} // namespace ferry::detail
