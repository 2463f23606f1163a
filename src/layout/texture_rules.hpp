// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>

#include "ferry/layout.hpp"
#include "ferry/limits.hpp"

namespace ferry::detail {

/// The rules of createTexture (3.2), for a device with these limits and features.
[[nodiscard]] Result<> check_texture(const TextureOptions& texture, const Limits& limits,
                                     std::span<const Feature> features);

/// One side of a copy between textures.
struct TexturePlace {
    const TextureOptions& texture;
    const TextureLocation& at;
};

enum class Textures : bool { different, same };

/// The rules of copyTextureToTexture that need no state and no usage, with T-03 to
/// T-07 on both sides. Answers the size that is copied, in whole blocks.
[[nodiscard]] Result<Extent3D> check_texture_copy(const TexturePlace& source,
                                                  const TexturePlace& target,
                                                  const std::optional<Extent3D>& size,
                                                  Textures textures);

} // namespace ferry::detail
