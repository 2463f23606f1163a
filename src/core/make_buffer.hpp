// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

#include "engine/table.hpp"
#include "ferry/error.hpp"

namespace ferry::detail {

class Core;

struct BufferRequest {
    WGPUBufferUsage usage = WGPUBufferUsage_None;
    std::uint64_t size_bytes = 0; ///< a multiple of 4
    bool mapped = false;          ///< mapped at creation
    std::string_view label{};
};

/// Makes an engine buffer inside error scopes, so that out-of-memory is known at once.
/// Errors: `out_of_memory`, `device_lost`, `engine`.
[[nodiscard]] Result<WGPUBuffer> make_buffer(Core& core, const BufferRequest& request);

} // namespace ferry::detail
