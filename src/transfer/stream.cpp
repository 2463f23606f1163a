// SPDX-License-Identifier: MIT
#include "ferry/stream.hpp"

#include "base/backoff.hpp"
#include "base/error.hpp"
#include "base/located.hpp"
#include "commands/copy_rules.hpp"
#include "commands/texel_copy.hpp"
#include "ferry/device.hpp"
#include "resource/texels.hpp"
#include "transfer/stream_run.hpp"

namespace ferry {

using base::fail;
using base::located;
using base::text;
using detail::StreamPlan;

namespace {

Result<std::shared_ptr<detail::Core>> core_of(const Device& device, bool moved_from) {
    if (!device) return std::unexpected(detail::empty_handle("device", {}));
    if (moved_from) return std::unexpected(detail::empty_handle("stream", {}));
    device.core()->pump();
    if (auto ok = device.core()->check_usable({"begin a stream"}); !ok)
        return std::unexpected(std::move(ok).error());
    return device.core();
}

Result<StreamPlan> plan_upload(const detail::Core& core, const BufferView& target,
                               const StreamOptions& options) {
    if (auto ok = detail::check_buffer(core, target, "target"); !ok)
        return std::unexpected(std::move(ok).error());
    auto range = detail::resolve_write(target);
    if (!range) return std::unexpected(std::move(range).error());
    return StreamPlan::of_buffer(core, target.buffer, *range, options);
}

Result<StreamPlan> plan_download(const detail::Core& core, const BufferView& source,
                                 const StreamOptions& options) {
    if (auto ok = detail::check_buffer(core, source, "source"); !ok)
        return std::unexpected(std::move(ok).error());
    auto wide = detail::plan_read(source, 1);
    if (!wide) return std::unexpected(std::move(wide).error());
    return StreamPlan::of_buffer(core, source.buffer,
                                 {wide->copy.offset_bytes + wide->skip_bytes, wide->size_bytes},
                                 options);
}

Result<StreamPlan> plan_texels(const detail::Core& core, CopyDirection direction,
                               const TextureAt& place, const std::optional<Extent3D>& size,
                               const StreamOptions& options) {
    const bool reads = direction == CopyDirection::texture_to_buffer;
    if (auto ok = detail::check_texture_side(
            core, place.texture, reads ? TextureUsage::copy_src : TextureUsage::copy_dst,
            reads ? "source" : "target");
        !ok) {
        return std::unexpected(std::move(ok).error());
    }
    const CopyPlan whole = detail::padded_plan(direction, place.texture->options, place.at, size,
                                               core.row_alignment_bytes);
    if (!whole) return std::unexpected(detail::about(whole.error(), *place.texture));
    return StreamPlan::of_texture(core, place.texture, whole, options);
}

/// Steps until the end; waits while the GPU has the chunks.
template <class Stream>
Result<StreamReport> to_end(Result<Stream> stream, const StreamOptions& options,
                            std::source_location where) {
    if (!stream) return std::unexpected(std::move(stream).error());
    base::Backoff backoff(options.patience);
    std::uint64_t done_bytes = 0;
    for (;;) {
        auto done = stream->step(where);
        if (!done) return std::unexpected(std::move(done).error());
        if (*done) return stream->report();
        const StreamProgress now = stream->progress();
        if (std::exchange(done_bytes, now.done_bytes) != now.done_bytes) {
            backoff = base::Backoff(options.patience);
        } else if (!backoff.pause()) {
            return fail(Errc::timeout, {},
                        text("The GPU has finished nothing of a stream for ",
                             options.patience.count() / 1'000'000, " ms, after (", now.done_bytes,
                             ") of (", now.total_bytes, ") bytes."),
                        "Give .patience of more than the longest work on the GPU.", where);
        }
    }
}

} // namespace

Upload::Upload() noexcept = default;
Upload::Upload(std::shared_ptr<detail::UploadRun> run) noexcept : run_(std::move(run)) {}
Upload::Upload(Upload&&) noexcept = default;
Upload& Upload::operator=(Upload&&) noexcept = default;
Upload::~Upload() = default;

Result<Upload> Upload::begin(Device& device, StreamSource& source, const BufferView& target,
                             const StreamOptions& options, Where where) {
    return located(
        [&]() -> Result<Upload> {
            auto core = core_of(device, !source);
            if (!core) return std::unexpected(std::move(core).error());
            auto plan = plan_upload(**core, target, options);
            if (!plan) return std::unexpected(std::move(plan).error());
            return Upload(std::make_shared<detail::UploadRun>(*core, *std::move(plan),
                                                              source.reader(), options));
        }(),
        where);
}

Result<Upload> Upload::begin(Device& device, StreamSource& source, const TextureAt& target,
                             const std::optional<Extent3D>& size, const StreamOptions& options,
                             Where where) {
    return located(
        [&]() -> Result<Upload> {
            auto core = core_of(device, !source);
            if (!core) return std::unexpected(std::move(core).error());
            auto plan =
                plan_texels(**core, CopyDirection::buffer_to_texture, target, size, options);
            if (!plan) return std::unexpected(std::move(plan).error());
            return Upload(std::make_shared<detail::UploadRun>(*core, *std::move(plan),
                                                              source.reader(), options));
        }(),
        where);
}

Result<bool> Upload::step(Where where) {
    const auto run = run_; // the source may drop this object
    if (!run) return std::unexpected(detail::empty_handle("upload", where));
    return located(run->step(), where);
}

StreamProgress Upload::progress() const noexcept {
    return run_ ? run_->progress() : StreamProgress{};
}
StreamReport Upload::report() const noexcept { return run_ ? run_->report() : StreamReport{}; }

Download::Download() noexcept = default;
Download::Download(std::shared_ptr<detail::DownloadRun> run) noexcept : run_(std::move(run)) {}
Download::Download(Download&&) noexcept = default;
Download& Download::operator=(Download&&) noexcept = default;
Download::~Download() = default;

Result<Download> Download::begin(Device& device, const BufferView& source, StreamTarget& target,
                                 const StreamOptions& options, Where where) {
    return located(
        [&]() -> Result<Download> {
            auto core = core_of(device, !target);
            if (!core) return std::unexpected(std::move(core).error());
            auto plan = plan_download(**core, source, options);
            if (!plan) return std::unexpected(std::move(plan).error());
            return Download(std::make_shared<detail::DownloadRun>(*core, *std::move(plan),
                                                                  target.writer(), options));
        }(),
        where);
}

Result<Download> Download::begin(Device& device, const TextureAt& source, StreamTarget& target,
                                 const std::optional<Extent3D>& size, const StreamOptions& options,
                                 Where where) {
    return located(
        [&]() -> Result<Download> {
            auto core = core_of(device, !target);
            if (!core) return std::unexpected(std::move(core).error());
            auto plan =
                plan_texels(**core, CopyDirection::texture_to_buffer, source, size, options);
            if (!plan) return std::unexpected(std::move(plan).error());
            return Download(std::make_shared<detail::DownloadRun>(*core, *std::move(plan),
                                                                  target.writer(), options));
        }(),
        where);
}

Result<bool> Download::step(Where where) {
    const auto run = run_; // the target may drop this object
    if (!run) return std::unexpected(detail::empty_handle("download", where));
    return located(run->step(), where);
}

StreamProgress Download::progress() const noexcept {
    return run_ ? run_->progress() : StreamProgress{};
}
StreamReport Download::report() const noexcept { return run_ ? run_->report() : StreamReport{}; }

Result<StreamReport> upload(Device& device, StreamSource& source, const BufferView& target,
                            const StreamOptions& options, std::source_location where) {
    return to_end(Upload::begin(device, source, target, options, where), options, where);
}

Result<StreamReport> upload(Device& device, StreamSource& source, const TextureAt& target,
                            const std::optional<Extent3D>& size, const StreamOptions& options,
                            std::source_location where) {
    return to_end(Upload::begin(device, source, target, size, options, where), options, where);
}

Result<StreamReport> download(Device& device, const BufferView& source, StreamTarget& target,
                              const StreamOptions& options, std::source_location where) {
    return to_end(Download::begin(device, source, target, options, where), options, where);
}

Result<StreamReport> download(Device& device, const TextureAt& source, StreamTarget& target,
                              const std::optional<Extent3D>& size, const StreamOptions& options,
                              std::source_location where) {
    return to_end(Download::begin(device, source, target, size, options, where), options, where);
}

} // namespace ferry
