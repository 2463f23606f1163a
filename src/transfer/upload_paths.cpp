// SPDX-License-Identifier: MIT
#include "transfer/upload_paths.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "base/error.hpp"
#include "base/text.hpp"

namespace ferry {

std::string_view name(UploadPath path) noexcept {
    switch (path) {
    case UploadPath::automatic: return "automatic";
    case UploadPath::queue_whole: return "queue_whole";
    case UploadPath::queue_pieces: return "queue_pieces";
    case UploadPath::pool: return "pool";
    case UploadPath::mapped_at_creation: return "mapped_at_creation";
    }
    return "unknown";
}

namespace detail {

using base::grouped;
using base::text;

namespace {

constexpr std::uint64_t KiB = 1024;
constexpr std::uint64_t MiB = 1024 * KiB;
constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

/// The fastest path from this size on.
struct Band {
    std::uint64_t from_bytes = never;
    UploadPath path = UploadPath::queue_whole;
};
using Bands = std::array<Band, 3>; ///< by size; the first one begins at 0

struct PathRow {
    EngineKind engine = EngineKind::unknown;
    bool cpu = false; ///< the adapter is the CPU: its memory is the host's
    std::uint64_t queue_piece = 4 * MiB;
    std::uint64_t pool_piece = 4 * MiB;
    Bands write;
    Bands create; ///< of first data, where `copy_dst` leaves a choice
    std::string_view measured;
};

using enum UploadPath;

/// Measured with `ferry bench paths`, with and without `--create`.
constexpr std::array path_rows{
    PathRow{.engine = EngineKind::wgpu_native,
            .cpu = true,
            .write = {{{0, queue_whole}, {512 * KiB, pool}}},
            .create = {{{0, queue_whole}, {512 * KiB, pool}, {128 * MiB, queue_pieces}}},
            .measured = "wgpu-native 29.0.1.1 on llvmpipe"},
    PathRow{.engine = EngineKind::wgpu_native,
            .pool_piece = 8 * MiB,
            .write = {{{0, queue_whole}, {512 * KiB, pool}}},
            .create = {{{0, queue_whole}, {512 * KiB, pool}}},
            .measured = "wgpu-native 29.0.1.1 on an NVIDIA H200"},
    PathRow{.engine = EngineKind::dawn,
            .cpu = true,
            .write = {{{0, queue_whole}, {1 * MiB, pool}}},
            .create = {{{0, queue_whole}, {256 * MiB, queue_pieces}}},
            .measured = "Dawn of October 2026 on SwiftShader"},
    PathRow{.engine = EngineKind::dawn,
            .queue_piece = 512 * KiB,
            .pool_piece = 8 * MiB,
            .write = {{{0, queue_whole}, {1536 * KiB, pool}}},
            .create = {{{0, queue_whole}, {1536 * KiB, pool}}},
            .measured = "Dawn of October 2026 on an NVIDIA H200"},
};

/// An engine without measurements writes through the queue, which every engine does well enough.
constexpr PathRow unmeasured{
    .write = {{{0, queue_whole}}}, .create = {{{0, mapped_at_creation}}}, .measured = "nothing"};

const PathRow& row_of(const Core& core) noexcept {
    const bool cpu = core.adapter.kind == AdapterKind::cpu;
    const auto* found = std::ranges::find_if(path_rows, [&](const PathRow& row) {
        return row.engine == core.gpu().kind && row.cpu == cpu;
    });
    return found == path_rows.end() ? unmeasured : *found;
}

Route route_along(const PathRow& row, UploadPath path) noexcept {
    switch (path) {
    case UploadPath::queue_pieces: return {path, row.queue_piece};
    case UploadPath::pool: return {path, row.pool_piece};
    default: return {path, never};
    }
}

Route best_along(const PathRow& row, const Bands& bands, std::uint64_t size_bytes) noexcept {
    UploadPath path = bands.front().path;
    for (const Band& band : bands) {
        if (size_bytes >= band.from_bytes) path = band.path;
    }
    return route_along(row, path);
}

Route best_write(const PathRow& row, std::uint64_t size_bytes) noexcept {
    return best_along(row, row.write, size_bytes);
}

Route best_create(const PathRow& row, std::uint64_t size_bytes, BufferUsage usage) noexcept {
    if (!has(usage, BufferUsage::copy_dst)) return route_along(row, mapped_at_creation);
    return best_along(row, row.create, size_bytes);
}

std::string because(const PathRow& row, std::uint64_t size_bytes, std::string_view what) {
    if (row.engine == EngineKind::unknown)
        return text("This engine was not measured, and a queue write is right everywhere.");
    return text("For (", grouped(size_bytes), ") bytes this ", what, " on ", row.measured, '.');
}

UploadChoice explained(const Route& route, std::uint64_t size_bytes, std::string reason) {
    return {route.path, std::min(route.piece_bytes, size_bytes), std::move(reason)};
}

} // namespace

Result<Route> write_route(const Core& core, std::uint64_t size_bytes, UploadPath forced) {
    const PathRow& row = row_of(core);
    if (forced == UploadPath::automatic) return best_write(row, size_bytes);
    if (forced != UploadPath::mapped_at_creation) return route_along(row, forced);
    return base::fail(Errc::invalid_argument, {},
                      "A write takes no path mapped_at_creation: the buffer is there already.",
                      "Leave .path out, or give the data to create_buffer.");
}

Result<Route> create_route(const Core& core, std::uint64_t data_bytes,
                           const BufferOptions& options) {
    const PathRow& row = row_of(core);
    if (options.path == UploadPath::automatic) return best_create(row, data_bytes, options.usage);
    if (options.path == UploadPath::mapped_at_creation || has(options.usage, BufferUsage::copy_dst))
        return route_along(row, options.path);
    return base::fail(Errc::invalid_argument, "W-08",
                      text("The path ", name(options.path), " writes to the buffer \"",
                           options.label, "\", which lacks the usage copy_dst."),
                      "Leave .path out, or make the buffer with BufferUsage::copy_dst.");
}

UploadChoice explain_write(const Core& core, std::uint64_t size_bytes) {
    const PathRow& row = row_of(core);
    return explained(best_write(row, size_bytes), size_bytes,
                     because(row, size_bytes, "was the fastest write"));
}

UploadChoice explain_create(const Core& core, std::uint64_t size_bytes, BufferUsage usage) {
    const PathRow& row = row_of(core);
    const Route route = best_create(row, size_bytes, usage);
    if (!has(usage, BufferUsage::copy_dst)) {
        return explained(route, size_bytes,
                         "Without the usage copy_dst a buffer can only be born with its data.");
    }
    return explained(route, size_bytes, because(row, size_bytes, "was the fastest creation"));
}

} // namespace detail

} // namespace ferry
