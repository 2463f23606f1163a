// SPDX-License-Identifier: MIT
// Kernels that load from textures and store to them.
#include "engine_fixture.hpp"
#include "texture_kernels.hpp"

namespace ferry::test {
namespace {

using Word = std::uint32_t;

constexpr TextureUsage loaded =
    TextureUsage::texture_binding | TextureUsage::copy_dst | TextureUsage::copy_src;
constexpr TextureUsage stored = TextureUsage::storage_binding | loaded;

class TextureBinding : public SharedDevice {
protected:
    static Texture make(const TextureOptions& options) {
        return must(device().create_texture(options));
    }
    static void run(const Kernel& kernel, std::initializer_list<Binding> bindings,
                    const Grid& groups) {
        auto commands = device().record();
        commands.dispatch(kernel, bindings, {.groups = groups});
        must(device().submit(std::move(commands)));
    }
    static void run(std::string_view wgsl, std::initializer_list<Binding> bindings,
                    const Grid& groups) {
        run(must(device().create_kernel(wgsl)), bindings, groups);
    }
    /// What a kernel of `wgsl::load` gets.
    template <class T>
    static std::vector<T> load(const std::string& wgsl, const TextureView& image,
                               const Grid& groups) {
        const std::vector<T> nothing(groups.x * groups.y * groups.z, T(77));
        const Buffer texels = make_filled(device(), nothing, Usage::storage | Usage::copy_src);
        run(wgsl, {{"image", image}, {"texels", texels}}, groups);
        return read_all<T>(device(), texels);
    }
    static std::vector<Word> words_of(const TextureAt& source) {
        return must(device().read<Word>(source).wait(patience));
    }
    /// 1 + x + 16 y + 256 z, in rows.
    static std::vector<Word> places(Word width, Word height = 1, Word depth = 1) {
        std::vector<Word> out;
        for (Word z = 0; z < depth; ++z) {
            for (Word y = 0; y < height; ++y) {
                for (Word x = 0; x < width; ++x) out.push_back(1 + x + 16 * y + 256 * z);
            }
        }
        return out;
    }
};

TEST_F(TextureBinding, AKernelStoresToA2DTexture) {
    const Texture image = make({.format = Format::r32_uint, .size = {5, 3}, .usage = stored});
    run(wgsl::store("2d"), {{"image", image}}, {5, 3});
    EXPECT_EQ(words_of(image), places(5, 3));
}

TEST_F(TextureBinding, AKernelStoresColors) {
    const Texture image = make({.format = Format::rgba8_unorm, .size = {3, 2}, .usage = stored});
    run(wgsl::store_colors, {{"image", image}}, {3, 2});
    const std::vector<Rgba8> wanted{{0, 0, 0, 255}, {1, 0, 0, 255}, {2, 0, 0, 255},
                                    {0, 1, 0, 255}, {1, 1, 0, 255}, {2, 1, 0, 255}};
    EXPECT_EQ(must(device().read<Rgba8>(image).wait(patience)), wanted);
}

TEST_F(TextureBinding, AKernelStoresTo1DAnd3DTexturesAndToArrays) {
    const Texture line = make({.format = Format::r32_uint,
                               .size = {7},
                               .usage = stored,
                               .dimension = TextureDimension::d1});
    run(wgsl::store("1d", "id.x"), {{"image", line}}, {7});
    EXPECT_EQ(words_of(line), places(7));
    const Texture volume = make({.format = Format::r32_uint,
                                 .size = {3, 4, 2},
                                 .usage = stored,
                                 .dimension = TextureDimension::d3});
    run(wgsl::store("3d", "id"), {{"image", volume}}, {3, 4, 2});
    EXPECT_EQ(words_of(volume), places(3, 4, 2));
    const Texture array = make({.format = Format::r32_uint, .size = {3, 4, 2}, .usage = stored});
    run(wgsl::store("2d_array", "id.xy, id.z"), {{"image", array}}, {3, 4, 2});
    EXPECT_EQ(words_of(array), places(3, 4, 2));
}

TEST_F(TextureBinding, AKernelReadsAndWritesATextureInPlace) {
    const Texture image = make({.format = Format::r32_uint, .size = {4, 2}, .usage = stored});
    must(device().write(image, counting<Word>(8, 10), {.tight = true}));
    auto kernel = device().create_kernel(wgsl::double_texels);
    ASSERT_TRUE(ok(kernel));
    run(*kernel, {{"image", image}}, {4, 2});
    EXPECT_EQ(words_of(image), (std::vector<Word>{20, 22, 24, 26, 28, 30, 32, 34}));
}

TEST_F(TextureBinding, AStorageTextureIsLoaded) {
    const Texture image = make({.format = Format::r32_uint, .size = {3, 2}, .usage = stored});
    must(device().write(image, counting<Word>(6, 10), {.tight = true}));
    const std::string wgsl = wgsl::load("texture_storage_2d<r32uint, read>", "u32", "id.xy");
    EXPECT_EQ(load<Word>(wgsl, image, {3, 2}), counting<Word>(6, 10));
}

TEST_F(TextureBinding, IntegersAreLoadedAsTheyWereWritten) {
    const Texture image = make({.format = Format::r32_uint, .size = {3, 2}, .usage = loaded});
    const std::vector<Word> words{1, 2, 0xFFFF'FFFF, 4, 5, 6};
    must(device().write(image, words, {.tight = true}));
    EXPECT_EQ(load<Word>(wgsl::load("texture_2d<u32>"), image, {3, 2}), words);
    const Texture with_sign = make({.format = Format::r32_sint, .size = {3}, .usage = loaded});
    const std::vector<std::int32_t> numbers{-1, 0, 70'000};
    must(device().write(with_sign, numbers));
    EXPECT_EQ(load<std::int32_t>(wgsl::load("texture_2d<i32>", "i32"), with_sign, {3, 1}), numbers);
}

TEST_F(TextureBinding, FloatsAreLoadedFromFormatsThatFilterAndThatDoNot) {
    const std::string wgsl = wgsl::load("texture_2d<f32>", "f32");
    const Texture exact = make({.format = Format::r32_float, .size = {2, 2}, .usage = loaded});
    const std::vector<float> numbers{0.5F, -3.25F, 1e30F, 0.0F};
    must(device().write(exact, numbers, {.tight = true}));
    EXPECT_EQ(load<float>(wgsl, exact, {2, 2}), numbers);
    const Texture color = make({.format = Format::rgba8_unorm, .size = {3}, .usage = loaded});
    must(device().write(color, std::vector<Rgba8>{{0, 9, 9, 9}, {255, 9, 9, 9}, {51, 9, 9, 9}}));
    const auto reds = load<float>(wgsl, color, {3});
    EXPECT_EQ(reds.at(0), 0.0F);
    EXPECT_EQ(reds.at(1), 1.0F);
    EXPECT_NEAR(reds.at(2), 0.2F, 1e-6);
}

TEST_F(TextureBinding, ArraysVolumesAndLinesAreLoaded) {
    const auto words = counting<Word>(24, 100);
    const Texture array = make({.format = Format::r32_uint, .size = {4, 3, 2}, .usage = loaded});
    must(device().write(array, words, {.tight = true}));
    EXPECT_EQ(
        load<Word>(wgsl::load("texture_2d_array<u32>", "u32", "id.xy, id.z, 0"), array, {4, 3, 2}),
        words);
    const Texture volume = make({.format = Format::r32_uint,
                                 .size = {4, 3, 2},
                                 .usage = loaded,
                                 .dimension = TextureDimension::d3});
    must(device().write(volume, words, {.tight = true}));
    EXPECT_EQ(load<Word>(wgsl::load("texture_3d<u32>", "u32", "id, 0"), volume, {4, 3, 2}), words);
    const Texture line = make({.format = Format::r32_uint,
                               .size = {24},
                               .usage = loaded,
                               .dimension = TextureDimension::d1});
    must(device().write(line, words));
    EXPECT_EQ(load<Word>(wgsl::load("texture_1d<u32>", "u32", "id.x, 0"), line, {24}), words);
}

TEST_F(TextureBinding, AViewSeesTheLayersThatItNames) {
    const auto words = counting<Word>(12, 100);
    const Texture array = make({.format = Format::r32_uint, .size = {2, 1, 6}, .usage = loaded});
    must(device().write(array, words, {.tight = true}));
    EXPECT_EQ(load<Word>(wgsl::load("texture_2d<u32>"), {array, {.layer = 3}}, {2}),
              part(words, 6, 2));
    const std::string wgsl = wgsl::load("texture_2d_array<u32>", "u32", "id.xy, id.z, 0");
    EXPECT_EQ(load<Word>(wgsl, {array, {.layer = 1, .layers = 3}}, {2, 1, 3}), part(words, 2, 6));
    EXPECT_EQ(load<Word>(wgsl, {array, {.layer = 4}}, {2, 1, 2}), part(words, 8, 4));
}

TEST_F(TextureBinding, AViewSeesTheMipLevelThatItNames) {
    const Texture image =
        make({.format = Format::r32_uint, .size = {8, 4}, .usage = stored, .mip_levels = 3});
    run(wgsl::store("2d"), {{"image", {image, {.mip = 1}}}}, {4, 2});
    EXPECT_EQ(words_of({image, {.mip = 1}}), places(4, 2));
    EXPECT_EQ(words_of(image), std::vector<Word>(32));
    EXPECT_EQ(words_of({image, {.mip = 2}}), std::vector<Word>(2));
    // SwiftShader loads from the wrong level of a view that begins above 0 and has several.
    EXPECT_EQ(
        load<Word>(wgsl::load("texture_2d<u32>"), {image, {.mip = 1, .mip_levels = 1}}, {4, 2}),
        places(4, 2));
}

TEST_F(TextureBinding, OneLevelIsLoadedWhileTheNextIsStored) {
    const Texture image =
        make({.format = Format::r32_uint, .size = {4, 4}, .usage = stored, .mip_levels = 2});
    must(device().write(image, counting<Word>(16, 10), {.tight = true}));
    run(wgsl::halve,
        {{"source", {image, {.mip = 0, .mip_levels = 1}}}, {"target_", {image, {.mip = 1}}}},
        {2, 2});
    EXPECT_EQ(words_of({image, {.mip = 1}}), (std::vector<Word>{10, 12, 18, 20}));
}

TEST_F(TextureBinding, AViewHasAllLevelsAndLayersWhenNoneAreNamed) {
    FERRY_NEEDS_REAL_ENGINE("ferry_fake tells host functions no number of levels");
    const Texture image =
        make({.format = Format::r32_uint, .size = {8, 8, 5}, .usage = loaded, .mip_levels = 4});
    auto kernel = must(device().create_kernel(R"(
@group(0) @binding(0) var image: texture_2d_array<u32>;
@group(0) @binding(1) var<storage, read_write> seen: array<u32>;
@compute @workgroup_size(1)
fn main() {
    seen[0] = textureNumLevels(image);
    seen[1] = textureNumLayers(image);
    seen[2] = textureDimensions(image).x;
})"));
    const auto seen_by = [&](const TextureView& view) {
        const Buffer seen = make_buffer(device(), 12, Usage::storage | Usage::copy_src);
        run(kernel, {{"image", view}, {"seen", seen}}, {1});
        return read_all<Word>(device(), seen);
    };
    EXPECT_EQ(seen_by(image), (std::vector<Word>{4, 5, 8}));
    EXPECT_EQ(seen_by({image, {.mip = 1, .layer = 3}}), (std::vector<Word>{3, 2, 4}));
    EXPECT_EQ(seen_by({image, {.mip = 2, .mip_levels = 1, .layers = 2}}),
              (std::vector<Word>{1, 2, 2}));
}

TEST_F(TextureBinding, DepthIsLoadedAsDepthAndAsFloats) {
    const Texture image = make({.format = Format::depth16_unorm, .size = {2, 2}, .usage = loaded});
    must(device().write(image, std::vector<std::uint16_t>{0, 65535, 13107, 0}, {.tight = true}));
    for (const char* type : {"texture_depth_2d", "texture_2d<f32>"}) {
        const auto depths = load<float>(wgsl::load(type, "f32"), image, {2, 2});
        EXPECT_EQ(depths.at(0), 0.0F) << type;
        EXPECT_EQ(depths.at(1), 1.0F) << type;
        EXPECT_NEAR(depths.at(2), 0.2F, 1e-6) << type;
    }
}

TEST_F(TextureBinding, StencilIsLoadedAsIntegersAlsoWhereThereIsDepth) {
    const Texture image =
        make({.format = Format::depth24_plus_stencil8, .size = {2, 2}, .usage = loaded});
    must(device().write({image, {.aspect = Aspect::stencil_only}},
                        std::vector<std::uint8_t>{1, 2, 254, 255}, {.tight = true}));
    const std::vector<Word> wanted{1, 2, 254, 255};
    const std::string wgsl = wgsl::load("texture_2d<u32>");
    EXPECT_EQ(load<Word>(wgsl, {image, {.aspect = Aspect::stencil_only}}, {2, 2}), wanted);
    EXPECT_EQ(load<Word>(wgsl, image, {2, 2}), wanted) << "its type says which aspect";
    EXPECT_EQ(load<Word>(wgsl::width("texture_depth_2d"), image, {1}), std::vector<Word>{2});
}

TEST_F(TextureBinding, MultisampledTexturesAreLoaded) {
    const Texture image =
        make({.format = Format::rgba8_unorm,
              .size = {4, 4},
              .usage = TextureUsage::texture_binding | TextureUsage::render_attachment,
              .sample_count = 4});
    EXPECT_EQ(load<float>(wgsl::load("texture_multisampled_2d<f32>", "f32"), image, {2, 2}),
              std::vector<float>(4));
}

TEST_F(TextureBinding, CubesAreBound) {
    const Texture faces =
        make({.format = Format::rgba8_unorm, .size = {4, 4, 12}, .usage = loaded});
    EXPECT_EQ(load<Word>(wgsl::width("texture_cube<f32>"), faces, {1}), std::vector<Word>{4});
    EXPECT_EQ(load<Word>(wgsl::width("texture_cube<f32>"), {faces, {.layer = 6}}, {1}),
              std::vector<Word>{4});
    EXPECT_EQ(load<Word>(wgsl::width("texture_cube_array<f32>"), faces, {1}), std::vector<Word>{4});
}

TEST_F(TextureBinding, BindingsAreUsedOftenAndKeepTheirTexturesAlive) {
    const Kernel kernel = must(device().create_kernel(wgsl::double_texels));
    Texture image = make({.format = Format::r32_uint, .size = {2}, .usage = stored});
    must(device().write(image, std::vector<Word>{3, 5}));
    auto bindings = must(device().bind(kernel, {{"0.0", image}}));
    auto commands = device().record();
    for (int turn = 0; turn < 3; ++turn) commands.dispatch(kernel, bindings, {.groups = 2});
    auto texels = commands.read<Word>(image);
    image = Texture{};
    bindings = Bindings{};
    must(device().submit(std::move(commands)));
    EXPECT_EQ(must(texels.wait(patience)), (std::vector<Word>{24, 40}));
}

TEST_F(TextureBinding, LoadsFromOneTextureThroughSeveralBindingsAreFine) {
    const Texture image = make({.format = Format::r32_uint, .size = {2}, .usage = stored});
    const Kernel kernel = must(device().create_kernel(
        "@group(0) @binding(0) var image: texture_2d<u32>;\n"
        "@group(0) @binding(1) var<storage, read_write> texels: array<u32>;\n"
        "@group(0) @binding(2) var again: texture_2d<u32>;\n"
        "@group(0) @binding(3) var stored: texture_storage_2d<r32uint, read>;\n"
        "@compute @workgroup_size(1) fn main() {\n"
        "    texels[0] = textureDimensions(image).x;\n"
        "    _ = textureDimensions(again);\n"
        "    _ = textureDimensions(stored);\n"
        "}\n"));
    const Buffer texels = make_buffer(device(), 4, Usage::storage | Usage::copy_src);
    run(kernel, {{"image", image}, {"again", image}, {"stored", image}, {"texels", texels}}, {1});
    EXPECT_EQ(read_all<Word>(device(), texels), std::vector<Word>{2});
}

} // namespace
} // namespace ferry::test
