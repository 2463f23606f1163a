// SPDX-License-Identifier: MIT
#include "resource/texels.hpp"

#include "base/error.hpp"

namespace ferry::detail {

using base::text;

WGPUTexelCopyTextureInfo texture_info(const TextureState& texture, const TextureLocation& at) {
    WGPUTexelCopyTextureInfo info = WGPU_TEXEL_COPY_TEXTURE_INFO_INIT;
    info.texture = texture.handle;
    info.mipLevel = at.mip;
    info.origin = {static_cast<std::uint32_t>(at.origin.x), static_cast<std::uint32_t>(at.origin.y),
                   static_cast<std::uint32_t>(at.origin.z)};
    info.aspect = static_cast<WGPUTextureAspect>(at.aspect);
    return info;
}

WGPUTexelCopyBufferLayout buffer_layout(const CopyPlan& plan) {
    WGPUTexelCopyBufferLayout layout = WGPU_TEXEL_COPY_BUFFER_LAYOUT_INIT; // strides left out
    layout.offset = plan.offset_bytes;
    if (plan.bytes_per_row != 0)
        layout.bytesPerRow = static_cast<std::uint32_t>(plan.bytes_per_row);
    if (plan.rows_per_image != 0)
        layout.rowsPerImage = static_cast<std::uint32_t>(plan.rows_per_image);
    return layout;
}

WGPUExtent3D engine_extent(const Extent3D& size) {
    return {static_cast<std::uint32_t>(size.width), static_cast<std::uint32_t>(size.height),
            static_cast<std::uint32_t>(size.depth_or_array_layers)};
}

Error about(Error error, const TextureState& texture) {
    if (!error.trail.empty()) error.trail += '\n';
    error.trail += text("while copying texels of ", texture.named());
    return error;
}

Result<bool> swaps_red_blue(const FormatInfo& format, PixelOrder wanted, std::string_view texture) {
    if (wanted == PixelOrder::as_stored) return false;
    switch (without_srgb(format.format)) {
    case Format::rgba8_unorm:
    case Format::rgba8_uint: return wanted == PixelOrder::bgra8;
    case Format::bgra8_unorm: return wanted == PixelOrder::rgba8;
    default:
        return base::fail(Errc::invalid_argument, {},
                          text("The ", texture, " has the format ", format.name,
                               ", whose texels are not four 8-bit channels."),
                          "Use Rgba8 and Bgra8 with rgba8unorm, rgba8uint and bgra8unorm; others "
                          "as numbers or bytes.");
    }
}

} // namespace ferry::detail
