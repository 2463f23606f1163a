// SPDX-License-Identifier: MIT
// Known numbers, each worked out by hand or by others, which hold while the program is compiled.
#include <array>

#include <gtest/gtest.h>

#include "ferry/layout.hpp"

namespace ferry {
namespace {

struct Numbers {
    std::uint64_t row, pitch, block_rows, required, tight;
};

constexpr bool is(const CopyPlan& plan, const Numbers& known) {
    return plan && plan.row_bytes == known.row && plan.bytes_per_row == known.pitch &&
           plan.block_rows == known.block_rows && plan.required_bytes == known.required &&
           plan.tight_bytes == known.tight &&
           plan.staging_bytes == known.required + (4 - known.required % 4) % 4;
}

using F = Format;

static_assert(is(plan_read(F::rgba8_unorm, {4, 4}), {16, 256, 4, 784, 64}));
static_assert(is(plan_read(F::rgba8_unorm, {100, 100}), {400, 512, 100, 51088, 40000})); // A07
static_assert(is(plan_read(F::bgra8_unorm, {128, 128}), {512, 512, 128, 65536, 65536})); // A08
static_assert(is(plan_read(F::rgba16_float, {85, 5}), {680, 768, 5, 3752, 3400}));
static_assert(is(plan_read(F::r32_float, {10, 10}), {40, 256, 10, 2344, 400}));
static_assert(is(plan_read(F::rgba8_unorm, {32, 64, 4}), {128, 256, 64, 65408, 32768})); // A26
constexpr TextureOptions cube{
    .format = F::r32_float, .size = {3, 3, 3}, .dimension = TextureDimension::d3};
static_assert(is(plan_read(cube), {12, 256, 3, 2060, 108})); // A27
static_assert(is(plan_read(F::bc1_rgba_unorm, {252, 252}), {504, 512, 63, 32248, 31752}));
static_assert(is(plan_read(F::bc1_rgba_unorm, {12, 12, 3}), {24, 256, 3, 2072, 216}));
static_assert(logical_size({.format = F::bc1_rgba_unorm, .size = {60, 60}}, 2) == Extent3D{15, 15});
static_assert(is(plan_read(F::bc1_rgba_unorm, {60, 60}, {.mip = 2}), {32, 256, 4, 800, 128}));
static_assert(is(plan_read(F::depth32_float, {17, 9}), {68, 256, 9, 2116, 612}));
static_assert(is(plan_read(F::stencil8, {17, 9}), {17, 256, 9, 2065, 153}));
static_assert(plan_read(F::stencil8, {17, 9}).staging_bytes == 2068);

// A21: BC1 1920x1080.
constexpr TextureOptions chain{.format = F::bc1_rgba_unorm, .size = {1920, 1080}, .mip_levels = 11};
constexpr std::array<std::uint64_t, 11> level_bytes{1036800, 259200, 65280, 16320, 4080, 1080,
                                                    256,     64,     16,    8,     8};
constexpr bool chain_is_right() {
    std::uint64_t offset = 0;
    for (std::uint32_t level = 0; level < level_bytes.size(); ++level) {
        const auto found = mip_level(chain, level);
        if (!found || found->offset_bytes != offset || found->size_bytes != level_bytes[level])
            return false;
        offset += level_bytes[level];
    }
    return offset == 1383112 && !mip_level(chain, 11);
}
static_assert(full_mip_levels({1920, 1080}) == 11);
static_assert(chain_is_right());
static_assert(plan_read({.format = F::bc1_rgba_unorm, .size = {250, 250}}).problem ==
              CopyProblem::texture_unaligned);
static_assert(!mip_level({.format = F::bc1_rgba_unorm, .size = {250, 250}}, 0));

// A20: BC7 4x4 with three levels; 4x4, 2x2 and 1x1 all copy 4x4 texels, 16 bytes.
constexpr TextureOptions small{.format = F::bc7_rgba_unorm, .size = {4, 4}, .mip_levels = 3};
constexpr bool small_levels_copy_a_block() {
    constexpr std::array<Extent3D, 3> given{{{4, 4}, {2, 2}, {1, 1}}};
    for (std::uint32_t mip = 0; mip < 3; ++mip) {
        const CopyPlan plan = plan_write(small, {.tight = true}, {.mip = mip}, given[mip]);
        if (!plan || plan.size != Extent3D{4, 4} || plan.required_bytes != 16) return false;
    }
    return true;
}
static_assert(small_levels_copy_a_block());

// A09: a part of rows that are wider, which ends with the last byte needed.
static_assert(plan_write({.format = F::rgba8_unorm, .size = {1024, 1024}},
                         {.bytes_per_row = 2048 * 4})
                  .required_bytes == 8384512);

// A31: a depth and stencil of 17x9.
constexpr TextureOptions depth{.format = F::depth32_float_stencil8, .size = {17, 9}};
static_assert(plan_read(depth, {.aspect = Aspect::depth_only}).tight_bytes == 612);
static_assert(plan_read(depth, {.aspect = Aspect::stencil_only}).tight_bytes == 153);
static_assert(plan_read(depth, {.aspect = Aspect::depth_only}, Extent3D{4, 4}).problem ==
              CopyProblem::not_whole);
static_assert(plan_write(depth, {.tight = true}, {.aspect = Aspect::depth_only}).problem ==
              CopyProblem::direction_forbidden);

// Document 004: BC1 8x12 is 6 blocks, 2 in each of 3 rows.
constexpr CopyPlan six =
    plan_write({.format = F::bc1_rgba_unorm, .size = {8, 12}}, {.tight = true});
static_assert(six.row_bytes / six.block_bytes == 2 && six.block_rows == 3 && six.tight_bytes == 48);

// Document 004: the forms of a size.
constexpr bool same(const Extent3D& size, std::uint64_t width, std::uint64_t height,
                    std::uint64_t layers) {
    return size.width == width && size.height == height && size.depth_or_array_layers == layers;
}
static_assert(same({2}, 2, 1, 1));
static_assert(same({2, 3}, 2, 3, 1));
static_assert(same({2, 3, 4}, 2, 3, 4));
static_assert(same({.width = 2}, 2, 1, 1));
static_assert(same({.width = 2, .height = 3}, 2, 3, 1));
static_assert(same({.width = 2, .height = 3, .depth_or_array_layers = 4}, 2, 3, 4));

// Document 004: the forms of an origin.
constexpr bool same(const Origin3D& origin, std::uint64_t x, std::uint64_t y, std::uint64_t z) {
    return origin.x == x && origin.y == y && origin.z == z;
}
static_assert(same(Origin3D{5}, 5, 0, 0));
static_assert(same(Origin3D{5, 6}, 5, 6, 0));
static_assert(same(Origin3D{5, 6, 7}, 5, 6, 7));
static_assert(same(Origin3D{.x = 5}, 5, 0, 0));
static_assert(same(Origin3D{.x = 5, .y = 6}, 5, 6, 0));
static_assert(same(Origin3D{.x = 5, .y = 6, .z = 7}, 5, 6, 7));
static_assert(same(Origin3D{}, 0, 0, 0)); // "0 to 3 entries" (004-7)

// Consequences of the formula (rules 3.1).
constexpr TextureOptions grey{
    .format = F::r8_unorm, .size = {512, 8}, .dimension = TextureDimension::d2};
static_assert(plan_copy(CopyDirection::texture_to_buffer, grey, {}, Extent3D{128, 2},
                        {.bytes_per_row = 256})
                  .required_bytes == 384);
constexpr TextureOptions layers{.format = F::rgba8_unorm, .size = {16, 4, 3}};
static_assert(plan_copy(CopyDirection::texture_to_buffer, layers, {}, Extent3D{0, 4, 3},
                        {.bytes_per_row = 256, .rows_per_image = 4})
                  .required_bytes == 2816);
static_assert(plan_copy(CopyDirection::texture_to_buffer, layers, {}, Extent3D{16, 0, 3},
                        {.bytes_per_row = 256, .rows_per_image = 4})
                  .required_bytes == 2048);
static_assert(plan_copy(CopyDirection::texture_to_buffer, layers, {}, Extent3D{16, 4, 0},
                        {.bytes_per_row = 256})
                  .required_bytes == 0);
static_assert(plan_copy(CopyDirection::texture_to_buffer, {.format = F::r8_unorm, .size = {3}}, {},
                        {}, {})
                  .required_bytes == 3);

// Levels: a 12x12 BC texture has level 1 of 6x6, which is 8x8 in blocks, and level 3 of 1x1.
constexpr TextureOptions blocks{.format = F::bc1_rgba_unorm, .size = {12, 12}, .mip_levels = 4};
static_assert(logical_size(blocks, 1) == Extent3D{6, 6});
static_assert(physical_size(blocks, 1) == Extent3D{8, 8});
static_assert(physical_size(blocks, 3) == Extent3D{4, 4});

TEST(LayoutNumbers, AreCheckedByTheCompiler) {
    // What the compiler says of plan_read holds at run time as well.
    const volatile std::uint64_t width = 100;
    EXPECT_TRUE(is(plan_read(F::rgba8_unorm, {width, 100}), {400, 512, 100, 51088, 40000}));
}

} // namespace
} // namespace ferry
