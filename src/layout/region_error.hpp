// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "ferry/layout.hpp"

namespace ferry::detail {

/// `100x50x1`
[[nodiscard]] std::string size_text(const Extent3D& size);
/// `(4, 8, 0)`
[[nodiscard]] std::string place_text(const Origin3D& origin);
[[nodiscard]] std::string_view dimension_text(TextureDimension dimension) noexcept;

/// What is wrong with a texture of no possible shape: `unknown_format` to `texture_unaligned`.
/// `subject`: "The texture".
[[nodiscard]] Error shape_error(CopyProblem problem, const TextureOptions& texture,
                                std::string_view subject);

/// What is wrong with the texture's side of a copy: `mip_out_of_range` to `not_whole`.
/// `subject`: "The target of the texture copy".
[[nodiscard]] Error region_error(CopyProblem problem, const TextureOptions& texture,
                                 const TextureLocation& at, const Extent3D& size,
                                 std::string_view subject);

/// The aspects of a format, as a fix: "Use Aspect::all, ...".
[[nodiscard]] std::string aspect_fix(const FormatInfo& format);

} // namespace ferry::detail
