// SPDX-License-Identifier: MIT
#pragma once

#include "commands/commands_state.hpp"

namespace ferry::detail {

/// `core` and a non-empty handle. `role`: "source".
[[nodiscard]] Result<> check_texture_handle(const Core& core,
                                            const std::shared_ptr<TextureState>& texture,
                                            std::string_view role);
/// The same, and the usage that a copy needs (T-01, T-02).
[[nodiscard]] Result<> check_texture_side(const Core& core,
                                          const std::shared_ptr<TextureState>& texture,
                                          TextureUsage needed, std::string_view role);

/// The copy of a legal plan, in its direction; nothing for an empty one.
void encode_texel_copy(CommandsState& state, const std::shared_ptr<TextureState>& texture,
                       const CopyPlan& plan, WGPUBuffer buffer);

/// Copies between a buffer and a texture (3.1 to 3.5).
[[nodiscard]] Result<CopyReport> record_texel_copy(CommandsState& state, CopyDirection direction,
                                                   const BufferImage& image, const TextureAt& place,
                                                   const std::optional<Extent3D>& size);

/// Copies between textures (3.6).
[[nodiscard]] Result<> record_texture_copy(CommandsState& state, const TextureAt& source,
                                           const TextureAt& target,
                                           const std::optional<Extent3D>& size);

} // namespace ferry::detail
