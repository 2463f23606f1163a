// SPDX-License-Identifier: MIT
#pragma once

#include "resource/texture_state.hpp"

namespace ferry::detail {

/// The engine's words for a place in a texture, a layout and a size of a legal plan.
[[nodiscard]] WGPUTexelCopyTextureInfo texture_info(const TextureState& texture,
                                                    const TextureLocation& at);
[[nodiscard]] WGPUTexelCopyBufferLayout buffer_layout(const CopyPlan& plan);
[[nodiscard]] WGPUExtent3D engine_extent(const Extent3D& size);

/// The plan's error, with the texture it is about.
[[nodiscard]] Error about(Error error, const TextureState& texture);

/// Whether pixels in the order `wanted` have red and blue where the format has blue and red.
/// Errors: `invalid_argument` for a format without four 8-bit channels.
[[nodiscard]] Result<bool> swaps_red_blue(const FormatInfo& format, PixelOrder wanted,
                                          std::string_view texture);

} // namespace ferry::detail
