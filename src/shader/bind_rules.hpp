// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "shader/kernel_state.hpp"

namespace ferry::detail {

/// `binding "x" (@group(0) @binding(1)) of "main"`, for messages.
[[nodiscard]] std::string named(const KernelState& kernel, const ShaderBinding& binding);

/// Checks a buffer against the binding that it is given for.
[[nodiscard]] Result<WGPUBindGroupEntry> buffer_entry(const KernelState& kernel,
                                                      const ShaderBinding& binding,
                                                      const BufferView& view);

/// A `TextureViewRange` with everything filled in.
struct ViewPart {
    std::uint32_t mip = 0;
    std::uint32_t mip_levels = 0;
    std::uint32_t layer = 0;
    std::uint32_t layers = 0;
    Aspect aspect = Aspect::all;
};

/// Checks a texture against the binding that it is given for.
[[nodiscard]] Result<ViewPart> texture_part(const KernelState& kernel, const ShaderBinding& binding,
                                            const TextureView& view);

[[nodiscard]] Result<HeldTextureView> create_view(const KernelState& kernel,
                                                  const ShaderBinding& binding,
                                                  const TextureState& texture,
                                                  const ViewPart& part);

/// Checks the entry point's bindings, whatever will be bound to them.
[[nodiscard]] Result<> check_bindings(const Core& core, const ShaderInfo& shader,
                                      const EntryPoint& entry);

/// How the engine is told what a binding takes; for bindings that `check_bindings` lets through.
[[nodiscard]] WGPUBindGroupLayoutEntry layout_entry(const ShaderBinding& binding);

[[nodiscard]] WGPUTextureViewDimension view_dimension(TextureShape shape);

[[nodiscard]] constexpr bool is_buffer(BindingKind kind) noexcept {
    return kind <= BindingKind::read_only_storage_buffer;
}
[[nodiscard]] constexpr bool is_texture(BindingKind kind) noexcept {
    return kind == BindingKind::texture || kind == BindingKind::storage_texture;
}
/// Whether a dispatch may write through the binding.
[[nodiscard]] constexpr bool writes(const ShaderBinding& binding) noexcept {
    return binding.kind == BindingKind::storage_buffer ||
           (binding.kind == BindingKind::storage_texture &&
            binding.texture.access != TextureAccess::read);
}

} // namespace ferry::detail
