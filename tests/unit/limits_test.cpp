// SPDX-License-Identifier: MIT
#include "ferry/limits.hpp"

#include <set>
#include <string>

#include <gtest/gtest.h>
#include <webgpu/webgpu.h>

#include "ferry/buffer.hpp"
#include "ferry/engine.hpp"

namespace ferry {
namespace {

struct Spelling {
    Feature feature;
    WGPUFeatureName raw;
    std::string_view name;
};

constexpr Spelling spellings[] = {
    {Feature::core_features_and_limits, WGPUFeatureName_CoreFeaturesAndLimits,
     "core-features-and-limits"},
    {Feature::depth_clip_control, WGPUFeatureName_DepthClipControl, "depth-clip-control"},
    {Feature::depth32float_stencil8, WGPUFeatureName_Depth32FloatStencil8, "depth32float-stencil8"},
    {Feature::texture_compression_bc, WGPUFeatureName_TextureCompressionBC,
     "texture-compression-bc"},
    {Feature::texture_compression_bc_sliced_3d, WGPUFeatureName_TextureCompressionBCSliced3D,
     "texture-compression-bc-sliced-3d"},
    {Feature::texture_compression_etc2, WGPUFeatureName_TextureCompressionETC2,
     "texture-compression-etc2"},
    {Feature::texture_compression_astc, WGPUFeatureName_TextureCompressionASTC,
     "texture-compression-astc"},
    {Feature::texture_compression_astc_sliced_3d, WGPUFeatureName_TextureCompressionASTCSliced3D,
     "texture-compression-astc-sliced-3d"},
    {Feature::timestamp_query, WGPUFeatureName_TimestampQuery, "timestamp-query"},
    {Feature::indirect_first_instance, WGPUFeatureName_IndirectFirstInstance,
     "indirect-first-instance"},
    {Feature::shader_f16, WGPUFeatureName_ShaderF16, "shader-f16"},
    {Feature::rg11b10ufloat_renderable, WGPUFeatureName_RG11B10UfloatRenderable,
     "rg11b10ufloat-renderable"},
    {Feature::bgra8unorm_storage, WGPUFeatureName_BGRA8UnormStorage, "bgra8unorm-storage"},
    {Feature::float32_filterable, WGPUFeatureName_Float32Filterable, "float32-filterable"},
    {Feature::float32_blendable, WGPUFeatureName_Float32Blendable, "float32-blendable"},
    {Feature::clip_distances, WGPUFeatureName_ClipDistances, "clip-distances"},
    {Feature::dual_source_blending, WGPUFeatureName_DualSourceBlending, "dual-source-blending"},
    {Feature::subgroups, WGPUFeatureName_Subgroups, "subgroups"},
    {Feature::texture_formats_tier1, WGPUFeatureName_TextureFormatsTier1, "texture-formats-tier1"},
    {Feature::texture_formats_tier2, WGPUFeatureName_TextureFormatsTier2, "texture-formats-tier2"},
};

TEST(Features, AreSpelledAsWebGpuSpellsThem) {
    for (const Spelling& each : spellings) EXPECT_EQ(name(each.feature), each.name);
}

TEST(Features, AreFoundByTheirSpelling) {
    for (const Spelling& each : spellings)
        EXPECT_EQ(feature_named(each.name), each.feature) << each.name;
}

TEST(Features, HaveTheValuesOfTheHeader) {
    for (const Spelling& each : spellings)
        EXPECT_EQ(static_cast<std::uint32_t>(each.feature), each.raw) << each.name;
}

TEST(Features, OfNoKnownValueHaveNoName) {
    EXPECT_TRUE(name(Feature{0}).empty());
    EXPECT_TRUE(name(Feature{0x15}).empty());
    EXPECT_TRUE(name(Feature{0x7fff'fff0}).empty());
}

TEST(Features, OfNoKnownNameAreNotFound) {
    for (auto unknown :
         {"", "shader_f16", "SHADER-F16", "shader-f1", "shader-f16 ", "texture-compression"}) {
        EXPECT_FALSE(feature_named(unknown).has_value()) << unknown;
    }
}

TEST(Usages, HaveTheValuesOfTheHeader) {
    EXPECT_EQ(static_cast<WGPUBufferUsage>(BufferUsage::map_read), WGPUBufferUsage_MapRead);
    EXPECT_EQ(static_cast<WGPUBufferUsage>(BufferUsage::map_write), WGPUBufferUsage_MapWrite);
    EXPECT_EQ(static_cast<WGPUBufferUsage>(BufferUsage::copy_src), WGPUBufferUsage_CopySrc);
    EXPECT_EQ(static_cast<WGPUBufferUsage>(BufferUsage::copy_dst), WGPUBufferUsage_CopyDst);
    EXPECT_EQ(static_cast<WGPUBufferUsage>(BufferUsage::index), WGPUBufferUsage_Index);
    EXPECT_EQ(static_cast<WGPUBufferUsage>(BufferUsage::vertex), WGPUBufferUsage_Vertex);
    EXPECT_EQ(static_cast<WGPUBufferUsage>(BufferUsage::uniform), WGPUBufferUsage_Uniform);
    EXPECT_EQ(static_cast<WGPUBufferUsage>(BufferUsage::storage), WGPUBufferUsage_Storage);
    EXPECT_EQ(static_cast<WGPUBufferUsage>(BufferUsage::indirect), WGPUBufferUsage_Indirect);
    EXPECT_EQ(static_cast<WGPUBufferUsage>(BufferUsage::query_resolve),
              WGPUBufferUsage_QueryResolve);
}

TEST(Usages, CombineAndAreAskedFor) {
    constexpr BufferUsage both = BufferUsage::storage | BufferUsage::copy_src;
    static_assert(static_cast<std::uint64_t>(both) == 0x84);
    static_assert(has(both, BufferUsage::storage) && has(both, both) &&
                  has(both, BufferUsage::none));
    static_assert(!has(both, BufferUsage::copy_dst) &&
                  !has(both, BufferUsage::storage | BufferUsage::copy_dst));
    BufferUsage usage = BufferUsage::none;
    usage |= BufferUsage::vertex;
    EXPECT_EQ(usage, BufferUsage::vertex);
}

TEST(Kinds, HaveTheValuesOfTheHeader) {
    EXPECT_EQ(static_cast<int>(AdapterKind::discrete), WGPUAdapterType_DiscreteGPU);
    EXPECT_EQ(static_cast<int>(AdapterKind::integrated), WGPUAdapterType_IntegratedGPU);
    EXPECT_EQ(static_cast<int>(AdapterKind::cpu), WGPUAdapterType_CPU);
    EXPECT_EQ(static_cast<int>(AdapterKind::unknown), WGPUAdapterType_Unknown);
    EXPECT_EQ(static_cast<WGPUMapMode>(MapMode::read), WGPUMapMode_Read);
    EXPECT_EQ(static_cast<WGPUMapMode>(MapMode::write), WGPUMapMode_Write);
}

TEST(MapStates, EachHasANameOfItsOwn) {
    std::set<std::string_view> names;
    for (MapState state : {MapState::unmapped, MapState::pending, MapState::mapped,
                           MapState::destroyed, MapState::lost}) {
        EXPECT_FALSE(name(state).empty());
        EXPECT_TRUE(names.insert(name(state)).second);
    }
    EXPECT_EQ(name(MapState::pending), "pending");
}

} // namespace
} // namespace ferry
