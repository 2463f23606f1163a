// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "core/core.hpp"
#include "ferry/write.hpp"

namespace ferry::detail {

/// A path and the size of its pieces: a multiple of 4, and at least the whole for `queue_whole`.
struct Route {
    UploadPath path = UploadPath::queue_whole;
    std::uint64_t piece_bytes = 0;
};

/// The route of a write, forced or chosen. Errors: `invalid_argument` for `mapped_at_creation`.
[[nodiscard]] Result<Route> write_route(const Core& core, std::uint64_t size_bytes,
                                        UploadPath forced);
/// The route of a buffer's first data. Errors: `invalid_argument` when a forced one needs
/// `copy_dst`, and the buffer has it not.
[[nodiscard]] Result<Route> create_route(const Core& core, std::uint64_t data_bytes,
                                         const BufferOptions& options);

[[nodiscard]] UploadChoice explain_write(const Core& core, std::uint64_t size_bytes);
[[nodiscard]] UploadChoice explain_create(const Core& core, std::uint64_t size_bytes,
                                          BufferUsage usage);

} // namespace ferry::detail
