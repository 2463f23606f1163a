// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "ferry/device.hpp"
#include "resource/buffer_state.hpp"
#include "resource/texture_state.hpp"

namespace ferry::detail {

/// The rules of writeBuffer (W-01 to W-09), and the write itself, on the path that is chosen.
[[nodiscard]] Result<> write(Core& core, const std::shared_ptr<BufferState>& target,
                             std::span<const std::byte> data, std::size_t element_size,
                             const WriteOptions& options);

/// A buffer filled with `data`, on the path that is chosen.
[[nodiscard]] Result<std::shared_ptr<BufferState>> create_with_bytes(
    const std::shared_ptr<Core>& core, std::span<const std::byte> data,
    const BufferOptions& options);

/// Writes texels through the queue (rules 3.1 to 3.5, without L-06 and L-07).
[[nodiscard]] Result<> write_texels(Core& core, const std::shared_ptr<TextureState>& target,
                                    const TextureLocation& at, std::span<const std::byte> data,
                                    ElementKind element, const ImageLayout& layout,
                                    const std::optional<Extent3D>& size);

/// Writes every level from data in which they lie tight behind each other.
[[nodiscard]] Result<> write_levels(Core& core, const std::shared_ptr<TextureState>& target,
                                    std::span<const std::byte> data, ElementKind element);

} // namespace ferry::detail
