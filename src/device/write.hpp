// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "ferry/device.hpp"
#include "resource/buffer_state.hpp"

namespace ferry::detail {

/// The rules of writeBuffer (W-01 to W-09), and the write itself.
[[nodiscard]] Result<> write(Core& core, const std::shared_ptr<BufferState>& target,
                             std::span<const std::byte> data, std::size_t element_size,
                             const WriteOptions& options);

} // namespace ferry::detail
