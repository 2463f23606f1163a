// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "record_plan.hpp"
#include "render_pass.hpp"

namespace app {

/// Draws the frames of a plan into one texture.
class Painter {
public:
    [[nodiscard]] static Result<Painter> create(ferry::Device& device, const RecordPlan& plan);

    /// Sets the uniforms, which is in order with submits, and records the drawing.
    [[nodiscard]] Result<> paint(ferry::Device& device, ferry::Commands& commands,
                                 std::uint64_t frame);
    [[nodiscard]] const ferry::Texture& picture() const noexcept { return picture_; }

private:
    explicit Painter(const RecordPlan& plan) : plan_(&plan) {}
    [[nodiscard]] Result<> create_resources(ferry::Device& device);
    [[nodiscard]] Result<> create_kernel(ferry::Device& device);
    [[nodiscard]] Result<> create_pass(ferry::Device& device);

    const RecordPlan* plan_;
    ferry::Texture picture_{};
    std::vector<ferry::Buffer> uniforms_{}; ///< one for each of the plan
    std::vector<std::byte> bytes_{};
    ferry::Kernel kernel_{}; ///< of a compute shader
    ferry::Bindings bindings_{};
    std::optional<RenderPass> pass_{}; ///< of a fragment shader
};

} // namespace app
