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
/// The options with at least the size of the data, which is the default.
[[nodiscard]] Result<BufferOptions> with_size_of(std::uint64_t data_bytes, BufferOptions options);
/// A buffer born with `data`, at most its size; the rest is zero.
[[nodiscard]] Result<std::shared_ptr<BufferState>> create_filled(const std::shared_ptr<Core>& core,
                                                                 std::span<const std::byte> data,
                                                                 const BufferOptions& options);

} // namespace ferry::detail
