// SPDX-License-Identifier: MIT
#include "record_plan.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <numeric>
#include <optional>

#include <unistd.h>

#include <fmt/format.h>

#include "arguments.hpp"
#include "needs.hpp"
#include "text.hpp"

namespace app {

using ferry::EntryPoint;
using ferry::ShaderBinding;
using ferry::ShaderStage;

namespace {
constexpr std::size_t most_shader_bytes = std::size_t{8} << 20;
constexpr std::uint64_t most_side = 32'768; // no device has larger textures
constexpr std::uint64_t default_side = 8'192;
constexpr std::uint64_t default_buffer_bytes = std::uint64_t{256} << 20;

std::vector<std::string> drawing_entries(const ferry::ShaderInfo& info) {
    std::vector<std::string> names;
    for (const EntryPoint& each : info.entry_points) {
        if (each.stage != ShaderStage::vertex) names.push_back(each.name);
    }
    return names;
}

Result<> choose_entry(Plan& plan, const RecordOptions& options) {
    const auto names = drawing_entries(plan.info);
    if (names.empty()) {
        return fail(
            Errc::invalid_argument,
            fmt::format("The shader {} has no fragment or compute entry point.", options.shader),
            "Add one: @fragment fn main(@builtin(position) at: vec4f) -> @location(0) "
            "vec4f { ... }");
    }
    const std::string name = options.entry.empty() && names.size() == 1 ? names[0] : options.entry;
    if (name.empty()) {
        return fail(Errc::invalid_argument,
                    fmt::format("The shader {} has {} entry points that draw: {}.", options.shader,
                                names.size(), join(names, ", ")),
                    fmt::format("Choose one: --entry {}.", names[0]));
    }
    plan.entry = plan.info.find_entry_point(name);
    if (plan.entry != nullptr && plan.entry->stage != ShaderStage::vertex) return {};
    const std::string near = nearest(name, names);
    return fail(Errc::invalid_argument,
                fmt::format("The shader {} has no fragment or compute entry point \"{}\"; it has "
                            "{}.",
                            options.shader, name, join(names, ", ")),
                fmt::format("Choose one: --entry {}.", near.empty() ? names[0] : near));
}

Result<> check_overrides(const Plan& plan) {
    for (const std::size_t index : plan.entry->overrides) {
        const ferry::OverrideConstant& each = plan.info.overrides[index];
        if (each.has_default) continue;
        return fail(Errc::invalid_argument,
                    fmt::format("The override \"{}\" has no default, and ferry record sets none.",
                                each.name),
                    fmt::format("Give it one: override {}: f32 = 1.0;", each.name));
    }
    return {};
}

Result<> read_shader(Plan& plan, const RecordOptions& options) {
    auto wgsl = read_text(options.shader, most_shader_bytes);
    if (!wgsl) return within(std::move(wgsl).error(), "while reading the shader");
    plan.wgsl = *std::move(wgsl);
    auto info = ferry::scan_wgsl(plan.wgsl);
    if (!info) return within(std::move(info).error(), "in " + options.shader);
    plan.info = *std::move(info);
    if (auto ok = choose_entry(plan, options); !ok) return ok;
    return check_overrides(plan);
}

/// The one texture that a compute shader writes.
Result<> find_target(RecordPlan& plan) {
    if (plan.shader.entry->stage != ShaderStage::compute) return {};
    constexpr const char* wanted =
        "Write one: @group(0) @binding(0) var out: texture_storage_2d<rgba8unorm, write>;";
    for (const std::size_t index : plan.shader.entry->bindings) {
        const ShaderBinding& binding = plan.shader.info.bindings[index];
        if (binding.kind != ferry::BindingKind::storage_texture) continue;
        const ferry::WgslTexture& texture = binding.texture;
        const bool fits = texture.shape == ferry::TextureShape::d2 &&
                          texture.format == "rgba8unorm" &&
                          texture.access == ferry::TextureAccess::write;
        if (!fits || plan.target != nullptr) {
            return fail(Errc::unsupported,
                        fmt::format("ferry record films one texture_storage_2d<rgba8unorm, "
                                    "write>, and the shader uses {}{}.",
                                    binding_text(binding), fits ? " besides another" : ""),
                        wanted);
        }
        plan.target = &binding;
    }
    if (plan.target != nullptr) return {};
    return fail(
        Errc::invalid_argument,
        fmt::format("The compute entry point {} writes no texture.", plan.shader.entry->name),
        wanted);
}

Result<> choose_size(RecordPlan& plan, const std::string& text) {
    auto size = parse_extent(text);
    if (!size) return within(std::move(size).error(), "in --size");
    const bool whole = size->width > 0 && size->height > 0 && size->depth_or_array_layers == 1;
    if (!whole) {
        return fail(Errc::invalid_argument, fmt::format("--size {} is not that of a film.", text),
                    "Write WIDTHxHEIGHT, each at least 1, such as 1920x1080.");
    }
    if (std::max(size->width, size->height) > most_side) {
        return fail(
            Errc::limit_exceeded,
            fmt::format("--size {} is over the ({}) texels that a side may have.", text, most_side),
            fmt::format("Use at most {}x{}.", std::min(size->width, most_side),
                        std::min(size->height, most_side)));
    }
    plan.width = static_cast<std::uint32_t>(size->width);
    plan.height = static_cast<std::uint32_t>(size->height);
    return {};
}

Result<> choose_format(RecordPlan& plan, const RecordOptions& options) {
    std::string format = options.format;
    if (format.empty() && options.output == "-") format = "y4m";
    if (const auto ending = std::filesystem::path(options.output).extension().string();
        format.empty() && !ending.empty())
        format = ending.substr(1);
    if (format == "rgba" || format == "bin") format = "raw";
    for (const FilmFormat each : {FilmFormat::y4m, FilmFormat::png, FilmFormat::raw}) {
        if (format != name(each)) continue;
        plan.format = each;
        return {};
    }
    if (!options.format.empty()) {
        return fail(Errc::invalid_argument,
                    fmt::format("--format \"{}\" is not known.", options.format),
                    "Use y4m, png or raw.");
    }
    return fail(Errc::invalid_argument,
                fmt::format("The name {} does not say what is to be written.", options.output),
                "End it in .y4m, .png or .raw, or add --format y4m, png or raw.");
}

Result<> choose_length(RecordPlan& plan, const RecordOptions& options) {
    constexpr std::uint64_t most_frames = std::uint64_t{1} << 32; // `frame` is a u32
    constexpr std::uint32_t most_slots = 64;
    if (options.frames == 0 || options.frames > most_frames) {
        return fail(Errc::invalid_argument,
                    fmt::format("--frames ({}) is not from 1 to {}.", options.frames, most_frames),
                    fmt::format("Use --frames {}.", options.frames == 0 ? 1 : most_frames));
    }
    if (options.slots == 0 || options.slots > most_slots) {
        return fail(Errc::invalid_argument,
                    fmt::format("--slots ({}) is not from 1 to {}.", options.slots, most_slots),
                    fmt::format("Use --slots {}.", options.slots == 0 ? 1 : most_slots));
    }
    plan.frames = options.frames;
    plan.slots = options.slots;
    return {};
}

Result<> check_name(const RecordPlan& plan) {
    const auto percent = plan.output.find('%');
    if (plan.format != FilmFormat::png || percent == std::string::npos) return {};
    return fail(Errc::invalid_argument,
                fmt::format("The name {} has a place for the number.", plan.output),
                "Leave it out: -o out.png writes out-0000.png, out-0001.png and so on.");
}

Result<> check_output(const RecordOptions& options) {
    if (options.output.empty()) {
        return fail(Errc::invalid_argument, "No output is given.",
                    "Name a file: -o out.y4m, or - for standard output.");
    }
    if (options.output != "-" || ::isatty(STDOUT_FILENO) == 0) return {};
    return fail(Errc::invalid_argument, "The film is to go to standard output, a terminal.",
                "Write a file, -o out.y4m, or send it to a program: | ffmpeg -i - out.mp4.");
}

Result<> ask_for_device(RecordPlan& plan) {
    ferry::Limits& limits = plan.shader.limits;
    const std::uint32_t side = std::max(plan.width, plan.height);
    if (side > default_side) limits.max_texture_dimension_2d = side;
    const std::uint64_t row_bytes = (std::uint64_t{4} * plan.width + 255) / 256 * 256;
    const std::uint64_t slot_bytes = row_bytes * plan.height + 256;
    if (slot_bytes > default_buffer_bytes) limits.max_buffer_size_bytes = slot_bytes;
    return ask_for_needs(plan.shader);
}

template <class Number>
bool parse_digits(std::string_view text, Number& value) {
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
    return failed == std::errc{} && end == text.data() + text.size();
}

/// "29.97" is 2997/100.
std::optional<FrameRate> parse_fraction(std::string_view text) {
    FrameRate rate;
    if (const auto slash = text.find('/'); slash != std::string_view::npos) {
        const bool read = parse_digits(text.substr(0, slash), rate.frames) &&
                          parse_digits(text.substr(slash + 1), rate.seconds);
        return read ? std::optional(rate) : std::nullopt;
    }
    std::string digits(text);
    if (const auto dot = digits.find('.'); dot != std::string::npos) {
        digits.erase(dot, 1);
        if (digits.size() - dot > 6) return std::nullopt;
        for (std::size_t i = dot; i < digits.size(); ++i) rate.seconds *= 10;
    }
    return parse_digits(std::string_view(digits), rate.frames) ? std::optional(rate) : std::nullopt;
}
} // namespace

const char* name(FilmFormat format) noexcept {
    switch (format) {
    case FilmFormat::y4m: return "y4m";
    case FilmFormat::png: return "png";
    case FilmFormat::raw: return "raw";
    }
    return "";
}

Result<FrameRate> parse_rate(std::string_view text) {
    auto rate = parse_fraction(text);
    if (!rate || rate->frames == 0 || rate->seconds == 0) {
        return fail(Errc::invalid_argument,
                    fmt::format("--fps \"{}\" is not a number of frames per second.", text),
                    "Write a number above 0, such as 30, 29.97 or 30000/1001.");
    }
    const std::uint32_t common = std::gcd(rate->frames, rate->seconds);
    return FrameRate{rate->frames / common, rate->seconds / common};
}

Result<RecordPlan> make_record_plan(const RecordOptions& options) {
    RecordPlan plan;
    plan.output = options.output;
    auto rate = parse_rate(options.fps);
    if (!rate) return std::unexpected(std::move(rate).error());
    plan.rate = *rate;
    for (auto ok : {check_output(options), choose_size(plan, options.size),
                    choose_format(plan, options), check_name(plan), choose_length(plan, options)}) {
        if (!ok) return std::unexpected(std::move(ok).error());
    }
    if (auto ok = read_shader(plan.shader, options); !ok)
        return std::unexpected(std::move(ok).error());
    if (auto ok = find_target(plan); !ok) return within(std::move(ok).error(), options.shader);
    if (auto ok = find_uniforms(plan); !ok) return within(std::move(ok).error(), options.shader);
    if (auto ok = ask_for_device(plan); !ok) return within(std::move(ok).error(), options.shader);
    return plan;
}

} // namespace app
