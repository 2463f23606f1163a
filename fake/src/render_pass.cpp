// SPDX-License-Identifier: MIT
#include "render_pass.hpp"

#include <cmath>
#include <cstring>

#include "api.hpp"
#include "texel_value.hpp"

namespace ferry_fake {

RenderPassEncoder::RenderPassEncoder(CommandEncoder& owner)
    : Object(*owner.world, Kind::render_pass_encoder), encoder(&owner) {}

bool RenderPassEncoder::open_for(const char* what) {
    if (Check scripted = world->scripted_problem()) encoder->fail(*scripted);
    if (!ended && !encoder->finished) return true;
    encoder->device->raise(invalid(what, " on a render pass that has ended."));
    return false;
}

namespace {

// Fills one layer or slice of one plane with a texel.
void fill(const Texture& texture, Plane plane, std::uint32_t mip, std::uint64_t layer,
          const Texel& texel) {
    std::uint64_t const bytes = texture.format.bytes(plane);
    std::byte* const begin = texture.block(plane, mip, 0, 0, layer);
    for (std::uint64_t at = 0; at < texture.layer_bytes(plane, mip); at += bytes)
        std::memcpy(begin + at, texel.data(), bytes);
}

TextureView* attachment(CommandEncoder& encoder, WGPUTextureView handle) {
    Check problem;
    auto* const view = argument(*encoder.world, handle);
    if (!view || !view->valid)
        problem = invalid("An attachment is no usable texture view.");
    else if (!(view->texture->device == encoder.device))
        problem = invalid("An attachment is of another device.");
    else if ((view->usage & WGPUTextureUsage_RenderAttachment) == 0)
        problem = invalid("The texture (", view->texture->label, ") lacks RenderAttachment usage.");
    else if (view->mip_count != 1 || view->layer_count != 1)
        problem = invalid("An attachment is one level and one layer of a texture.");
    if (!problem) return view;
    encoder.fail(*problem);
    return nullptr;
}

void color(CommandEncoder& encoder, const WGPURenderPassColorAttachment& given) {
    if (!given.view) return;
    TextureView* const view = attachment(encoder, given.view);
    if (!view) return;
    Texture& texture = *view->texture;
    if (texture.format.is_depth_stencil())
        return encoder.fail(invalid("A colour attachment is depth-stencil."));
    if (given.loadOp == WGPULoadOp_Undefined || given.storeOp == WGPUStoreOp_Undefined)
        return encoder.fail(invalid("A colour attachment needs a load and a store operation."));
    const bool is_3d = texture.dimension == WGPUTextureDimension_3D;
    if (is_3d == (given.depthSlice == WGPU_DEPTH_SLICE_UNDEFINED))
        return encoder.fail(invalid("depthSlice goes with 3D attachments, and only with them."));
    std::uint32_t const layer = is_3d ? given.depthSlice : view->base_layer;
    if (layer >= texture.physical(view->base_mip).depthOrArrayLayers)
        return encoder.fail(invalid("depthSlice (", layer, ") is outside of the texture."));
    Texel texel{};
    if (!encode_color(view->format, given.clearValue, texel) && given.loadOp == WGPULoadOp_Clear)
        return encoder.fail(
            invalid("The fake cannot clear format (", static_cast<int>(view->format), ")."));
    encoder.uses.add(texture);
    if (given.loadOp != WGPULoadOp_Clear) return;
    encoder.commands.push_back([&texture, mip = view->base_mip, layer, texel] {
        fill(texture, Plane::color, mip, layer, texel);
    });
}

void depth_stencil(CommandEncoder& encoder, const WGPURenderPassDepthStencilAttachment& given) {
    TextureView* const view = attachment(encoder, given.view);
    if (!view) return;
    Texture& texture = *view->texture;
    const Format& format = texture.format;
    if (!format.is_depth_stencil())
        return encoder.fail(invalid("A depth-stencil attachment is a colour texture."));
    const bool clears_depth = format.depth_bytes > 0 && given.depthLoadOp == WGPULoadOp_Clear;
    const bool clears_stencil = format.stencil_bytes > 0 && given.stencilLoadOp == WGPULoadOp_Clear;
    if (clears_depth && !(given.depthClearValue >= 0 && given.depthClearValue <= 1))
        return encoder.fail(
            invalid("depthClearValue (", given.depthClearValue, ") is not in 0 to 1."));
    encoder.uses.add(texture);
    encoder.commands.push_back([=, &texture, mip = view->base_mip, layer = view->base_layer] {
        if (clears_depth)
            fill(texture, Plane::depth, mip, layer,
                 encode_depth(texture.format.id, given.depthClearValue));
        if (clears_stencil)
            fill(texture, Plane::stencil, mip, layer, {std::byte(given.stencilClearValue & 0xff)});
    });
}

bool has_attachment(const WGPURenderPassDescriptor& descriptor) {
    if (descriptor.depthStencilAttachment) return true;
    for (std::size_t i = 0; i < descriptor.colorAttachmentCount; ++i)
        if (descriptor.colorAttachments[i].view) return true;
    return false;
}

} // namespace

namespace api {

WGPURenderPassEncoder CommandEncoderBeginRenderPass(WGPUCommandEncoder handle,
                                                    const WGPURenderPassDescriptor* descriptor) {
    CommandEncoder& encoder = *trusted(handle);
    const auto pass = make<RenderPassEncoder>(encoder);
    pass->label = string_of(descriptor->label);
    pass->ended = !encoder.open_for("BeginRenderPass");
    if (pass->ended) return give<WGPURenderPassEncoder>(pass);
    encoder.in_pass = true;
    if (!has_attachment(*descriptor)) encoder.fail(invalid("A render pass needs an attachment."));
    for (std::size_t i = 0; i < descriptor->colorAttachmentCount; ++i)
        color(encoder, descriptor->colorAttachments[i]);
    if (descriptor->depthStencilAttachment)
        depth_stencil(encoder, *descriptor->depthStencilAttachment);
    return give<WGPURenderPassEncoder>(pass);
}

void RenderPassEncoderEnd(WGPURenderPassEncoder handle) {
    RenderPassEncoder& pass = *trusted(handle);
    if (!pass.open_for("End")) return;
    pass.ended = true;
    pass.encoder->in_pass = false;
}

// Accepted: state and draws, which paint nothing here. clang-format off
#define FERRY_FAKE_ACCEPT(name, ...)                                                               \
    void RenderPassEncoder##name(WGPURenderPassEncoder handle __VA_OPT__(, ) __VA_ARGS__) {        \
        trusted(handle)->open_for(#name);                                                          \
    }
FERRY_FAKE_ACCEPT(SetPipeline, WGPURenderPipeline)
FERRY_FAKE_ACCEPT(SetBindGroup, uint32_t, WGPUBindGroup, size_t, const uint32_t*)
FERRY_FAKE_ACCEPT(SetVertexBuffer, uint32_t, WGPUBuffer, uint64_t, uint64_t)
FERRY_FAKE_ACCEPT(SetIndexBuffer, WGPUBuffer, WGPUIndexFormat, uint64_t, uint64_t)
FERRY_FAKE_ACCEPT(SetViewport, float, float, float, float, float, float)
FERRY_FAKE_ACCEPT(SetScissorRect, uint32_t, uint32_t, uint32_t, uint32_t)
FERRY_FAKE_ACCEPT(SetBlendConstant, const WGPUColor*)
FERRY_FAKE_ACCEPT(SetStencilReference, uint32_t)
FERRY_FAKE_ACCEPT(SetImmediates, uint32_t, const void*, size_t)
FERRY_FAKE_ACCEPT(Draw, uint32_t, uint32_t, uint32_t, uint32_t)
FERRY_FAKE_ACCEPT(DrawIndexed, uint32_t, uint32_t, uint32_t, int32_t, uint32_t)
FERRY_FAKE_ACCEPT(DrawIndirect, WGPUBuffer, uint64_t)
FERRY_FAKE_ACCEPT(DrawIndexedIndirect, WGPUBuffer, uint64_t)
FERRY_FAKE_ACCEPT(BeginOcclusionQuery, uint32_t)
FERRY_FAKE_ACCEPT(EndOcclusionQuery)
FERRY_FAKE_ACCEPT(ExecuteBundles, size_t, const WGPURenderBundle*)
FERRY_FAKE_ACCEPT(InsertDebugMarker, WGPUStringView)
FERRY_FAKE_ACCEPT(PushDebugGroup, WGPUStringView)
FERRY_FAKE_ACCEPT(PopDebugGroup)
#undef FERRY_FAKE_ACCEPT
// clang-format on

} // namespace api
} // namespace ferry_fake
