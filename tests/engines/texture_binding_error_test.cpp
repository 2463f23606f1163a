// SPDX-License-Identifier: MIT
// Textures that do not fit a kernel's binding, and what the refusals say.
#include "engine_fixture.hpp"
#include "texture_kernels.hpp"

namespace ferry::test {
namespace {

using enum TextureUsage;

class TextureBindingErrors : public SharedDevice {
protected:
    static Texture make(TextureOptions options) {
        options.label = "image";
        return must(device().create_texture(options));
    }
    static Texture floats() {
        return make({.format = Format::r32_float, .size = {8, 4}, .usage = texture_binding});
    }
    static Texture words(TextureUsage usage = texture_binding | storage_binding) {
        return make({.format = Format::r32_uint, .size = {8, 4}, .usage = usage, .mip_levels = 3});
    }
    static Texture layers(std::uint64_t count) {
        return make({.format = Format::r32_uint, .size = {4, 4, count}, .usage = texture_binding});
    }

    /// Binds to the `image` of a kernel whose other binding, if any, is `texels`.
    static Result<Bindings> bind(const std::string& wgsl, const TextureView& image) {
        const Kernel kernel = must(device().create_kernel(wgsl, {.label = "test"}));
        const Buffer texels = make_buffer(device(), 64, Usage::storage);
        std::vector<Binding> given{{"image", image}};
        if (kernel.shader().find("texels") != nullptr) given.emplace_back("texels", texels);
        return device().bind(kernel, given);
    }
    /// The same for a kernel that only asks for the size of a texture of that type.
    static Result<Bindings> bind_type(std::string_view type, const TextureView& image) {
        return bind(wgsl::width(type), image);
    }
};

TEST_F(TextureBindingErrors, ABufferForATextureAndATextureForABufferAreRefused) {
    const Kernel kernel = must(device().create_kernel(wgsl::load("texture_2d<f32>", "f32")));
    const Texture image = floats();
    const Buffer texels = make_buffer(device(), 64, Usage::storage);
    EXPECT_TRUE(refused(device().bind(kernel, {{"image", texels}, {"texels", texels}}),
                        invalid("", {"image", "texture_2d<f32>", "buffer"})));
    EXPECT_TRUE(refused(device().bind(kernel, {{"image", image}, {"texels", image}}),
                        invalid("", {"texels", "array<f32>", "texture"})));
    EXPECT_TRUE(refused(device().bind(kernel, {{"texels", texels}}), invalid("", {"image"})));
    EXPECT_TRUE(ok(device().bind(kernel, {{"image", image}, {"texels", texels}})));
}

TEST_F(TextureBindingErrors, AnEmptyHandleIsRefused) {
    EXPECT_TRUE(refused(bind_type("texture_2d<f32>", Texture{}), invalid("", {"texture"})));
}

TEST_F(TextureBindingErrors, ATextureOfAnotherDeviceIsRefused) {
    Device other = open_device();
    const Texture far = must(other.create_texture(
        {.format = Format::r32_float, .size = {4}, .usage = texture_binding, .label = "far"}));
    EXPECT_TRUE(refused(bind_type("texture_2d<f32>", far), invalid("", {"far", "device"})));
}

TEST_F(TextureBindingErrors, ADestroyedTextureIsRefused) {
    Texture image = floats();
    const Kernel kernel = must(device().create_kernel(wgsl::width("texture_2d<f32>")));
    const Buffer texels = make_buffer(device(), 4, Usage::storage);
    auto bindings = must(device().bind(kernel, {{"image", image}, {"texels", texels}}));
    image.destroy();
    EXPECT_TRUE(refused(bind_type("texture_2d<f32>", image), wrong_state("", {"destroyed"})));
    auto commands = device().record();
    commands.dispatch(kernel, bindings, {.groups = 1});
    EXPECT_TRUE(refused(device().submit(std::move(commands)), wrong_state("", {"destroyed"})));
}

TEST_F(TextureBindingErrors, AMissingUsageIsRefused) {
    EXPECT_TRUE(refused(bind_type("texture_2d<u32>", words(storage_binding)),
                        invalid("", {"image", "texture_binding"})));
    EXPECT_TRUE(refused(bind(wgsl::store("2d"), words(texture_binding)),
                        invalid("", {"image", "storage_binding"})));
}

TEST_F(TextureBindingErrors, AnotherStorageFormatIsRefused) {
    const Texture other =
        make({.format = Format::rgba8_unorm, .size = {4}, .usage = storage_binding});
    EXPECT_TRUE(refused(bind(wgsl::store("2d"), other), invalid("", {"r32uint", "rgba8unorm"})));
}

/// The texels' type of each format as the format table of the WebGPU standard has it.
TEST_F(TextureBindingErrors, OnlyTheTypeOfTheTexelsIsTaken) {
    const struct {
        Format format;
        std::string_view texels;
    } formats[] = {
        {Format::r8_unorm, "f32"},      {Format::rgba8_snorm, "f32"},
        {Format::rgba16_float, "f32"},  {Format::rgba8_unorm_srgb, "f32"},
        {Format::rgba32_float, "f32"},  {Format::rg11b10_ufloat, "f32"},
        {Format::rgb9e5_ufloat, "f32"}, {Format::rgb10a2_unorm, "f32"},
        {Format::rgb10a2_uint, "u32"},  {Format::r8_uint, "u32"},
        {Format::rgba32_uint, "u32"},   {Format::rg16_sint, "i32"},
        {Format::rgba32_sint, "i32"},   {Format::stencil8, "u32"},
        {Format::depth24_plus, "f32"},  {Format::depth32_float, "f32"},
    };
    for (const auto& each : formats) {
        const Texture image =
            make({.format = each.format, .size = {4, 4}, .usage = texture_binding});
        for (std::string_view type : {"f32", "u32", "i32"}) {
            auto made = bind_type("texture_2d<" + std::string(type) + ">", image);
            if (type == each.texels) {
                EXPECT_TRUE(ok(made)) << name(each.format);
            } else {
                EXPECT_TRUE(refused(made, invalid("", {std::string(type), std::string(each.texels),
                                                       std::string(name(each.format))})));
            }
        }
    }
}

TEST_F(TextureBindingErrors, DepthIsLoadedFromDepthFormatsOnly) {
    EXPECT_TRUE(refused(bind_type("texture_depth_2d", floats()),
                        invalid("", {"texture_depth_2d", "r32float"})));
    const Texture both =
        make({.format = Format::depth24_plus_stencil8, .size = {4, 4}, .usage = texture_binding});
    EXPECT_TRUE(refused(bind_type("texture_depth_2d", {both, {.aspect = Aspect::stencil_only}}),
                        invalid("", {"texture_depth_2d"})));
    EXPECT_TRUE(refused(bind_type("texture_2d<u32>", {both, {.aspect = Aspect::depth_only}}),
                        invalid("", {"u32", "f32"})));
    EXPECT_TRUE(refused(bind_type("texture_2d<i32>", both), invalid("", {"i32"})));
    EXPECT_TRUE(refused(bind_type("texture_2d<f32>", {floats(), {.aspect = Aspect::depth_only}}),
                        invalid("", {"depth-only", "r32float"})));
    EXPECT_TRUE(ok(bind_type("texture_2d<f32>", both)));
}

TEST_F(TextureBindingErrors, TheDimensionMustFit) {
    const Texture volume = make({.format = Format::r32_uint,
                                 .size = {4, 4, 4},
                                 .usage = texture_binding,
                                 .dimension = TextureDimension::d3});
    const Texture line = make({.format = Format::r32_uint,
                               .size = {4},
                               .usage = texture_binding,
                               .dimension = TextureDimension::d1});
    EXPECT_TRUE(refused(bind_type("texture_2d<u32>", volume), invalid("", {"3D", "2D"})));
    EXPECT_TRUE(refused(bind_type("texture_2d_array<u32>", volume), invalid("", {"3D", "2D"})));
    EXPECT_TRUE(refused(bind_type("texture_2d<u32>", line), invalid("", {"1D", "2D"})));
    EXPECT_TRUE(refused(bind_type("texture_1d<u32>", words()), invalid("", {"1D", "2D"})));
    EXPECT_TRUE(refused(bind_type("texture_3d<u32>", layers(4)), invalid("", {"3D", "2D"})));
    EXPECT_TRUE(refused(bind_type("texture_cube<u32>", volume), invalid("", {"3D", "2D"})));
}

TEST_F(TextureBindingErrors, TheNumberOfSamplesMustFit) {
    const Texture many = make({.format = Format::rgba8_unorm,
                               .size = {4, 4},
                               .usage = texture_binding | render_attachment,
                               .sample_count = 4});
    EXPECT_TRUE(refused(bind_type("texture_2d<f32>", many), invalid("", {"samples"}, {4})));
    EXPECT_TRUE(refused(bind_type("texture_multisampled_2d<f32>", floats()),
                        invalid("", {"texture_multisampled_2d"}, {1})));
}

TEST_F(TextureBindingErrors, LevelsOutsideOfTheTextureAreRefused) {
    constexpr std::uint32_t huge = ~std::uint32_t{0};
    const Texture image = words(); // 3 levels
    for (const TextureViewRange& range : {TextureViewRange{.mip = 3},
                                          {.mip = 1, .mip_levels = 3},
                                          {.mip_levels = 4},
                                          {.mip = 1, .mip_levels = 0},
                                          {.mip = huge},
                                          {.mip = 2, .mip_levels = huge}}) {
        EXPECT_TRUE(
            refused(bind_type("texture_2d<u32>", {image, range}), invalid("", {"level"}, {3})))
            << range.mip;
    }
    EXPECT_TRUE(refused(bind(wgsl::store("2d"), {image, {.mip = 3}}), invalid("", {"level"}, {3})));
    EXPECT_TRUE(ok(bind_type("texture_2d<u32>", {image, {.mip = 2}})));
}

TEST_F(TextureBindingErrors, AStorageTextureSeesOneLevel) {
    EXPECT_TRUE(refused(bind(wgsl::store("2d"), {words(), {.mip_levels = 2}}),
                        invalid("", {"texture_storage_2d", "level"}, {2})));
}

TEST_F(TextureBindingErrors, LayersOutsideOfTheTextureAreRefused) {
    constexpr std::uint32_t huge = ~std::uint32_t{0};
    const Texture image = layers(5);
    for (const TextureViewRange& range : {TextureViewRange{.layer = 5},
                                          {.layer = 3, .layers = 3},
                                          {.layers = 6},
                                          {.layer = 1, .layers = 0},
                                          {.layer = huge},
                                          {.layer = 2, .layers = huge}}) {
        EXPECT_TRUE(refused(bind_type("texture_2d_array<u32>", {image, range}),
                            invalid("", {"layer"}, {5})))
            << range.layer;
    }
    EXPECT_TRUE(refused(bind_type("texture_2d<u32>", {image, {.layer = 5}}), invalid()));
    const Texture volume = make({.format = Format::r32_uint,
                                 .size = {4, 4, 4},
                                 .usage = texture_binding,
                                 .dimension = TextureDimension::d3});
    EXPECT_TRUE(refused(bind_type("texture_3d<u32>", {volume, {.layer = 1}}), invalid()));
    EXPECT_TRUE(refused(bind_type("texture_3d<u32>", {volume, {.layers = 4}}), invalid()));
}

TEST_F(TextureBindingErrors, TheNumberOfLayersMustFit) {
    EXPECT_TRUE(refused(bind_type("texture_2d<u32>", {layers(4), {.layers = 2}}),
                        invalid("", {"texture_2d<u32>", "layers"}, {1, 2})));
    EXPECT_TRUE(
        refused(bind_type("texture_cube<u32>", layers(5)), invalid("", {"layers"}, {5, 6})));
    EXPECT_TRUE(refused(bind_type("texture_cube<u32>", {layers(12), {.layers = 12}}),
                        invalid("", {"layers"}, {6, 12})));
    EXPECT_TRUE(refused(bind_type("texture_cube<u32>", {layers(12), {.layer = 7}}),
                        invalid("", {"layers"}, {6, 7, 12})));
    EXPECT_TRUE(
        refused(bind_type("texture_cube_array<u32>", layers(8)), invalid("", {"layers"}, {6, 8})));
    const Texture oblong =
        make({.format = Format::r32_uint, .size = {8, 4, 6}, .usage = texture_binding});
    EXPECT_TRUE(refused(bind_type("texture_cube<u32>", oblong), invalid("", {"square"}, {8, 4})));
}

TEST_F(TextureBindingErrors, WhatOneDispatchStoresToIsBoundOnce) {
    const Kernel halve = must(device().create_kernel(wgsl::halve));
    const Texture image = words(); // 3 levels
    EXPECT_TRUE(refused(device().bind(halve, {{"source", image}, {"target_", image}}),
                        invalid("", {"image", "source", "target_"})));
    EXPECT_TRUE(refused(device().bind(halve, {{"source", image}, {"target_", {image, {.mip = 2}}}}),
                        invalid("", {"source", "target_"})))
        << "the source has all levels";
    const TextureViewRange first{.mip_levels = 1};
    EXPECT_TRUE(
        ok(device().bind(halve, {{"source", {image, first}}, {"target_", {image, {.mip = 1}}}})));

    const Kernel two = must(device().create_kernel(
        "@group(0) @binding(0) var one: texture_storage_2d<r32uint, write>;\n"
        "@group(1) @binding(0) var other: texture_storage_2d<r32uint, write>;\n"
        "@compute @workgroup_size(1) fn main() {\n"
        "    textureStore(one, vec2u(), vec4u());\n"
        "    textureStore(other, vec2u(), vec4u());\n"
        "}\n"));
    const Texture array =
        make({.format = Format::r32_uint, .size = {4, 4, 2}, .usage = storage_binding});
    EXPECT_TRUE(refused(device().bind(two, {{"one", array}, {"other", array}}),
                        invalid("", {"one", "other"})));
    EXPECT_TRUE(ok(device().bind(two, {{"one", array}, {"other", {array, {.layer = 1}}}})));
}

TEST_F(TextureBindingErrors, SamplersAreUnsupportedWithTheWayOut) {
    EXPECT_TRUE(refused(
        device().create_kernel("@group(0) @binding(0) var image: texture_2d<f32>;\n"
                               "@group(0) @binding(1) var nearest: sampler;\n"
                               "@group(0) @binding(2) var texels: texture_storage_2d<r32float, "
                               "write>;\n"
                               "@compute @workgroup_size(1) fn main() {\n"
                               "    textureStore(texels, vec2u(), textureSampleLevel(image, "
                               "nearest, vec2f(), 0.0));\n"
                               "}\n"),
        {{Errc::unsupported}, "", {"nearest", "textureLoad"}, {2}}));
}

TEST_F(TextureBindingErrors, StorageTexturesOfNoFormatOrToReadAndWriteOfMostAreRefused) {
    const auto kernel = [](const std::string& type) {
        return device().create_kernel("@group(0) @binding(0) var image: texture_storage_2d<" +
                                      type +
                                      ">;\n@compute @workgroup_size(1) fn main() {\n"
                                      "    _ = textureDimensions(image);\n}\n");
    };
    EXPECT_TRUE(refused(kernel("rgba9unorm, write"), invalid("", {"image", "rgba9unorm"})));
    EXPECT_TRUE(refused(kernel("rgba8unorm, read_write"),
                        {{Errc::unsupported}, "", {"image", "rgba8unorm", "r32uint"}}));
}

TEST_F(TextureBindingErrors, WhatOnlyTheEngineKnowsIsItsVerdict) {
    FERRY_NEEDS_REAL_ENGINE("ferry_fake does not know which formats shaders store to");
    const auto kernel = [](int textures, const std::string& format) {
        std::string declared, used;
        for (int at = 0; at < textures; ++at) {
            const std::string number = std::to_string(at);
            declared += "@group(0) @binding(" + number + ") var image" + number +
                        ": texture_storage_2d<" + format + ", write>;\n";
            used += "    _ = textureDimensions(image" + number + ");\n";
        }
        return device().create_kernel(declared + "@compute @workgroup_size(1) fn main() {\n" +
                                      used + "}\n");
    };
    EXPECT_FALSE(kernel(1, "rgb9e5ufloat")) << "no format for storage";
    EXPECT_FALSE(kernel(1, "depth16unorm")) << "no format for storage";
    EXPECT_FALSE(kernel(200, "r32uint")) << "over every device's limit";
    EXPECT_TRUE(ok(kernel(1, "r32uint")));
}

} // namespace
} // namespace ferry::test
