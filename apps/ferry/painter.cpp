// SPDX-License-Identifier: MIT
#include "painter.hpp"

#include <span>
#include <utility>

namespace app {

using ferry::BufferUsage;
using ferry::TextureUsage;

Result<Painter> Painter::create(ferry::Device& device, const RecordPlan& plan) {
    Painter painter(plan);
    if (auto ok = painter.create_resources(device); !ok)
        return std::unexpected(std::move(ok).error());
    auto ok = plan.is_compute() ? painter.create_kernel(device) : painter.create_pass(device);
    if (!ok) return std::unexpected(std::move(ok).error());
    return painter;
}

Result<> Painter::create_resources(ferry::Device& device) {
    const TextureUsage drawn =
        plan_->is_compute() ? TextureUsage::storage_binding : TextureUsage::render_attachment;
    auto picture = device.create_texture({.format = ferry::Format::rgba8_unorm,
                                          .size = {plan_->width, plan_->height},
                                          .usage = drawn | TextureUsage::copy_src,
                                          .label = "picture"});
    if (!picture) return std::unexpected(std::move(picture).error());
    picture_ = *std::move(picture);
    for (const FrameUniform& each : plan_->uniforms) {
        fill_uniform(*plan_, each, 0, bytes_);
        auto buffer = device.create_buffer({.usage = BufferUsage::uniform | BufferUsage::copy_dst,
                                            .size_bytes = bytes_.size(),
                                            .label = each.binding->name});
        if (!buffer) return std::unexpected(std::move(buffer).error());
        uniforms_.push_back(*std::move(buffer));
    }
    return {};
}

Result<> Painter::create_kernel(ferry::Device& device) {
    auto kernel = device.create_kernel(plan_->shader.wgsl, {.entry = plan_->shader.entry->name});
    if (!kernel) return std::unexpected(std::move(kernel).error());
    kernel_ = *std::move(kernel);
    std::vector<ferry::Binding> list{{plan_->target->name, picture_}};
    for (std::size_t i = 0; i < uniforms_.size(); ++i)
        list.emplace_back(plan_->uniforms[i].binding->name, uniforms_[i]);
    auto bindings = device.bind(kernel_, std::span<const ferry::Binding>(list));
    if (!bindings) return std::unexpected(std::move(bindings).error());
    bindings_ = *std::move(bindings);
    return {};
}

Result<> Painter::create_pass(ferry::Device& device) {
    std::vector<PassUniform> list;
    for (std::size_t i = 0; i < uniforms_.size(); ++i) {
        const ferry::ShaderBinding& binding = *plan_->uniforms[i].binding;
        list.push_back({binding.group, binding.binding, &uniforms_[i]});
    }
    auto pass = RenderPass::create(
        device, picture_,
        {.wgsl = plan_->shader.wgsl, .entry = plan_->shader.entry->name, .uniforms = list});
    if (!pass) return std::unexpected(std::move(pass).error());
    pass_ = *std::move(pass);
    return {};
}

Result<> Painter::paint(ferry::Device& device, ferry::Commands& commands, std::uint64_t frame) {
    for (std::size_t i = 0; i < uniforms_.size(); ++i) {
        fill_uniform(*plan_, plan_->uniforms[i], frame, bytes_);
        if (auto ok = device.write(uniforms_[i], bytes_); !ok) return ok;
        commands.uses(uniforms_[i]);
    }
    if (plan_->is_compute()) {
        commands.dispatch(kernel_, bindings_, {.threads = {plan_->width, plan_->height}});
        return {};
    }
    commands.uses(picture_);
    pass_->record(commands);
    return {};
}

} // namespace app
