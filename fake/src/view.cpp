// SPDX-License-Identifier: MIT
// Texture views.
#include "api.hpp"
#include "texture.hpp"

namespace ferry_fake {

namespace {

using ViewDimension = WGPUTextureViewDimension;

std::uint32_t default_layers(const Texture& texture, ViewDimension dimension, std::uint32_t base) {
    std::uint32_t const rest =
        texture.size.depthOrArrayLayers > base ? texture.size.depthOrArrayLayers - base : 0;
    switch (dimension) {
    case WGPUTextureViewDimension_Cube: return 6;
    case WGPUTextureViewDimension_2DArray:
    case WGPUTextureViewDimension_CubeArray: return rest;
    default: return 1;
    }
}

WGPUTextureViewDescriptor resolve(const Texture& texture, const WGPUTextureViewDescriptor* given) {
    WGPUTextureViewDescriptor view = WGPU_TEXTURE_VIEW_DESCRIPTOR_INIT;
    if (given) view = *given;
    if (view.format == WGPUTextureFormat_Undefined) view.format = texture.format.id;
    if (view.dimension == WGPUTextureViewDimension_Undefined) view.dimension = texture.binding_view;
    if (view.aspect == WGPUTextureAspect_Undefined) view.aspect = WGPUTextureAspect_All;
    if (view.usage == 0) view.usage = texture.usage;
    if (view.mipLevelCount == WGPU_MIP_LEVEL_COUNT_UNDEFINED)
        view.mipLevelCount =
            texture.mip_count > view.baseMipLevel ? texture.mip_count - view.baseMipLevel : 0;
    if (view.arrayLayerCount == WGPU_ARRAY_LAYER_COUNT_UNDEFINED)
        view.arrayLayerCount = default_layers(texture, view.dimension, view.baseArrayLayer);
    return view;
}

bool dimension_fits(const Texture& texture, ViewDimension dimension) {
    const bool is_1d = dimension == WGPUTextureViewDimension_1D;
    const bool is_3d = dimension == WGPUTextureViewDimension_3D;
    return is_1d == (texture.dimension == WGPUTextureDimension_1D) &&
           is_3d == (texture.dimension == WGPUTextureDimension_3D);
}

Check check_view(const Texture& texture, const WGPUTextureViewDescriptor& view) {
    if (!texture.valid) return invalid("A view needs a valid texture.");
    std::uint32_t const layers =
        texture.dimension == WGPUTextureDimension_3D ? 1 : texture.size.depthOrArrayLayers;
    if (view.mipLevelCount == 0 || view.baseMipLevel > texture.mip_count ||
        view.mipLevelCount > texture.mip_count - view.baseMipLevel)
        return invalid("A view's levels (", view.baseMipLevel, " + ", view.mipLevelCount,
                       ") are outside of the texture.");
    if (view.arrayLayerCount == 0 || view.baseArrayLayer > layers ||
        view.arrayLayerCount > layers - view.baseArrayLayer)
        return invalid("A view's layers (", view.baseArrayLayer, " + ", view.arrayLayerCount,
                       ") are outside of the texture.");
    if (!dimension_fits(texture, view.dimension))
        return invalid("A view's dimension does not fit its texture.");
    if (view.dimension == WGPUTextureViewDimension_2D && view.arrayLayerCount != 1)
        return invalid("A 2D view has one layer, not (", view.arrayLayerCount, ").");
    if ((view.usage & ~texture.usage) != 0)
        return invalid("A view's usage has more than its texture's.");
    if (without_srgb(view.format) != without_srgb(texture.format.id) &&
        view.aspect == WGPUTextureAspect_All)
        return invalid("A view's format (", static_cast<int>(view.format),
                       ") does not fit its texture's.");
    return std::nullopt;
}

} // namespace

TextureView::TextureView(Texture& of, const WGPUTextureViewDescriptor& resolved)
    : Object(*of.world, Kind::texture_view), texture(&of), format(resolved.format),
      dimension(resolved.dimension), base_mip(resolved.baseMipLevel),
      mip_count(resolved.mipLevelCount), base_layer(resolved.baseArrayLayer),
      layer_count(resolved.arrayLayerCount), aspect(resolved.aspect), usage(resolved.usage) {
    label = string_of(resolved.label);
}

void TextureView::clear() { texture = {}; }

namespace api {

WGPUTextureView TextureCreateView(WGPUTexture handle, const WGPUTextureViewDescriptor* descriptor) {
    Texture& texture = *trusted(handle);
    const WGPUTextureViewDescriptor resolved = resolve(texture, descriptor);
    const auto view = make<TextureView>(texture, resolved);
    Check problem = texture.world->scripted_problem();
    if (!problem) problem = check_view(texture, resolved);
    view->valid = texture.device->accept(problem);
    return give<WGPUTextureView>(view);
}

} // namespace api
} // namespace ferry_fake
