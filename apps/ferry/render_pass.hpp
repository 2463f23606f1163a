// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "common.hpp"
#include "ferry/device.hpp"

namespace app {

/// A uniform buffer for a fragment shader.
struct PassUniform {
    std::uint32_t group = 0;
    std::uint32_t binding = 0;
    const ferry::Buffer* buffer = nullptr;
};

struct PassOptions {
    std::string_view wgsl;
    std::string_view entry; ///< a fragment entry point with one output
    std::span<const PassUniform> uniforms;
};

/// A fragment shader over a whole texture: one triangle that covers it. ferry has no render
/// pipelines, so this is webgpu.h on ferry's encoder.
class RenderPass {
public:
    /// The target needs `render_attachment`. Errors: `invalid_argument` for WGSL that does not
    /// compile, `engine` for an entry point that does not fit, `unsupported` for an engine without
    /// render passes.
    [[nodiscard]] static Result<RenderPass> create(ferry::Device& device,
                                                   const ferry::Texture& target,
                                                   const PassOptions& options);

    /// The caller names buffers and target with `Commands::uses`.
    void record(ferry::Commands& commands) const;

private:
    struct State;
    explicit RenderPass(std::shared_ptr<const State> state) noexcept : state_(std::move(state)) {}
    std::shared_ptr<const State> state_;
};

} // namespace app
