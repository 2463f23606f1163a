// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>

#include "base/align.hpp"
#include "base/error.hpp"
#include "base/raised.hpp"
#include "layout/texture_rules.hpp"
#include "transfer/stream_run.hpp"

namespace ferry::detail {

using base::fail;
using base::text;

namespace {

constexpr std::uint64_t smallest_chunk = std::uint64_t{4} << 20;
constexpr std::uint64_t largest_chunk = std::uint64_t{32} << 20;
constexpr std::uint64_t most_in_flight = std::uint64_t{64} << 20;

/// Fewer, larger chunks cost the GPU less; more of them overlap better.
std::uint64_t best_chunk(std::uint64_t total_bytes) noexcept {
    return std::clamp(std::bit_floor(total_bytes / 8), smallest_chunk, largest_chunk);
}

/// The size of a chunk, at most what a buffer may have.
Result<std::uint64_t> chunk_of(const Core& core, const StreamOptions& options,
                               std::uint64_t total_bytes) {
    const std::uint64_t chunk = options.chunk_bytes.value_or(best_chunk(total_bytes));
    if (chunk < 4 || chunk % 4 != 0) {
        return fail(Errc::invalid_argument, {},
                    text("Chunks of (", chunk, ") bytes are no multiple of 4."),
                    text("Leave .chunk_bytes out, or give ",
                         std::max<std::uint64_t>(base::round_down(chunk, 4), 4), '.'));
    }
    if (options.depth == 0U) {
        return fail(Errc::invalid_argument, {}, "A stream with (0) chunks in flight moves nothing.",
                    "Leave .depth out, or give at least 1.");
    }
    const std::uint64_t limit = base::round_down(core.limits.max_buffer_size_bytes, 4);
    if (limit == 0) {
        return fail(Errc::limit_exceeded, "B-07", "The device's limit for a buffer is (0) bytes.",
                    "Adopt a device whose limits can be read.");
    }
    return std::min(chunk, limit);
}

std::uint32_t depth_of(const StreamOptions& options, std::uint64_t chunk_bytes) noexcept {
    return options.depth.value_or(
        static_cast<std::uint32_t>(std::clamp<std::uint64_t>(most_in_flight / chunk_bytes, 1, 4)));
}

} // namespace

Result<StreamPlan> StreamPlan::of_buffer(const Core& core, std::shared_ptr<BufferState> buffer,
                                         const Span64& range, const StreamOptions& options) {
    auto chunk = chunk_of(core, options, range.size_bytes);
    if (!chunk) return std::unexpected(std::move(chunk).error());
    StreamPlan plan;
    plan.depth_ = depth_of(options, *chunk);
    plan.buffer_ = std::move(buffer);
    plan.range_ = range;
    plan.chunk_bytes_ = *chunk;
    return plan;
}

Result<StreamPlan> StreamPlan::of_texture(const Core& core, std::shared_ptr<TextureState> texture,
                                          const CopyPlan& whole, const StreamOptions& options) {
    auto chunk = chunk_of(core, options, whole.is_empty() ? 0 : whole.tight_bytes);
    if (!chunk) return std::unexpected(std::move(chunk).error());
    StreamPlan plan;
    plan.depth_ = depth_of(options, *chunk);
    plan.texture_ = std::move(texture);
    plan.bands_ = TexelBands::cut(whole, *chunk);
    return plan;
}

std::uint64_t StreamPlan::chunks() const noexcept {
    if (texture_) return bands_.count();
    if (range_.size_bytes == 0) return 0;
    return (range_.size_bytes + lead_bytes() - 1) / chunk_bytes_ + 1;
}

std::uint64_t StreamPlan::total_bytes() const noexcept {
    if (texture_) return bands_.whole.is_empty() ? 0 : bands_.whole.tight_bytes;
    return range_.size_bytes;
}

Span64 StreamPlan::range(std::uint64_t chunk) const noexcept {
    const std::uint64_t lead = lead_bytes();
    const std::uint64_t first = chunk == 0 ? 0 : chunk * chunk_bytes_ - lead;
    const std::uint64_t last = std::min((chunk + 1) * chunk_bytes_ - lead, range_.size_bytes);
    return {range_.offset_bytes + first, last - first};
}

std::uint64_t StreamPlan::staging_bytes() const noexcept {
    if (chunks() == 0) return 0;
    return texture_ ? bands_.band(0).staging_bytes : std::min(chunk_bytes_, range_.size_bytes);
}

std::string StreamPlan::named() const { return texture_ ? texture_->named() : buffer_->named(); }

Result<> StreamPlan::check_available(std::string_view doing) const {
    return texture_ ? texture_->check_available({doing}, "T-08")
                    : buffer_->check_available({doing}, "S-02");
}

StreamRun::StreamRun(std::shared_ptr<Core> core, StreamPlan plan, const StreamOptions& options)
    : core_(std::move(core)), plan_(std::move(plan)), options_(options) {}

Result<bool> StreamRun::step() {
    if (stepping_) {
        return fail(Errc::wrong_state, {}, text(named(), " is in the middle of a chunk."),
                    "Do not call step from its own source, target or progress function.");
    }
    const base::Raised stepping(stepping_);
    return move_next();
}

std::string StreamRun::named() const {
    return text("The ", verb_, ' ', plan_.named(), " of (", plan_.total_bytes(), ") bytes");
}

Result<> StreamRun::check_going(std::string_view verb) {
    if (error_) return std::unexpected(*error_);
    if (options_.stop.stop_requested()) {
        return fail_with({Errc::cancelled, {}, text(named(), " was stopped."), {}, {}, {}});
    }
    core_->pump();
    core_->probe_loss();
    if (auto ok = core_->check_usable({verb}); !ok) return fail_with(std::move(ok).error());
    if (auto ok = plan_.check_available(verb); !ok) return fail_with(std::move(ok).error());
    return {};
}

/// A chunk is where it belongs.
Result<> StreamRun::moved(std::uint64_t bytes) {
    report_.bytes += bytes;
    ++report_.chunks;
    if (!options_.progress) return {};
    auto told = guarded("progress function", [&]() -> Result<> {
        options_.progress(progress());
        return {};
    });
    return told;
}

std::unexpected<Error> StreamRun::fail_with(Error error) {
    if (!error.trail.empty()) error.trail += '\n';
    error.trail += text("in the ", verb_, ' ', plan_.named(), " after (", report_.bytes, ") of (",
                        plan_.total_bytes(), ") bytes, which it leaves incomplete");
    error_ = error;
    return std::unexpected(std::move(error));
}

std::vector<std::byte>& StreamRun::scratch(std::uint64_t bytes) {
    scratch_.resize(static_cast<std::size_t>(bytes));
    return scratch_;
}

} // namespace ferry::detail
