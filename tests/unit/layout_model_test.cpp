// SPDX-License-Identifier: MIT
// The planner against a model that counts bytes, for every format, aspect, dimension and direction.
#include <array>
#include <cstdio>

#include <gtest/gtest.h>

#include "layout_model.hpp"

namespace ferry {
namespace {

using model::Copy;

struct Count {
    std::uint64_t plans = 0, legal = 0, moving = 0, bytes = 0;
};

std::string text(const Copy& copy) {
    const auto& [direction, texture, at, wanted, layout] = copy;
    std::string out = std::string(name(texture.format)) + ' ' + std::string(name(at.aspect));
    const auto add = [&out](const char* word, std::initializer_list<std::uint64_t> numbers) {
        out += word;
        for (const std::uint64_t n : numbers) out += ' ' + std::to_string(n);
    };
    add(" direction", {static_cast<std::uint64_t>(direction)});
    add(" dimension", {static_cast<std::uint64_t>(texture.dimension)});
    add(" texture", {texture.size.width, texture.size.height, texture.size.depth_or_array_layers});
    add(" mip", {at.mip, texture.mip_levels});
    add(" at", {at.origin.x, at.origin.y, at.origin.z});
    if (wanted) add(" size", {wanted->width, wanted->height, wanted->depth_or_array_layers});
    add(" offset", {layout.offset_bytes});
    if (layout.bytes_per_row) add(" pitch", {*layout.bytes_per_row});
    if (layout.rows_per_image) add(" rows", {*layout.rows_per_image});
    return out + (layout.tight ? " tight" : "");
}

/// Every position that the plan tells was touched, once, and no other was.
void compare_bytes(const CopyPlan& plan, const model::Blocks& blocks,
                   const model::Touched& touched) {
    std::vector<std::uint8_t> told(touched.bytes.size());
    for (std::uint64_t image = 0; image < blocks.images; ++image) {
        for (std::uint64_t row = 0; row < blocks.down; ++row) {
            for (std::uint64_t column = 0; column < blocks.across; ++column) {
                const std::uint64_t at = plan.byte_of(column, row, image) - plan.offset_bytes;
                ASSERT_LE(at + blocks.bytes, told.size());
                for (std::uint64_t i = 0; i < blocks.bytes; ++i) ++told[at + i];
            }
        }
    }
    ASSERT_TRUE(told == touched.bytes);
    ASSERT_TRUE(std::all_of(told.begin(), told.end(), [](std::uint8_t n) { return n <= 1; }));
}

void compare_legal(const Copy& copy, const CopyPlan& plan, Count& count) {
    const model::FormatRow& row = *model::aspect_row(copy.texture.format, copy.at.aspect);
    const Extent3D size = model::resolved(copy);
    const model::Blocks blocks = model::blocks_of(row, size);
    const model::Strides strides = model::strides_of(copy.layout, blocks);
    const model::Touched touched = model::touch(blocks, strides);
    ++count.legal;
    count.moving += touched.count > 0 ? 1 : 0;
    count.bytes += touched.count;
    ASSERT_EQ(plan.size, size);
    ASSERT_EQ(plan.level, model::level_of(copy.texture, copy.at.mip, true));
    ASSERT_EQ(plan.is_empty(), touched.count == 0);
    ASSERT_EQ(plan.tight_bytes, touched.count);
    ASSERT_EQ(plan.offset_bytes, copy.layout.offset_bytes);
    ASSERT_EQ(plan.bytes_per_row, strides.bytes_per_row.value_or(0));
    ASSERT_EQ(plan.rows_per_image, strides.rows_per_image.value_or(0));
    const model::Wide required =
        touched.count == 0 ? model::formula_bytes(blocks, strides) : touched.bytes.size();
    ASSERT_TRUE(plan.required_bytes == required) << plan.required_bytes;
    ASSERT_TRUE(plan.staging_bytes % 4 == 0 && plan.staging_bytes >= required &&
                plan.staging_bytes < required + 4)
        << plan.staging_bytes;
    compare_bytes(plan, blocks, touched);
}

void compare(const Copy& copy, Count& count) {
    ++count.plans;
    const CopyPlan plan =
        plan_copy(copy.direction, copy.texture, copy.at, copy.wanted, copy.layout);
    const bool legal = model::legal(copy);
    ASSERT_EQ(static_cast<bool>(plan), legal)
        << text(copy) << ": problem " << static_cast<int>(plan.problem);
    if (!legal && count.plans % 16 == 0) {
        const Error error = plan.error();
        ASSERT_TRUE(error.what.ends_with('.') && error.fix.ends_with('.') && !error.rule.empty())
            << to_string(error);
    }
    if (legal) {
        SCOPED_TRACE(::testing::Message() << (::testing::Test::HasFailure() ? "" : text(copy)));
        compare_legal(copy, plan, count);
    }
}

/// The axes of the grid; legal values stand on them more often than others.
enum Axis : std::size_t { shape, depth, mip, origin, layer, size, images, pitch, rows, offset };
constexpr std::array<std::uint32_t, 10> axis_sizes{5, 2, 7, 8, 4, 12, 6, 10, 7, 8};
constexpr std::uint64_t grid_points = [] {
    std::uint64_t product = 1;
    for (const std::uint32_t n : axis_sizes) product *= n;
    return product;
}();

using Point = std::array<std::uint32_t, axis_sizes.size()>;

Point point_of(std::uint64_t number) {
    Point point{};
    for (std::size_t axis = 0; axis < axis_sizes.size(); ++axis) {
        point[axis] = static_cast<std::uint32_t>(number % axis_sizes[axis]);
        number /= axis_sizes[axis];
    }
    return point;
}

/// What all copies of one part of the grid have in common.
struct Kind {
    Format format;
    Aspect aspect;
    TextureDimension dimension;
    CopyDirection direction;
};

TextureOptions texture_at(const Kind& kind, const Point& point) {
    const model::FormatRow& row = model::any_row(kind.format);
    constexpr std::array<std::array<std::uint64_t, 2>, 5> blocks{
        {{1, 1}, {3, 2}, {5, 4}, {18, 3}, {4, 7}}};
    const auto [across, down] = blocks[point[shape]];
    TextureOptions texture{.format = kind.format, .dimension = kind.dimension, .mip_levels = 3};
    texture.size = {across * row.block_width, down * row.block_height, point[depth] == 0 ? 1U : 3U};
    if (kind.dimension == TextureDimension::d1) {
        texture.size = {across * row.block_width, 1, 1};
        texture.mip_levels = 1;
    }
    if (point[shape] == 4 && point[offset] == 7) ++texture.size.width; // no whole blocks, if any
    return texture;
}

TextureLocation place_at(const Kind& kind, const TextureOptions& texture, const Point& point) {
    const model::FormatRow& row = model::any_row(kind.format);
    TextureLocation at{.mip = point[mip] == 6 ? 3 : point[mip] % 3, .aspect = kind.aspect};
    const Extent3D level = model::level_of(texture, at.mip, true);
    switch (point[origin]) {
    case 0: at.origin = {level.width, level.height}; break;
    case 1: at.origin = {1, row.block_height / 2}; break;
    case 2:
    case 3: at.origin.x = row.block_width; break;
    case 4: at.origin = {row.block_width, row.block_height}; break;
    default: break;
    }
    at.origin.z = point[layer] == 3 ? level.depth_or_array_layers : point[layer] % 2;
    return at;
}

std::optional<Extent3D> size_at(const Copy& copy, const Point& point) {
    if (point[size] == 0) return std::nullopt;
    const model::FormatRow& row = model::any_row(copy.texture.format);
    Copy rest = copy;
    rest.wanted.reset();
    const Extent3D left = model::resolved(rest);
    const Extent3D seen = model::level_of(copy.texture, copy.at.mip, false);
    Extent3D wanted = left;
    switch (point[size]) {
    case 2: wanted = {row.block_width, row.block_height}; break;
    case 3: wanted = {seen.width - std::min(seen.width, copy.at.origin.x), left.height}; break;
    case 4: wanted.width = 0; break;
    case 5: wanted.height = 0; break;
    case 6: wanted = {left.width + row.block_width, left.height}; break;
    case 7: wanted = {row.block_width, 1}; break;
    case 8: wanted = {left.width, ~std::uint64_t{0}}; break;
    case 9: wanted = {left.width, row.block_height}; break;
    default: break;
    }
    const std::uint64_t all = left.depth_or_array_layers;
    wanted.depth_or_array_layers =
        std::array<std::uint64_t, 6>{all, all, all, 1, 0, all + 1}[point[images]];
    return wanted;
}

ImageLayout layout_at(const Copy& copy, const Point& point) {
    const model::FormatRow& row = model::any_row(copy.texture.format);
    const model::FormatRow* aspect = model::aspect_row(copy.texture.format, copy.at.aspect);
    const Extent3D copied = model::resolved(copy);
    const std::uint64_t bytes = aspect != nullptr ? aspect->block_bytes : 4;
    const std::uint64_t tight = copied.width / row.block_width * bytes;
    const std::uint64_t padded = (tight + 255) / 256 * 256;
    const std::uint64_t down = copied.height / row.block_height;
    ImageLayout layout{.tight = point[pitch] == 1};
    const std::array<std::optional<std::uint64_t>, 10> pitches{
        std::nullopt, std::nullopt, tight,  tight + 1, tight - 1,
        padded,       padded,       padded, padded,    padded + 256};
    const std::array<std::optional<std::uint64_t>, 7> heights{std::nullopt, down - 1, down,    down,
                                                              down,         down + 1, down + 3};
    layout.bytes_per_row = pitches[point[pitch]];
    layout.rows_per_image = heights[point[rows]];
    layout.offset_bytes =
        std::array<std::uint64_t, 8>{0, bytes, 4, 256, 12 * bytes, 64, 0, 1}[point[offset]];
    return layout;
}

void compare_kind(const Kind& kind, std::uint64_t first, std::uint64_t count_of_points,
                  Count& count) {
    // A step without a common factor with the grid meets every value of every axis.
    constexpr std::uint64_t step = 1000003;
    static_assert(grid_points % step != 0);
    for (std::uint64_t i = 0; i < count_of_points; ++i) {
        const Point point = point_of((first + i) * step % grid_points);
        Copy copy{.direction = kind.direction, .texture = texture_at(kind, point)};
        copy.at = place_at(kind, copy.texture, point);
        copy.wanted = size_at(copy, point);
        copy.layout = layout_at(copy, point);
        compare(copy, count);
        if (::testing::Test::HasFatalFailure()) return;
    }
}

TEST(LayoutModel, AgreesWithThePlannerOnEveryKindOfCopy) {
    Count count;
    std::uint64_t kinds = 0;
    for (const FormatInfo& info : all_formats) {
        for (const Aspect aspect : {Aspect::all, Aspect::depth_only, Aspect::stencil_only}) {
            for (const auto dimension :
                 {TextureDimension::d1, TextureDimension::d2, TextureDimension::d3}) {
                for (const auto direction :
                     {CopyDirection::texture_to_buffer, CopyDirection::buffer_to_texture,
                      CopyDirection::write}) {
                    // Most points go where copies are possible at all.
                    const bool possible =
                        model::aspect_row(info.format, aspect) != nullptr &&
                        (dimension != TextureDimension::d1 ||
                         model::any_row(info.format).shapes == model::Shapes::all);
                    const std::uint64_t points = possible ? 1500 : 40;
                    compare_kind({info.format, aspect, dimension, direction}, kinds * 1500, points,
                                 count);
                    ASSERT_FALSE(HasFatalFailure());
                    ++kinds;
                }
            }
        }
    }
    std::printf("%llu plans compared, %llu of them legal, %llu of these move %llu bytes\n",
                static_cast<unsigned long long>(count.plans),
                static_cast<unsigned long long>(count.legal),
                static_cast<unsigned long long>(count.moving),
                static_cast<unsigned long long>(count.bytes));
    EXPECT_EQ(kinds, 101U * 3 * 3 * 3);
    EXPECT_GE(count.legal, 100000U);
    EXPECT_GE(count.moving, 50000U);
}

} // namespace
} // namespace ferry
