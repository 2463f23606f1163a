// SPDX-License-Identifier: MIT
#include <algorithm>

#include "base/error.hpp"
#include "commands/copy_rules.hpp"
#include "resource/texels.hpp"
#include "transfer/stream_run.hpp"
#include "transfer/submit_own.hpp"

namespace ferry::detail {

using base::text;

namespace {

std::shared_ptr<ReadOperation> read_of(const std::shared_ptr<Core>& core, StagingSlot slot,
                                       const ReadOperation::Layout& layout) {
    return std::make_shared<ReadOperation>(core, "A chunk of a download", std::move(slot), layout);
}

/// Copies to a staging slot in a submit of ferry's own, and asks for its map.
template <class Encode>
Result<std::shared_ptr<ReadOperation>> begin(const std::shared_ptr<Core>& core,
                                             ReadOperation::Layout layout, Encode encode) {
    layout.mapped_bytes = std::max<std::uint64_t>(layout.mapped_bytes, 4);
    auto slot = core->staging().acquire(layout.mapped_bytes);
    if (!slot) return std::unexpected(std::move(slot).error());
    const WGPUBuffer buffer = slot->buffer();
    auto read = read_of(core, *std::move(slot), layout);
    auto sent = submit_own(*core, "ferry download",
                           [&](WGPUCommandEncoder encoder) { encode(encoder, buffer); });
    if (!sent) {
        read->never_sent(0, sent.error());
        return std::unexpected(std::move(sent).error());
    }
    read->sent(0);
    return read;
}

Result<std::shared_ptr<ReadOperation>> begin_range(const std::shared_ptr<Core>& core,
                                                   const BufferState& source,
                                                   const WideRead& wide) {
    return begin(core,
                 {.skip_bytes = wide.skip_bytes,
                  .row_bytes = wide.size_bytes,
                  .mapped_bytes = wide.copy.size_bytes},
                 [&](WGPUCommandEncoder encoder, WGPUBuffer to) {
                     core->gpu().CommandEncoderCopyBufferToBuffer(encoder, source.handle,
                                                                  wide.copy.offset_bytes, to, 0,
                                                                  wide.copy.size_bytes);
                 });
}

Result<std::shared_ptr<ReadOperation>> begin_band(const std::shared_ptr<Core>& core,
                                                  const TextureState& source,
                                                  const CopyPlan& band) {
    return begin(core,
                 {.row_bytes = band.row_bytes,
                  .rows = band.block_rows * band.images,
                  .pitch_bytes = band.bytes_per_row,
                  .mapped_bytes = band.staging_bytes},
                 [&](WGPUCommandEncoder encoder, WGPUBuffer to) {
                     const WGPUTexelCopyTextureInfo from = texture_info(source, band.at);
                     WGPUTexelCopyBufferInfo memory = WGPU_TEXEL_COPY_BUFFER_INFO_INIT;
                     memory.layout = buffer_layout(band);
                     memory.buffer = to;
                     const WGPUExtent3D size = engine_extent(band.size);
                     core->gpu().CommandEncoderCopyTextureToBuffer(encoder, &from, &memory, &size);
                 });
}

} // namespace

DownloadRun::DownloadRun(std::shared_ptr<Core> core, StreamPlan plan, StreamWriter& writer,
                         const StreamOptions& options)
    : StreamRun(std::move(core), std::move(plan), options), writer_(writer) {
    verb_ = "download of";
    writer_.download_begins();
}

Result<bool> DownloadRun::move_next() {
    if (ended_) return true;
    if (auto ok = check_going("download"); !ok) return std::unexpected(std::move(ok).error());
    while (reads_.size() < plan_.depth() && next_ < plan_.chunks()) {
        if (auto ok = ask(); !ok) return fail_with(std::move(ok).error());
    }
    if (!reads_.empty()) {
        const auto read = reads_.front();
        if (!read->done()) return false;
        if (read->error()) return fail_with(*read->error());
        reads_.pop_front();
        if (auto ok = hand_over(*read); !ok) return fail_with(std::move(ok).error());
    }
    ended_ = reads_.empty() && next_ == plan_.chunks();
    if (ended_) writer_.download_ends_well();
    return ended_;
}

Result<> DownloadRun::ask() {
    // The submit of the chunk before may have run callbacks of the program's.
    if (auto ok = plan_.check_available("download"); !ok) return ok;
    Result<std::shared_ptr<ReadOperation>> read;
    if (const TextureState* texture = plan_.texture()) {
        read = begin_band(core_, *texture, plan_.band(next_));
    } else {
        const Span64 range = plan_.range(next_);
        read = begin_range(core_, *plan_.buffer(), widened(range));
    }
    if (!read) return std::unexpected(std::move(read).error());
    ++next_;
    reads_.push_back(*std::move(read));
    std::uint64_t in_flight = 0;
    for (const auto& each : reads_) in_flight += each->layout().mapped_bytes;
    report_.staging_bytes = std::max(report_.staging_bytes, in_flight);
    return {};
}

/// The target sees the bytes where the GPU put them, unless rows have gaps.
Result<> DownloadRun::hand_over(ReadOperation& read) {
    const Rows rows = read.rows();
    std::span<const std::byte> bytes(rows.first, rows.size_bytes());
    if (rows.rows > 1 && rows.pitch_bytes != rows.row_bytes) {
        auto& tight = scratch(rows.size_bytes());
        core_->crew().copy_rows(tight.data(), rows.row_bytes, rows.first, rows.pitch_bytes,
                                rows.row_bytes, rows.rows);
        bytes = tight;
    }
    auto taken = writer_.take(bytes, *core_);
    read.give_back();
    if (!taken) return taken;
    return moved(bytes.size());
}

} // namespace ferry::detail
