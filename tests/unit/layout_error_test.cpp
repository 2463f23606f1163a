// SPDX-License-Identifier: MIT
// What a refused plan says: the rule, the numbers and the nearest legal value.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "ferry/layout.hpp"

namespace ferry {
namespace {

constexpr TextureOptions color{.format = Format::rgba8_unorm, .size = {100, 100, 3}};
constexpr TextureOptions bc1{.format = Format::bc1_rgba_unorm, .size = {12, 12}, .mip_levels = 4};
constexpr TextureOptions depth{.format = Format::depth32_float_stencil8, .size = {17, 9}};
constexpr auto out = CopyDirection::texture_to_buffer;
constexpr auto in = CopyDirection::buffer_to_texture;
constexpr std::optional<Extent3D> rest{};

struct Case {
    CopyPlan plan;
    CopyProblem problem;
    std::string_view rule;
    std::vector<std::string> words;
};

void expect_said(const Case& each) {
    ASSERT_EQ(each.plan.problem, each.problem);
    const Error error = each.plan.error();
    SCOPED_TRACE(to_string(error));
    EXPECT_EQ(error.code, Errc::invalid_argument);
    EXPECT_EQ(error.rule, each.rule);
    EXPECT_TRUE(error.what.ends_with('.') && error.fix.ends_with('.'));
    EXPECT_EQ((error.what + error.fix).find('\n'), std::string::npos);
    for (const std::string& word : each.words)
        EXPECT_NE((error.what + ' ' + error.fix).find(word), std::string::npos) << word;
}

void expect_said(const std::vector<Case>& cases) {
    for (const Case& each : cases) expect_said(each);
}

TEST(LayoutError, TexturesThatCannotBe) {
    using enum TextureDimension;
    expect_said({
        {plan_read({.size = {4, 4}}), CopyProblem::unknown_format, "3.9", {"(0)", "rgba8_unorm"}},
        {plan_read({.format = Format::r8_unorm, .size = {4, 0}}),
         CopyProblem::empty_texture,
         "3.2",
         {"(4x0x1)", "1 to 4294967295"}},
        {plan_read({.format = Format::stencil8, .size = {4, 4, 4}, .dimension = d3}),
         CopyProblem::dimension_impossible,
         "3.2",
         {"(3D)", "stencil8", "d2"}},
        {plan_read({.format = Format::bc1_rgba_unorm, .size = {4}, .dimension = d1}),
         CopyProblem::dimension_impossible,
         "3.2",
         {"(1D)", "d2 or d3"}},
        {plan_read({.format = Format::r8_unorm, .size = {4, 2}, .dimension = d1}),
         CopyProblem::dimension_impossible,
         "3.2",
         {"(1D)", "(4x2x1)", "4x1x1"}},
        // A21
        {plan_read({.format = Format::bc1_rgba_unorm, .size = {250, 250}}),
         CopyProblem::texture_unaligned,
         "3.2",
         {"(250x250)", "(4x4)", "252x252", "31,752 bytes"}},
    });
}

TEST(LayoutError, Aspects) {
    const TextureOptions opaque{.format = Format::depth24_plus, .size = {4, 4}};
    const TextureOptions half{.format = Format::depth24_plus_stencil8, .size = {4, 4}};
    const auto write = [](const TextureOptions& texture, Aspect aspect) {
        return plan_write(texture, {.tight = true}, {.aspect = aspect});
    };
    expect_said({
        {plan_read(color, {.aspect = Aspect::depth_only}),
         CopyProblem::aspect_missing,
         "3.3",
         {"rgba8unorm", "Aspect::all"}},
        {plan_read({.format = Format::stencil8, .size = {4, 4}}, {.aspect = Aspect::depth_only}),
         CopyProblem::aspect_missing,
         "3.3",
         {"stencil8", "Aspect::stencil_only"}},
        {plan_read(depth), CopyProblem::aspect_ambiguous, "3.3", {"depth_only", "stencil_only"}},
        {write(depth, Aspect::all),
         CopyProblem::aspect_ambiguous,
         "3.3",
         {"stencil_only", "Render to it", "depth32float-stencil8"}},
        {plan_read(half), CopyProblem::aspect_ambiguous, "3.3", {"stencil_only", "depth32float"}},
        {plan_read(opaque),
         CopyProblem::aspect_opaque,
         "3.4",
         {"depth24plus", "depth32float", "frag_depth"}},
        {plan_read(half, {.aspect = Aspect::depth_only}),
         CopyProblem::aspect_opaque,
         "3.4",
         {"depth32float", "Aspect::stencil_only"}},
        {write(opaque, Aspect::all), CopyProblem::aspect_opaque, "3.4", {"Render to it"}},
        // A31
        {write(depth, Aspect::depth_only),
         CopyProblem::direction_forbidden,
         "3.4",
         {"depth32float-stencil8", "Render to it", "copy from another"}},
    });
}

TEST(LayoutError, Regions) {
    const auto read = [](const TextureOptions& texture, const TextureLocation& at,
                         const std::optional<Extent3D>& size) {
        return plan_read(texture, at, size);
    };
    TextureOptions samples = color;
    samples.sample_count = 4;
    expect_said({
        {read(samples, {}, {}), CopyProblem::multisampled, "T-03", {"(4)", "Resolve"}},
        {read(bc1, {.mip = 4}, {}), CopyProblem::mip_out_of_range, "T-04", {"(4)", "0 to 3"}},
        {read(bc1, {.origin = {4, 6}}, Extent3D{4, 4}),
         CopyProblem::origin_unaligned,
         "T-05",
         {"(4, 6, 0)", "(4x4)", "4x4x1 at (4, 4, 0)"}},
        // A level of 6x6 is 8x8 in blocks.
        {read(bc1, {.mip = 1}, Extent3D{6, 5}),
         CopyProblem::size_unaligned,
         "T-05",
         {"(8x5x1)", "(8x8x1)", "8x8x1 at (0, 0, 0)", "level 1"}},
        {read(color, {.origin = {90, 0, 2}}, Extent3D{20, 10, 1}),
         CopyProblem::out_of_bounds,
         "T-06",
         {"(20x10x1)", "(90, 0, 2)", "(100x100x3)", "10x10x1 at (90, 0, 2)"}},
        {read(color, {.origin = {500}}, {}),
         CopyProblem::out_of_bounds,
         "T-06",
         {"(500, 0, 0)", "1x100x3 at (99, 0, 0)"}},
        // A31
        {read(depth, {.aspect = Aspect::depth_only}, Extent3D{4, 4}),
         CopyProblem::not_whole,
         "T-07",
         {"(4x4x1)", "17x9x1 at (0, 0, 0)", "whole levels"}},
    });
}

TEST(LayoutError, Strides) {
    expect_said({
        {plan_copy(out, color, {}, Extent3D{100, 100}, {}),
         CopyProblem::bytes_per_row_missing,
         "L-02",
         {"(100) rows of (400) bytes", ".bytes_per_row = 400", "512"}},
        {plan_write(color, {}, {}, Extent3D{100, 100}),
         CopyProblem::bytes_per_row_missing,
         "L-02",
         {".bytes_per_row = 400", ".tight = true"}},
        {plan_copy(in, color, {}, rest, {.bytes_per_row = 512}),
         CopyProblem::rows_per_image_missing,
         "L-03",
         {"(3) images", ".rows_per_image = 100"}},
        {plan_write(color, {.bytes_per_row = 399, .rows_per_image = 100}),
         CopyProblem::bytes_per_row_too_small,
         "L-04",
         {"(399)", "(400)", ".bytes_per_row = 400"}},
        {plan_copy(out, color, {}, rest, {.bytes_per_row = 256, .rows_per_image = 100}),
         CopyProblem::bytes_per_row_too_small,
         "L-04",
         {"(256)", "(400)", ".bytes_per_row = 400", "512"}},
        {plan_write(color, {.bytes_per_row = 400, .rows_per_image = 99}),
         CopyProblem::rows_per_image_too_small,
         "L-05",
         {"(99)", "(100)", ".rows_per_image = 100"}},
        {plan_copy(out, color, {}, rest, {.bytes_per_row = 400, .rows_per_image = 100}),
         CopyProblem::bytes_per_row_unaligned,
         "L-06",
         {"(400)", "(256)", "Use 512"}},
        {plan_copy(out, color, {}, Extent3D{100}, {.bytes_per_row = 400}),
         CopyProblem::bytes_per_row_unaligned,
         "L-06",
         {"Leave .bytes_per_row out", "512"}},
        {plan_copy(out, color, {}, Extent3D{100}, {.bytes_per_row = 4294967041}),
         CopyProblem::bytes_per_row_unaligned,
         "L-06",
         {"4294967040"}},
        {plan_copy(in, bc1, {}, Extent3D{4, 4}, {.offset_bytes = 12}),
         CopyProblem::offset_unaligned,
         "L-07",
         {"(12)", "(8)", "8 or 16"}},
        {plan_copy(out, color, {}, Extent3D{1}, {.offset_bytes = ~std::uint64_t{0}}),
         CopyProblem::offset_unaligned,
         "L-07",
         {"Begin at 18446744073709551612."}},
        {plan_write(color, {.bytes_per_row = 4294967295, .rows_per_image = 100}),
         CopyProblem::stride_too_large,
         "A-14",
         {"(4294967295)", "4294967294"}},
        {plan_write(color, {.bytes_per_row = 4294967294, .rows_per_image = 4294967294}),
         CopyProblem::too_many_bytes,
         "L-10",
         {"2^64", "(4294967294)"}},
    });
}

TEST(LayoutError, OfAValidPlanIsADefect) {
    const CopyPlan plan = plan_read(color);
    ASSERT_TRUE(plan);
    EXPECT_EQ(plan.error().code, Errc::internal);
}

} // namespace
} // namespace ferry
