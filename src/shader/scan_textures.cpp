// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include "shader/scan_types.hpp"

namespace ferry::shader {
namespace {

constexpr std::size_t longest_texture_type = 8; // tokens; keeps a huge alias from costing per use

enum class Holds : std::uint8_t { sampled, depth, storage };

struct TextureName {
    std::string_view name;
    TextureShape shape;
    Holds holds;
    bool multisampled = false;
};

constexpr std::array<TextureName, 16> texture_names{{
    {"texture_1d", TextureShape::d1, Holds::sampled},
    {"texture_2d", TextureShape::d2, Holds::sampled},
    {"texture_2d_array", TextureShape::d2_array, Holds::sampled},
    {"texture_3d", TextureShape::d3, Holds::sampled},
    {"texture_cube", TextureShape::cube, Holds::sampled},
    {"texture_cube_array", TextureShape::cube_array, Holds::sampled},
    {"texture_multisampled_2d", TextureShape::d2, Holds::sampled, true},
    {"texture_depth_2d", TextureShape::d2, Holds::depth},
    {"texture_depth_2d_array", TextureShape::d2_array, Holds::depth},
    {"texture_depth_cube", TextureShape::cube, Holds::depth},
    {"texture_depth_cube_array", TextureShape::cube_array, Holds::depth},
    {"texture_depth_multisampled_2d", TextureShape::d2, Holds::depth, true},
    {"texture_storage_1d", TextureShape::d1, Holds::storage},
    {"texture_storage_2d", TextureShape::d2, Holds::storage},
    {"texture_storage_2d_array", TextureShape::d2_array, Holds::storage},
    {"texture_storage_3d", TextureShape::d3, Holds::storage},
}};

constexpr std::array<std::pair<std::string_view, TextureAccess>, 3> access_names{{
    {"read", TextureAccess::read},
    {"write", TextureAccess::write},
    {"read_write", TextureAccess::read_write},
}};

TextureAccess access_named(std::string_view name) {
    const auto same = [&](const auto& each) { return each.first == name; };
    const auto found = std::ranges::find_if(access_names, same);
    return found == access_names.end() ? TextureAccess::none : found->second;
}

std::string_view only_name(Tokens tokens) {
    return tokens.size() == 1 && tokens[0].is_name() ? tokens[0].text : std::string_view{};
}

std::optional<OpaqueType> storage_texture(const TextureName& known,
                                          const std::vector<Tokens>& arguments) {
    if (arguments.size() != 2) return std::nullopt;
    OpaqueType type{BindingKind::storage_texture, {.shape = known.shape}};
    type.texture.format = only_name(arguments[0]);
    type.texture.access = access_named(only_name(arguments[1]));
    if (type.texture.format.empty() || type.texture.access == TextureAccess::none) {
        return std::nullopt;
    }
    type.texture.sample = sample_of_format(type.texture.format);
    return type;
}

std::optional<OpaqueType> texture(const Module& module, const TextureName& known,
                                  const std::vector<Tokens>& arguments) {
    if (known.holds == Holds::storage) return storage_texture(known, arguments);
    const bool depth = known.holds == Holds::depth;
    if (arguments.size() != (depth ? 0U : 1U)) return std::nullopt;
    OpaqueType type{BindingKind::texture, {.shape = known.shape}};
    type.texture.depth = depth;
    type.texture.multisampled = known.multisampled;
    type.texture.sample =
        depth ? ScalarKind::f32 : scalar_named(only_name(without_aliases(module, arguments[0])));
    if (type.texture.sample == ScalarKind::none) return std::nullopt;
    return type;
}

} // namespace

ScalarKind sample_of_format(std::string_view format) {
    if (format.ends_with("uint")) return ScalarKind::u32;
    return format.ends_with("sint") ? ScalarKind::i32 : ScalarKind::f32;
}

std::optional<OpaqueType> opaque_type(const Module& module, Tokens type) {
    type = without_aliases(module, type);
    if (type.empty() || type.size() > longest_texture_type) return std::nullopt;
    if (module.find(type[0].text) != nullptr) return std::nullopt;
    const std::string_view name = type[0].text;
    if (type.size() == 1) {
        if (name == "sampler") return OpaqueType{BindingKind::sampler};
        if (name == "sampler_comparison") return OpaqueType{BindingKind::sampler, {}, true};
        if (name == "texture_external") return OpaqueType{BindingKind::external_texture};
    }
    const auto found = std::ranges::find(texture_names, name, &TextureName::name);
    if (found == texture_names.end()) return std::nullopt;
    if (type.size() == 1) return texture(module, *found, {});
    if (template_end(type, 1) != type.size()) return std::nullopt;
    return texture(module, *found, split_at_commas(type.subspan(2, type.size() - 3)));
}

} // namespace ferry::shader
