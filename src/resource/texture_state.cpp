// SPDX-License-Identifier: MIT
#include "resource/texture_state.hpp"

#include <array>

#include "base/error.hpp"
#include "engine/held.hpp"
#include "engine/scope.hpp"
#include "layout/texture_rules.hpp"
#include "resource/texels.hpp"

namespace ferry::detail {

using base::fail;
using base::text;

static_assert(static_cast<int>(TextureDimension::d3) == WGPUTextureDimension_3D);
static_assert(static_cast<int>(Aspect::depth_only) == WGPUTextureAspect_DepthOnly);

TextureState::TextureState(std::shared_ptr<Core> device_core, WGPUTexture texture) noexcept
    : core(std::move(device_core)), handle(texture) {}

TextureState::~TextureState() { core->gpu().TextureRelease(handle); }

std::string TextureState::named() const { return text("texture \"", label, '"'); }

void TextureState::destroy() noexcept {
    if (std::exchange(destroyed, true)) return;
    core->gpu().TextureDestroy(handle);
}

Result<> TextureState::check_available(const base::Clause& doing, std::string_view rule) const {
    if (destroyed) {
        return fail(Errc::wrong_state, rule,
                    text("Cannot ", doing, ' ', named(), ": it is destroyed."),
                    "Make a new texture; destroy() is final.");
    }
    if (core->usable()) return {};
    const std::string clause = text(doing, " texture");
    return core->check_usable({clause, label});
}

namespace {
/// A block of zeros in each level makes the engine fill them all with zeros.
void fill(const TextureState& texture) {
    static constexpr std::array<std::byte, 16> zeros{}; // the largest block
    const FormatInfo format = format_info(texture.options.format);
    const WGPUExtent3D block{format.block_width, format.block_height, 1};
    const WGPUTexelCopyBufferLayout layout = WGPU_TEXEL_COPY_BUFFER_LAYOUT_INIT;
    for (std::uint32_t mip = 0; mip < texture.options.mip_levels; ++mip) {
        const WGPUTexelCopyTextureInfo level = texture_info(texture, {.mip = mip});
        texture.core->gpu().QueueWriteTexture(texture.core->queue(), &level, zeros.data(),
                                              format.color.block_bytes, &layout, &block);
    }
    texture.core->note_write(texture.options.mip_levels * format.color.block_bytes);
}
} // namespace

Result<std::shared_ptr<TextureState>> create_texture(std::shared_ptr<Core> core,
                                                     const TextureOptions& options) {
    core->pump();
    if (auto ok = core->check_usable({"create a texture"}); !ok)
        return std::unexpected(std::move(ok).error());
    if (auto ok = check_texture(options, core->limits, core->features); !ok)
        return std::unexpected(std::move(ok).error());
    WGPUTextureDescriptor descriptor = WGPU_TEXTURE_DESCRIPTOR_INIT;
    descriptor.label = view(options.label);
    descriptor.usage = static_cast<WGPUTextureUsage>(options.usage);
    descriptor.dimension = static_cast<WGPUTextureDimension>(options.dimension);
    descriptor.size = {static_cast<std::uint32_t>(options.size.width),
                       static_cast<std::uint32_t>(options.size.height),
                       static_cast<std::uint32_t>(options.size.depth_or_array_layers)};
    descriptor.format = static_cast<WGPUTextureFormat>(options.format);
    descriptor.mipLevelCount = options.mip_levels;
    descriptor.sampleCount = options.sample_count;
    const bool fills =
        options.dimension == TextureDimension::d3 && core->gpu().quirks.fill_3d_at_creation;
    if (fills) descriptor.usage |= WGPUTextureUsage_CopyDst;
    Scope scope(core->instance(), core->device(), Scope::Catch::validation_and_memory);
    HeldTexture made(core->gpu(), core->gpu().DeviceCreateTexture(core->device(), &descriptor));
    if (auto ok = core->verdict(scope.close({"creating texture", options.label}, made)); !ok)
        return std::unexpected(std::move(ok).error());
    auto state = std::make_shared<TextureState>(std::move(core), made.release());
    state->label = options.label;
    state->options = options;
    state->options.label = state->label;
    if (fills) fill(*state);
    return state;
}

} // namespace ferry::detail
