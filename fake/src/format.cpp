// SPDX-License-Identifier: MIT
#include "format.hpp"

#include <iterator>

namespace ferry_fake {

namespace {

// Block bytes of the uncompressed colour formats, in the order of their numbers 0x01 to 0x2B.
constexpr std::uint8_t color_bytes[] = {
    1,  1,  1,  1,    // r8
    2,  2,  2,  2, 2, // r16
    2,  2,  2,  2,    // rg8
    4,  4,  4,        // r32
    4,  4,  4,  4, 4, // rg16
    4,  4,  4,  4, 4, // rgba8
    4,  4,            // bgra8
    4,  4,  4,  4,    // rgb10a2, rg11b10, rgb9e5
    8,  8,  8,        // rg32
    8,  8,  8,  8, 8, // rgba16
    16, 16, 16,       // rgba32
};
static_assert(std::size(color_bytes) == WGPUTextureFormat_RGBA32Sint);
static_assert(WGPUTextureFormat_R8Unorm == 1 && WGPUTextureFormat_R16Unorm == 5 &&
              WGPUTextureFormat_RG8Unorm == 10 && WGPUTextureFormat_R32Float == 14 &&
              WGPUTextureFormat_RG16Unorm == 17 && WGPUTextureFormat_RGBA8Unorm == 22 &&
              WGPUTextureFormat_BGRA8Unorm == 27 && WGPUTextureFormat_RGB10A2Uint == 29 &&
              WGPUTextureFormat_RG32Float == 33 && WGPUTextureFormat_RGBA16Unorm == 36 &&
              WGPUTextureFormat_RGBA32Float == 41);

struct Footprint {
    std::uint8_t width;
    std::uint8_t height;
};
// ASTC block sizes in the order of their numbers; each has a linear and an srgb format.
constexpr Footprint astc_blocks[] = {{4, 4},  {5, 4},   {5, 5},   {6, 5},  {6, 6},
                                     {8, 5},  {8, 6},   {8, 8},   {10, 5}, {10, 6},
                                     {10, 8}, {10, 10}, {12, 10}, {12, 12}};
static_assert(WGPUTextureFormat_ASTC12x12UnormSrgb - WGPUTextureFormat_ASTC4x4Unorm + 1 ==
              2 * std::size(astc_blocks));

bool is_norm16(WGPUTextureFormat id) {
    return id == WGPUTextureFormat_R16Unorm || id == WGPUTextureFormat_R16Snorm ||
           id == WGPUTextureFormat_RG16Unorm || id == WGPUTextureFormat_RG16Snorm ||
           id == WGPUTextureFormat_RGBA16Unorm || id == WGPUTextureFormat_RGBA16Snorm;
}

Format depth_stencil(WGPUTextureFormat id) {
    Format format{.id = id};
    const bool has_stencil = id == WGPUTextureFormat_Stencil8 ||
                             id == WGPUTextureFormat_Depth24PlusStencil8 ||
                             id == WGPUTextureFormat_Depth32FloatStencil8;
    format.stencil_bytes = has_stencil ? 1 : 0;
    format.depth_bytes = id == WGPUTextureFormat_Stencil8       ? 0
                         : id == WGPUTextureFormat_Depth16Unorm ? 2
                                                                : 4;
    format.depth_to_texture = id == WGPUTextureFormat_Depth16Unorm;
    format.depth_from_texture =
        id != WGPUTextureFormat_Depth24Plus && id != WGPUTextureFormat_Depth24PlusStencil8;
    if (id == WGPUTextureFormat_Depth32FloatStencil8)
        format.feature = WGPUFeatureName_Depth32FloatStencil8;
    return format;
}

Format bc(WGPUTextureFormat id) {
    const bool half = id == WGPUTextureFormat_BC1RGBAUnorm ||
                      id == WGPUTextureFormat_BC1RGBAUnormSrgb ||
                      id == WGPUTextureFormat_BC4RUnorm || id == WGPUTextureFormat_BC4RSnorm;
    return {.id = id,
            .block_width = 4,
            .block_height = 4,
            .color_bytes = half ? 8U : 16U,
            .feature = WGPUFeatureName_TextureCompressionBC,
            .feature_3d = WGPUFeatureName_TextureCompressionBCSliced3D};
}

Format etc2(WGPUTextureFormat id) {
    const bool full = id == WGPUTextureFormat_ETC2RGBA8Unorm ||
                      id == WGPUTextureFormat_ETC2RGBA8UnormSrgb ||
                      id == WGPUTextureFormat_EACRG11Unorm || id == WGPUTextureFormat_EACRG11Snorm;
    return {.id = id,
            .block_width = 4,
            .block_height = 4,
            .color_bytes = full ? 16U : 8U,
            .feature = WGPUFeatureName_TextureCompressionETC2};
}

Format astc(WGPUTextureFormat id) {
    const Footprint block = astc_blocks[(id - WGPUTextureFormat_ASTC4x4Unorm) / 2];
    return {.id = id,
            .block_width = block.width,
            .block_height = block.height,
            .color_bytes = 16,
            .feature = WGPUFeatureName_TextureCompressionASTC,
            .feature_3d = WGPUFeatureName_TextureCompressionASTCSliced3D};
}

} // namespace

std::uint32_t Format::bytes(Plane plane) const {
    return plane == Plane::color   ? color_bytes
           : plane == Plane::depth ? depth_bytes
                                   : stencil_bytes;
}

std::optional<Format> format_of(WGPUTextureFormat id) {
    if (id < WGPUTextureFormat_R8Unorm || id > WGPUTextureFormat_ASTC12x12UnormSrgb)
        return std::nullopt;
    if (id >= WGPUTextureFormat_ASTC4x4Unorm) return astc(id);
    if (id >= WGPUTextureFormat_ETC2RGB8Unorm) return etc2(id);
    if (id >= WGPUTextureFormat_BC1RGBAUnorm) return bc(id);
    if (id >= WGPUTextureFormat_Stencil8) return depth_stencil(id);
    Format format{.id = id, .color_bytes = color_bytes[id - 1]};
    if (is_norm16(id)) format.feature = WGPUFeatureName_TextureFormatsTier1;
    if (id == WGPUTextureFormat_BGRA8UnormSrgb)
        format.feature = WGPUFeatureName_CoreFeaturesAndLimits;
    return format;
}

WGPUTextureFormat without_srgb(WGPUTextureFormat id) {
    switch (id) {
    case WGPUTextureFormat_RGBA8UnormSrgb: return WGPUTextureFormat_RGBA8Unorm;
    case WGPUTextureFormat_BGRA8UnormSrgb: return WGPUTextureFormat_BGRA8Unorm;
    case WGPUTextureFormat_BC1RGBAUnormSrgb: return WGPUTextureFormat_BC1RGBAUnorm;
    case WGPUTextureFormat_BC2RGBAUnormSrgb: return WGPUTextureFormat_BC2RGBAUnorm;
    case WGPUTextureFormat_BC3RGBAUnormSrgb: return WGPUTextureFormat_BC3RGBAUnorm;
    case WGPUTextureFormat_BC7RGBAUnormSrgb: return WGPUTextureFormat_BC7RGBAUnorm;
    case WGPUTextureFormat_ETC2RGB8UnormSrgb: return WGPUTextureFormat_ETC2RGB8Unorm;
    case WGPUTextureFormat_ETC2RGB8A1UnormSrgb: return WGPUTextureFormat_ETC2RGB8A1Unorm;
    case WGPUTextureFormat_ETC2RGBA8UnormSrgb: return WGPUTextureFormat_ETC2RGBA8Unorm;
    default: break;
    }
    const bool astc_srgb = id >= WGPUTextureFormat_ASTC4x4Unorm &&
                           id <= WGPUTextureFormat_ASTC12x12UnormSrgb &&
                           (id - WGPUTextureFormat_ASTC4x4Unorm) % 2 == 1;
    return astc_srgb ? static_cast<WGPUTextureFormat>(id - 1) : id;
}

} // namespace ferry_fake
