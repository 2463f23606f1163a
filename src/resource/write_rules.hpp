// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "ferry/write.hpp"
#include "resource/buffer_state.hpp"
#include "resource/texture_state.hpp"

namespace ferry::detail {

/// The part of the data that is written, when everything but the state of the buffer is right
/// (rules W-01 to W-09).
[[nodiscard]] Result<std::span<const std::byte>> check_write(
    const Core& core, const std::shared_ptr<BufferState>& target, std::span<const std::byte> data,
    std::size_t element_size, const WriteOptions& options);

/// Texels to write: where they go, and exactly the bytes from the first to the last one needed.
struct TexelSource {
    CopyPlan plan; ///< its offset is 0
    std::span<const std::byte> bytes;
    bool swap_red_blue = false;
};

/// A texture of this device that may be copied to (T-01, T-02).
[[nodiscard]] Result<> check_texel_target(const Core& core,
                                          const std::shared_ptr<TextureState>& target);
/// The same for texels (rules 3.1 to 3.5).
[[nodiscard]] Result<TexelSource> check_texels(const Core& core,
                                               const std::shared_ptr<TextureState>& target,
                                               const TextureLocation& at,
                                               std::span<const std::byte> data, ElementKind element,
                                               const ImageLayout& layout,
                                               const std::optional<Extent3D>& size);

/// A copy of the plan's bytes with red and blue exchanged in every row.
[[nodiscard]] std::vector<std::byte> swapped(const CopyPlan& plan, std::span<const std::byte> data);

} // namespace ferry::detail
