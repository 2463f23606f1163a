// SPDX-License-Identifier: MIT
// Shader modules and pipelines. Shaders do not run: the test registers host functions for entry
// points.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "binding.hpp"
#include "wgsl.hpp"

namespace ferry_fake {

struct ShaderModule final : Plain<Kind::shader_module> {
    using Plain::Plain;
    void clear() override;

    std::string code;
    Wgsl wgsl;
};

struct ComputePipeline final : Plain<Kind::compute_pipeline> {
    using Plain::Plain;
    void clear() override;

    Ref<ShaderModule> module;
    std::string entry_point;
    std::vector<std::pair<std::string, double>> constants;
    std::vector<Ref<BindGroupLayout>> groups;
};

// Accepted and carried around; nothing is drawn.
struct RenderPipeline final : Plain<Kind::render_pipeline> {
    using Plain::Plain;
};

} // namespace ferry_fake
