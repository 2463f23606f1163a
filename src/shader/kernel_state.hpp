// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/held.hpp"
#include "ferry/kernel.hpp"
#include "resource/buffer_state.hpp"
#include "resource/texture_state.hpp"

namespace ferry::detail {

/// Behind `Kernel`.
struct KernelState {
    std::shared_ptr<Core> core;
    std::string label;
    ShaderInfo shader;
    std::size_t entry_index = 0;
    std::array<std::uint32_t, 3> workgroup_size{1, 1, 1};
    std::vector<HeldBindGroupLayout> groups; ///< by @group number; some may be empty of bindings
    HeldPipeline pipeline;

    [[nodiscard]] const EntryPoint& entry() const { return shader.entry_points[entry_index]; }
};

/// A buffer that recorded commands use.
struct BufferUse {
    std::shared_ptr<BufferState> buffer;
    bool writes = false;
};

/// A texture that recorded commands use.
struct TextureUse {
    std::shared_ptr<TextureState> texture;
    bool writes = false;
};

/// Behind `Bindings`.
struct BindingsState {
    std::shared_ptr<KernelState> kernel;
    std::vector<HeldBindGroup> groups; ///< by @group number
    std::vector<HeldTextureView> views;
    std::vector<BufferUse> uses;
    std::vector<TextureUse> texture_uses;
};

[[nodiscard]] Result<std::shared_ptr<KernelState>> create_kernel(std::shared_ptr<Core> core,
                                                                 std::string_view wgsl,
                                                                 const KernelOptions& options);

[[nodiscard]] Result<std::shared_ptr<BindingsState>> bind(
    const std::shared_ptr<KernelState>& kernel, std::span<const Binding> bindings);

} // namespace ferry::detail
