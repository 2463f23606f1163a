// SPDX-License-Identifier: MIT
#include <memory>

#include <fmt/format.h>

#include "common.hpp"
#include "ferry/layout.hpp"
#include "report.hpp"
#include "text.hpp"
#include "texture_wish.hpp"

namespace app {

namespace {
using ferry::CopyPlan;
using ferry::CopyProblem;
using ferry::Extent3D;
using ferry::Origin3D;
using ferry::TextureDimension;
using Json = nlohmann::ordered_json;

std::string size_words(const Extent3D& size) {
    return fmt::format("{}x{}x{}", size.width, size.height, size.depth_or_array_layers);
}

std::string dimension_word(TextureDimension dimension) {
    return fmt::format("{}d", static_cast<std::uint32_t>(dimension));
}

/// The plan's own error, with its cure as options of this program.
Error refusal(const CopyPlan& plan, const Wish& wish) {
    Error error = plan.error();
    switch (plan.problem) {
    case CopyProblem::empty_texture: error.fix = "Give a size from 1x1 on, such as 256x256."; break;
    case CopyProblem::aspect_missing: error.fix = "Leave --aspect out."; break;
    case CopyProblem::aspect_ambiguous:
        error.fix = plan.format.depth.to_memory
                        ? "Use --aspect depth-only or --aspect stencil-only."
                        : "Use --aspect stencil-only; its depth cannot be copied to memory.";
        break;
    case CopyProblem::dimension_impossible: error.fix = "Use --dimension 2d."; break;
    case CopyProblem::mip_out_of_range:
    case CopyProblem::origin_unaligned:
    case CopyProblem::size_unaligned:
    case CopyProblem::out_of_bounds:
    case CopyProblem::not_whole: {
        const ferry::CopyRegion legal = nearest_legal(wish.texture, wish.at, wish.size);
        const Origin3D& from = legal.at.origin;
        error.fix += fmt::format(" Try --mip {} --origin {},{},{} --size {}.", legal.at.mip, from.x,
                                 from.y, from.z, size_words(legal.size));
        break;
    }
    default: break;
    }
    return error;
}

Json extent_json(const Extent3D& size) {
    return {size.width, size.height, size.depth_or_array_layers};
}

Json to_json(const CopyPlan& plan) {
    const Origin3D& from = plan.at.origin;
    Json out{{"format", plan.format.name},
             {"dimension", dimension_word(plan.texture.dimension)},
             {"texture", extent_json(plan.texture.size)},
             {"mip_levels", plan.texture.mip_levels},
             {"mip", plan.at.mip},
             {"aspect", ferry::name(plan.at.aspect)},
             {"logical_size", extent_json(logical_size(plan.texture, plan.at.mip))},
             {"physical_size", extent_json(plan.level)},
             {"origin", {from.x, from.y, from.z}},
             {"size", extent_json(plan.size)},
             {"block_size", {plan.format.block_width, plan.format.block_height}},
             {"block_bytes", plan.block_bytes},
             {"row_bytes", plan.row_bytes},
             {"block_rows", plan.block_rows},
             {"images", plan.images}};
    out["padded"] = {{"bytes_per_row", plan.bytes_per_row},
                     {"rows_per_image", plan.rows_per_image},
                     {"required_bytes", plan.required_bytes},
                     {"staging_bytes", plan.staging_bytes},
                     {"offset_alignment_bytes", plan.offset_alignment_bytes}};
    out["tight"] = {{"bytes_per_row", plan.row_bytes},
                    {"rows_per_image", plan.block_rows},
                    {"required_bytes", plan.tight_bytes},
                    {"offset_alignment_bytes", 1}};
    out["from_memory"] = plan.format.select(plan.at.aspect).from_memory;
    if (plan.format.feature) out["feature"] = ferry::name(*plan.format.feature);
    return out;
}

std::string heading(const CopyPlan& plan) {
    const auto& format = plan.format;
    return fmt::format("{} {}, {}, level {} of {}, aspect {}\n", format.name,
                       size_words(plan.texture.size), dimension_word(plan.texture.dimension),
                       plan.at.mip, plan.texture.mip_levels, ferry::name(plan.at.aspect));
}

std::string text(const CopyPlan& plan) {
    const auto& format = plan.format;
    const Extent3D seen = logical_size(plan.texture, plan.at.mip);
    const Origin3D& from = plan.at.origin;
    Table facts({"level", size_words(plan.level) + " texels" +
                              (seen == plan.level ? ""
                                                  : fmt::format(" in whole blocks; shaders see {}",
                                                                size_words(seen)))});
    facts.add({"region",
               fmt::format("{} at ({}, {}, {})", size_words(plan.size), from.x, from.y, from.z)});
    facts.add({"block", fmt::format("{}x{} texels, {} bytes", format.block_width,
                                    format.block_height, plan.block_bytes)});
    facts.add({"row", fmt::format("{} blocks, {} bytes", plan.size.width / format.block_width,
                                  count_text(plan.row_bytes))});
    facts.add({"image", fmt::format("{} rows of blocks", plan.block_rows)});
    if (!format.select(plan.at.aspect).from_memory)
        facts.add({"copies", "texture to buffer only; rendering or another texture fills it"});
    if (format.feature) facts.add({"feature", std::string(ferry::name(*format.feature))});
    Table table({"", "padded", "tight"});
    table.add({"bytes per row", count_text(plan.bytes_per_row), count_text(plan.row_bytes)});
    table.add({"rows per image", count_text(plan.rows_per_image), count_text(plan.block_rows)});
    table.add({"required bytes", count_text(plan.required_bytes), count_text(plan.tight_bytes)});
    table.add({"staging bytes", count_text(plan.staging_bytes), "-"});
    table.add({"offset multiple of", count_text(plan.offset_alignment_bytes), "1"});
    return heading(plan) + facts.text(2) + '\n' + table.text(2);
}

std::string block_words(const ferry::FormatInfo& format) {
    return format.is_compressed() ? fmt::format("{}x{}", format.block_width, format.block_height)
                                  : "1";
}

/// Bytes of a block; of depth and stencil those of each that can be copied.
std::string bytes_words(const ferry::FormatInfo& format) {
    std::vector<std::string> parts;
    for (const ferry::AspectInfo& each : {format.color, format.depth, format.stencil}) {
        if (each.present)
            parts.push_back(each.block_bytes == 0 ? "-" : count_text(each.block_bytes));
    }
    return join(parts, " + ");
}

Result<> list_formats(bool json) {
    auto list = Json::array();
    Table table({"format", "texels in a block", "bytes", "feature"});
    for (const ferry::FormatInfo& each : ferry::all_formats) {
        const std::string feature(each.feature ? ferry::name(*each.feature) : "");
        table.add({std::string(each.name), block_words(each), bytes_words(each), feature});
        Json one{{"format", each.name}, {"block_size", {each.block_width, each.block_height}}};
        if (each.feature) one["feature"] = feature;
        list.push_back(std::move(one));
    }
    return json ? print_json({{"formats", std::move(list)}}) : print(table.text());
}

Result<> show(const PlanOptions& options, bool json) {
    if (options.list) return list_formats(json);
    const auto wish = parse_wish(options);
    if (!wish) return std::unexpected(wish.error());
    const CopyPlan plan = plan_read(wish->texture, wish->at, wish->size);
    if (!plan) return std::unexpected(refusal(plan, *wish));
    return json ? print_json(to_json(plan)) : print(text(plan));
}

constexpr const char* explanation =
    "Padded is what copies between textures and buffers need. Required bytes: the copy touches so\n"
    "many. Staging bytes: what to allocate for a buffer that is mapped, a whole number of words,\n"
    "with copy_dst | map_read to read or map_write | copy_src to write. Tight is what ferry's "
    "reads\n"
    "give and what its writes take. A size or region that WebGPU forbids is exit code 2, with the\n"
    "rule and the nearest legal one. No engine and no GPU is asked.\n\n"
    "  ferry plan --list\n"
    "  ferry plan rgba8unorm 100x100\n"
    "  ferry plan bc1-rgba-unorm 1920x1080 --mip 3\n"
    "  ferry plan depth32float-stencil8 17x9 --aspect stencil-only --json";
} // namespace

void add_plan(CLI::App& app, Common& common, int& exit_code) {
    auto* command =
        app.add_subcommand("plan", "Show how a part of a texture lies in memory, without a GPU");
    auto options = std::make_shared<PlanOptions>();
    command->add_option("format", options->format, "WebGPU's name of a texture format; see --list")
        ->type_name("FORMAT");
    command->add_option("texture", options->texture, "Size of the texture's largest level")
        ->type_name("WxH[xD]");
    const auto option = [command](const char* name, std::string& into, const char* value,
                                  const char* help) {
        command->add_option(name, into, help)->type_name(value);
    };
    option("--dimension", options->dimension, "1d|2d|3d", "2d where left out");
    option("--mip", options->mip, "N", "Mip level; 0 where left out");
    option("--aspect", options->aspect, "ASPECT",
           "all, depth-only or stencil-only; all where left out");
    option("--origin", options->origin, "X,Y[,Z]", "Where the region begins; 0,0,0 where left out");
    option("--size", options->size, "WxH[xD]", "Size of the region; the rest where left out");
    command->add_flag("--list", options->list, "The formats, instead of a plan");
    command->add_flag("--json", common.json, "One JSON document on standard output, errors too");
    command->footer(explanation);
    command->callback([options, &common, &exit_code] {
        const auto done = show(*options, common.json);
        exit_code = done ? 0 : report(done.error(), common.json);
    });
}

} // namespace app
