// SPDX-License-Identifier: MIT
#include "base/align.hpp"
#include "base/error.hpp"
#include "engine/scope.hpp"
#include "shader/bind_rules.hpp"
#include "shader/scan_types.hpp"

namespace ferry::detail {

using base::fail;
using base::text;

namespace {

constexpr std::uint32_t cube_faces = 6;

std::string_view name_of(ScalarKind kind) {
    switch (kind) {
    case ScalarKind::u32: return "u32";
    case ScalarKind::i32: return "i32";
    default: return "f32";
    }
}

std::string_view name_of(TextureDimension dimension) {
    switch (dimension) {
    case TextureDimension::d1: return "1D";
    case TextureDimension::d3: return "3D";
    default: return "2D";
    }
}

TextureDimension dimension_of(TextureShape shape) {
    if (shape == TextureShape::d1) return TextureDimension::d1;
    return shape == TextureShape::d3 ? TextureDimension::d3 : TextureDimension::d2;
}

bool is_cube(TextureShape shape) {
    return shape == TextureShape::cube || shape == TextureShape::cube_array;
}

/// How many layers a view of that shape has; empty where any number will do.
std::optional<std::uint32_t> fixed_layers(TextureShape shape) {
    if (shape == TextureShape::d2_array || shape == TextureShape::cube_array) return std::nullopt;
    return shape == TextureShape::cube ? cube_faces : 1;
}

std::uint32_t layers_of(const TextureOptions& options) {
    if (options.dimension != TextureDimension::d2) return 1;
    return static_cast<std::uint32_t>(options.size.depth_or_array_layers);
}

std::uint32_t rest(std::uint32_t all, std::uint32_t from) { return from < all ? all - from : 0; }

/// `The binding "x" ... is a texture_2d<f32>`
std::string typed(const KernelState& kernel, const ShaderBinding& binding) {
    return text("The ", named(kernel, binding), " is a ", binding.type.name);
}

Result<> check_owner(const KernelState& kernel, const TextureState& texture) {
    if (texture.core == kernel.core) return texture.check_available({"bind"}, {});
    return fail(
        Errc::invalid_argument, {},
        text("The ", texture.named(), " belongs to another device than \"", kernel.label, "\"."),
        "Use textures and kernels of one device.");
}

Result<> check_usage(const KernelState& kernel, const ShaderBinding& binding,
                     const TextureState& texture) {
    const bool storage = binding.kind == BindingKind::storage_texture;
    const TextureUsage wanted =
        storage ? TextureUsage::storage_binding : TextureUsage::texture_binding;
    if (has(texture.options.usage, wanted)) return {};
    const std::string_view name = storage ? "storage_binding" : "texture_binding";
    return fail(Errc::invalid_argument, {},
                text("The ", texture.named(), " lacks the usage ", name, " for ",
                     named(kernel, binding), '.'),
                text("Make it with TextureUsage::", name, '.'));
}

Result<> check_shape(const KernelState& kernel, const ShaderBinding& binding,
                     const TextureState& texture) {
    const TextureDimension wanted = dimension_of(binding.texture.shape);
    const TextureOptions& options = texture.options;
    if (options.dimension != wanted) {
        return fail(Errc::invalid_argument, {},
                    text(typed(kernel, binding), ", and ", texture.named(), " is a ",
                         name_of(options.dimension), " texture."),
                    text("Bind a ", name_of(wanted), " texture, or declare the binding as one for ",
                         name_of(options.dimension), '.'));
    }
    if ((options.sample_count > 1) != binding.texture.multisampled) {
        return fail(
            Errc::invalid_argument, {},
            text(typed(kernel, binding), ", and ", texture.named(), " has (", options.sample_count,
                 options.sample_count > 1 ? ") samples per texel." : ") sample per texel."),
            binding.texture.multisampled
                ? "Bind a texture with .sample_count = 4, or declare the binding as texture_2d."
                : "Declare the binding as texture_multisampled_2d, or bind a texture with one "
                  "sample per texel.");
    }
    if (is_cube(binding.texture.shape) && options.size.width != options.size.height) {
        return fail(Errc::invalid_argument, {},
                    text(typed(kernel, binding), ", and ", texture.named(), " of (",
                         options.size.width, " x ", options.size.height, ") texels is not square."),
                    "Bind a square texture with 6 layers for each cube.");
    }
    return {};
}

Result<> check_storage_format(const KernelState& kernel, const ShaderBinding& binding,
                              const TextureState& texture) {
    const std::string_view format = name(texture.options.format);
    if (format == binding.texture.format) return {};
    return fail(
        Errc::invalid_argument, {},
        text(typed(kernel, binding), ", and ", texture.named(), " is of format ", format, '.'),
        text("Declare the binding with the format ", format, ", or bind a texture of ",
             binding.texture.format, '.'));
}

/// Of a texture with depth and stencil a binding sees the one that its type can hold.
Aspect chosen_aspect(const FormatInfo& format, const WgslTexture& type, Aspect asked) {
    if (asked != Aspect::all || !format.depth.present || !format.stencil.present) return asked;
    return type.sample == ScalarKind::u32 ? Aspect::stencil_only : Aspect::depth_only;
}

/// What the shader loads is what the texels are.
Result<> check_sample(const KernelState& kernel, const ShaderBinding& binding,
                      const TextureState& texture, Aspect aspect) {
    const FormatInfo format = format_info(texture.options.format);
    if (!format.select(aspect).present) {
        return fail(Errc::invalid_argument, {},
                    text("The ", texture.named(), " of format ", format.name, " has no aspect (",
                         name(aspect), ") for ", named(kernel, binding), '.'),
                    "Leave the aspect out.");
    }
    const bool depth = format.depth.present && aspect != Aspect::stencil_only;
    if (binding.texture.depth && !depth) {
        return fail(Errc::invalid_argument, {},
                    text(typed(kernel, binding), ", and ", texture.named(), " of format ",
                         format.name, " gives it no depth."),
                    "Bind the depth of a texture with a depth format, or declare the binding "
                    "without \"depth\": texture_2d<f32>.");
    }
    const bool stencil = format.is_depth_stencil() && !depth;
    const ScalarKind texel = stencil ? ScalarKind::u32 : shader::sample_of_format(format.name);
    if (texel == binding.texture.sample) return {};
    return fail(Errc::invalid_argument, {},
                text(typed(kernel, binding), ", and texels of ", texture.named(), " of format ",
                     format.name, " are ", name_of(texel), '.'),
                text("Declare the binding with <", name_of(texel),
                     ">, or bind a texture whose texels are ", name_of(binding.texture.sample),
                     '.'));
}

Result<> check_levels(const KernelState& kernel, const ShaderBinding& binding,
                      const TextureState& texture, const ViewPart& part) {
    const std::uint32_t all = texture.options.mip_levels;
    if (part.mip_levels == 0 || !base::fits(part.mip, part.mip_levels, all)) {
        return fail(Errc::invalid_argument, {},
                    text("The mip levels (first ", part.mip, ", count ", part.mip_levels, ") for ",
                         named(kernel, binding), " are not in ", texture.named(), " of (", all,
                         ") levels."),
                    text("Bind levels from 0 to ", all - 1, '.'));
    }
    if (binding.kind != BindingKind::storage_texture || part.mip_levels == 1) return {};
    return fail(Errc::invalid_argument, {},
                text(typed(kernel, binding), ", which sees one mip level, not (", part.mip_levels,
                     ") of ", texture.named(), '.'),
                "Leave mip_levels out; bind each level in a dispatch of its own.");
}

Result<> check_layers(const KernelState& kernel, const ShaderBinding& binding,
                      const TextureState& texture, const ViewPart& part) {
    const TextureShape shape = binding.texture.shape;
    const std::optional<std::uint32_t> wanted = fixed_layers(shape);
    const bool whole_cubes = !is_cube(shape) || part.layers % cube_faces == 0;
    if (part.layers != wanted.value_or(part.layers) || !whole_cubes) {
        return fail(Errc::invalid_argument, {},
                    text(typed(kernel, binding), ", which takes ",
                         wanted ? text('(', *wanted, ')') : "a multiple of (6)", " layers, not (",
                         part.layers, ") of ", texture.named(), '.'),
                    wanted ? "Leave layers out, or declare the binding as an array."
                           : "Bind 6 layers for each cube.");
    }
    const std::uint32_t all = layers_of(texture.options);
    if (part.layers > 0 && base::fits(part.layer, part.layers, all)) return {};
    return fail(Errc::invalid_argument, {},
                text("The layers (first ", part.layer, ", count ", part.layers, ") for ",
                     named(kernel, binding), " are not in ", texture.named(), " of (", all,
                     all == 1 ? ") layer." : ") layers."),
                all < wanted.value_or(1) ? text("Bind a texture with ", *wanted, " layers.")
                                         : text("Bind layers from 0 to ", all - 1, '.'));
}

} // namespace

Result<ViewPart> texture_part(const KernelState& kernel, const ShaderBinding& binding,
                              const TextureView& view) {
    const TextureState& texture = *view.texture;
    if (auto ok = check_owner(kernel, texture); !ok) return std::unexpected(std::move(ok).error());
    if (auto ok = check_usage(kernel, binding, texture); !ok)
        return std::unexpected(std::move(ok).error());
    if (auto ok = check_shape(kernel, binding, texture); !ok)
        return std::unexpected(std::move(ok).error());
    const bool storage = binding.kind == BindingKind::storage_texture;
    const TextureOptions& options = texture.options;
    const TextureViewRange& range = view.range;
    ViewPart part{.mip = range.mip, .layer = range.layer};
    part.mip_levels = range.mip_levels.value_or(storage ? 1 : rest(options.mip_levels, range.mip));
    part.layers = range.layers.value_or(
        fixed_layers(binding.texture.shape).value_or(rest(layers_of(options), range.layer)));
    part.aspect = chosen_aspect(format_info(options.format), binding.texture, range.aspect);
    if (storage) {
        if (auto ok = check_storage_format(kernel, binding, texture); !ok)
            return std::unexpected(std::move(ok).error());
    }
    if (auto ok = check_sample(kernel, binding, texture, part.aspect); !ok)
        return std::unexpected(std::move(ok).error());
    if (auto ok = check_levels(kernel, binding, texture, part); !ok)
        return std::unexpected(std::move(ok).error());
    if (auto ok = check_layers(kernel, binding, texture, part); !ok)
        return std::unexpected(std::move(ok).error());
    return part;
}

Result<HeldTextureView> create_view(const KernelState& kernel, const ShaderBinding& binding,
                                    const TextureState& texture, const ViewPart& part) {
    Core& core = *kernel.core;
    WGPUTextureViewDescriptor descriptor = WGPU_TEXTURE_VIEW_DESCRIPTOR_INIT;
    descriptor.dimension = view_dimension(binding.texture.shape);
    descriptor.baseMipLevel = part.mip;
    descriptor.mipLevelCount = part.mip_levels;
    descriptor.baseArrayLayer = part.layer;
    descriptor.arrayLayerCount = part.layers;
    descriptor.aspect = static_cast<WGPUTextureAspect>(part.aspect);
    Scope scope(core.instance(), core.device(), Scope::Catch::validation);
    HeldTextureView view(core.gpu(), core.gpu().TextureCreateView(texture.handle, &descriptor));
    auto made = core.verdict(scope.close({"making a view of texture", texture.label}, view));
    if (!made) return std::unexpected(std::move(made).error());
    return view;
}

} // namespace ferry::detail
