// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "resource/buffer_state.hpp"

namespace ferry::detail {

/// A buffer of zeros.
[[nodiscard]] Result<std::shared_ptr<BufferState>> create_buffer(std::shared_ptr<Core> core,
                                                                 const BufferOptions& options);
/// A buffer that is mapped for writing.
[[nodiscard]] Result<std::shared_ptr<BufferState>> create_mapped(std::shared_ptr<Core> core,
                                                                 const BufferOptions& options);
/// A buffer filled with `data`; what `options.size_bytes` asks beyond it is zero.
[[nodiscard]] Result<std::shared_ptr<BufferState>> create_filled(std::shared_ptr<Core> core,
                                                                 std::span<const std::byte> data,
                                                                 BufferOptions options);

} // namespace ferry::detail
