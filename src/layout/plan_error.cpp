// SPDX-License-Identifier: MIT
#include "base/text.hpp"
#include "layout/region_error.hpp"

namespace ferry {

using base::text;
using detail::up_to_multiple;

namespace {

/// "The copy of rgba8unorm texels to a buffer"
std::string subject(const CopyPlan& plan) {
    const std::string aspect =
        plan.at.aspect == Aspect::all ? "" : text(" (aspect ", name(plan.at.aspect), ')');
    const std::string texels = text(plan.format.name, " texels", aspect);
    switch (plan.direction) {
    case CopyDirection::texture_to_buffer: return text("The copy of ", texels, " to a buffer");
    case CopyDirection::buffer_to_texture: return text("The copy of ", texels, " from a buffer");
    case CopyDirection::write: break;
    }
    return text("The write of ", texels);
}

Error error(std::string_view rule, std::string what, std::string fix) {
    return {.code = Errc::invalid_argument,
            .rule = rule,
            .what = std::move(what),
            .fix = std::move(fix)};
}

/// What can be done with a depth that has no way into or out of memory.
std::string depth_way_round(const CopyPlan& plan) {
    const std::string stencil =
        plan.format.stencil.present ? " Its stencil can be copied with Aspect::stencil_only." : "";
    if (plan.direction != CopyDirection::texture_to_buffer) {
        return text("Render to it, or copy from another ", plan.format.name, " texture.", stencil);
    }
    return text("Make the texture depth32float, which can be copied out, or draw it into one with "
                "a shader that writes frag_depth, and copy that.",
                stencil);
}

Error aspect_error(const CopyPlan& plan) {
    const FormatInfo& format = plan.format;
    switch (plan.problem) {
    case CopyProblem::aspect_ambiguous: {
        const bool out = plan.direction == CopyDirection::texture_to_buffer;
        const bool depth = out ? format.depth.to_memory : format.depth.from_memory;
        return error(
            "3.3",
            text(subject(plan), " is of (all) aspects, and ", format.name,
                 " has two, which are copied one at a time."),
            depth ? detail::aspect_fix(format)
                  : text("Use Aspect::stencil_only. For the depth: ", depth_way_round(plan)));
    }
    case CopyProblem::aspect_opaque:
        return error("3.4",
                     text(subject(plan), " is not possible: the depth of ", format.name,
                          " has no layout in memory."),
                     depth_way_round(plan));
    case CopyProblem::direction_forbidden:
        return error("3.4",
                     text(subject(plan), " is not possible: the depth of ", format.name,
                          " can be copied to memory, but not from it."),
                     depth_way_round(plan));
    default:
        return error("3.3",
                     text(subject(plan), " asks for the aspect (",
                          static_cast<std::uint32_t>(plan.at.aspect), "), which ", format.name,
                          " does not have."),
                     detail::aspect_fix(format));
    }
}

/// The smallest legal distance of rows.
std::uint64_t legal_pitch(const CopyPlan& plan) {
    return up_to_multiple(std::max<std::uint64_t>(plan.row_bytes, 1), plan.row_alignment_bytes);
}

std::string pitch_fix(const CopyPlan& plan) {
    if (plan.direction == CopyDirection::write)
        return text("State .bytes_per_row = ", legal_pitch(plan),
                    " for rows without gaps, or .tight = true.");
    return text("State the distance of your rows: .bytes_per_row = ", plan.row_bytes,
                " or .tight = true for rows without gaps, ", legal_pitch(plan),
                " for rows that one copy of the engine's takes.");
}

std::string rows_fix(const CopyPlan& plan) {
    return text("State .rows_per_image = ", std::max<std::uint64_t>(plan.block_rows, 1),
                " (rows of blocks) for images without gaps.");
}

std::string count_of_rows(const CopyPlan& plan) {
    return text(plan.block_rows, ") rows of (", plan.row_bytes, ") bytes in (", plan.images,
                ") images");
}

Error unaligned_pitch(const CopyPlan& plan) {
    const std::uint64_t step = plan.row_alignment_bytes;
    std::uint64_t next = up_to_multiple(plan.bytes_per_row, step);
    if (next >= detail::largest_u32) next -= step;
    const bool one_row = plan.block_rows <= 1 && plan.images <= 1;
    return error("L-06",
                 text(subject(plan), " has .bytes_per_row of (", plan.bytes_per_row,
                      "), which is no multiple of (", step, ")."),
                 one_row
                     ? text("Leave .bytes_per_row out, since there is one row, or use ", next, '.')
                     : text("Use ", next, "; the rows have ", plan.row_bytes,
                            " bytes. Commands::copy also takes rows at a multiple of the block's (",
                            plan.offset_alignment_bytes, ") bytes",
                            plan.format.is_depth_stencil() ? " when they are whole words." : "."));
}

Error unaligned_offset(const CopyPlan& plan) {
    const std::uint64_t step = plan.offset_alignment_bytes;
    const std::uint64_t down = plan.offset_bytes / step * step;
    return error("L-07",
                 text(subject(plan), " has the offset (", plan.offset_bytes,
                      "), which is no multiple of (", step, ")."),
                 down > std::numeric_limits<std::uint64_t>::max() - step
                     ? text("Begin at ", down, '.')
                     : text("Begin at ", down, " or ", down + step, '.'));
}

Error layout_error(const CopyPlan& plan) {
    switch (plan.problem) {
    case CopyProblem::bytes_per_row_missing:
        return error("L-02",
                     text(subject(plan), " has (", count_of_rows(plan), ", and no .bytes_per_row."),
                     pitch_fix(plan));
    case CopyProblem::rows_per_image_missing:
        return error(
            "L-03", text(subject(plan), " has (", count_of_rows(plan), ", and no .rows_per_image."),
            rows_fix(plan));
    case CopyProblem::bytes_per_row_too_small:
        return error("L-04",
                     text(subject(plan), " has .bytes_per_row of (", plan.bytes_per_row,
                          "), less than the (", plan.row_bytes, ") bytes of a row."),
                     pitch_fix(plan));
    case CopyProblem::rows_per_image_too_small:
        return error("L-05",
                     text(subject(plan), " has .rows_per_image of (", plan.rows_per_image,
                          "), less than the (", plan.block_rows, ") rows of blocks of an image."),
                     rows_fix(plan));
    case CopyProblem::bytes_per_row_unaligned: return unaligned_pitch(plan);
    case CopyProblem::offset_unaligned: return unaligned_offset(plan);
    case CopyProblem::stride_too_large:
        return error("A-14",
                     text(subject(plan), " has .bytes_per_row of (", plan.bytes_per_row,
                          ") and .rows_per_image of (", plan.rows_per_image,
                          "), of which one is over 4294967294."),
                     "Copy one row, or one image, at a time, without the stride.");
    default:
        return error("L-10",
                     text(subject(plan), " with .bytes_per_row of (", plan.bytes_per_row,
                          "), .rows_per_image of (", plan.rows_per_image, ") and offset (",
                          plan.offset_bytes, ") ends over 2^64 bytes."),
                     "Use smaller strides, or copy one image at a time.");
    }
}

} // namespace

Error CopyPlan::error() const {
    if (problem == CopyProblem::none) {
        return {.code = Errc::internal, .what = "A plan that is valid is asked for its error."};
    }
    switch (problem) {
    case CopyProblem::unknown_format:
    case CopyProblem::empty_texture:
    case CopyProblem::dimension_impossible:
    case CopyProblem::texture_unaligned:
        return detail::shape_error(problem, texture, "The texture");
    case CopyProblem::aspect_missing:
    case CopyProblem::aspect_ambiguous:
    case CopyProblem::aspect_opaque:
    case CopyProblem::direction_forbidden: return aspect_error(*this);
    case CopyProblem::multisampled:
        return ferry::error("T-03",
                            text(subject(*this), " is of a texture with (", texture.sample_count,
                                 ") samples, and memory has no layout for them."),
                            "Resolve it in a render pass into a texture of one sample, and copy "
                            "that.");
    case CopyProblem::mip_out_of_range:
    case CopyProblem::origin_unaligned:
    case CopyProblem::size_unaligned:
    case CopyProblem::out_of_bounds:
    case CopyProblem::not_whole:
        return detail::region_error(problem, texture, at, size, subject(*this));
    default: return layout_error(*this);
    }
}

} // namespace ferry
