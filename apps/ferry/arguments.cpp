// SPDX-License-Identifier: MIT
#include "arguments.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <span>

#include <fmt/format.h>

namespace app {

namespace {
std::string_view trimmed(std::string_view text) {
    while (text.starts_with(' ')) text.remove_prefix(1);
    while (text.ends_with(' ')) text.remove_suffix(1);
    return text;
}

std::optional<std::uint64_t> parse_count(std::string_view text) {
    text = trimmed(text);
    std::uint64_t value = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failed != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

/// "10,20" into numbers; a trailing comma, as Python writes "(3,)", is fine.
std::optional<std::vector<std::uint64_t>> parse_counts(std::string_view text) {
    std::vector<std::uint64_t> counts;
    while (!trimmed(text).empty()) {
        const auto end = std::min(text.find(','), text.size());
        const auto count = parse_count(text.substr(0, end));
        if (!count) return std::nullopt;
        counts.push_back(*count);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return counts;
}

struct Unit {
    std::string_view name;
    std::uint64_t bytes;
};
constexpr std::array units{
    Unit{"B", 1},
    Unit{"KiB", std::uint64_t{1} << 10},
    Unit{"MiB", std::uint64_t{1} << 20},
    Unit{"GiB", std::uint64_t{1} << 30},
    Unit{"TiB", std::uint64_t{1} << 40},
    Unit{"kB", 1'000},
    Unit{"MB", 1'000'000},
    Unit{"GB", 1'000'000'000},
    Unit{"TB", 1'000'000'000'000},
};

std::optional<std::uint64_t> unit_bytes(std::string_view name) {
    if (name.empty()) return 1;
    for (const Unit& each : units) {
        if (each.name == name) return each.bytes;
    }
    return std::nullopt;
}
} // namespace

Result<Named> parse_named(std::string_view option, std::string_view text,
                          std::string_view example) {
    const auto at = text.find('=');
    if (at == std::string_view::npos || at == 0 || at + 1 == text.size()) {
        return fail(
            Errc::invalid_argument,
            fmt::format("The option {} takes NAME=VALUE, and was given \"{}\".", option, text),
            fmt::format("Write for example {} {}.", option, example));
    }
    return Named{std::string(trimmed(text.substr(0, at))), std::string(text.substr(at + 1))};
}

Result<std::uint64_t> parse_size(std::string_view text) {
    const auto digits = std::min(text.find_first_not_of("0123456789."), text.size());
    const auto unit = unit_bytes(trimmed(text.substr(digits)));
    const std::string_view number = text.substr(0, digits);
    if (const auto whole = parse_count(number); whole && unit) {
        std::uint64_t bytes = 0;
        if (!__builtin_mul_overflow(*whole, *unit, &bytes)) return bytes;
    }
    double value = 0;
    const auto [end, failed] = std::from_chars(number.data(), number.data() + number.size(), value);
    const bool read =
        failed == std::errc{} && end == number.data() + number.size() && unit.has_value();
    const double bytes = read ? value * static_cast<double>(*unit) : 0;
    if (!read || bytes != std::floor(bytes) || bytes >= 9.0e18) {
        return fail(Errc::invalid_argument, fmt::format("\"{}\" is not a size.", text),
                    "Write a number of bytes, or one with KiB, MiB, GiB, kB, MB or GB: 64MiB.");
    }
    return static_cast<std::uint64_t>(bytes);
}

Result<ferry::Grid> parse_grid(std::string_view option, std::string_view text) {
    const auto counts = parse_counts(text);
    if (!counts || counts->empty() || counts->size() > 3) {
        return fail(Errc::invalid_argument,
                    fmt::format("The option {} takes one to three numbers, and was given \"{}\".",
                                option, text),
                    fmt::format("Write for example {} 4096 or {} 640,480.", option, option));
    }
    ferry::Grid grid{(*counts)[0]};
    if (counts->size() > 1) grid.y = (*counts)[1];
    if (counts->size() > 2) grid.z = (*counts)[2];
    if (grid.x == 0 || grid.y == 0 || grid.z == 0) {
        return fail(Errc::invalid_argument,
                    fmt::format("{} {} runs nothing: a number in it is 0.", option, text),
                    "Give at least 1 in each dimension.");
    }
    return grid;
}

Result<ferry::Extent3D> parse_extent(std::string_view text) {
    std::vector<std::uint64_t> numbers;
    for (std::string_view rest = text; !rest.empty() && numbers.size() < 4;) {
        const auto end = std::min(rest.find('x'), rest.size());
        const auto number = parse_count(rest.substr(0, end));
        if (!number) break;
        numbers.push_back(*number);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (rest.empty() && (numbers.size() == 2 || numbers.size() == 3)) {
            return ferry::Extent3D{numbers[0], numbers[1], numbers.size() == 3 ? numbers[2] : 1};
        }
    }
    return fail(Errc::invalid_argument, fmt::format("\"{}\" is not the size of a texture.", text),
                "Write WIDTHxHEIGHT, such as 640x480, or 640x480x4 for 4 layers.");
}

namespace {
struct ElementName {
    std::string_view name;
    ScalarKind scalar;
};
constexpr std::array scalar_names{
    ElementName{"f16", ScalarKind::f16}, ElementName{"f32", ScalarKind::f32},
    ElementName{"i32", ScalarKind::i32}, ElementName{"u32", ScalarKind::u32},
    ElementName{"f2", ScalarKind::f16},  ElementName{"f4", ScalarKind::f32},
    ElementName{"i4", ScalarKind::i32},  ElementName{"u4", ScalarKind::u32},
};
constexpr std::array vector_suffixes{
    ElementName{"h", ScalarKind::f16},     ElementName{"f", ScalarKind::f32},
    ElementName{"i", ScalarKind::i32},     ElementName{"u", ScalarKind::u32},
    ElementName{"<f16>", ScalarKind::f16}, ElementName{"<f32>", ScalarKind::f32},
    ElementName{"<i32>", ScalarKind::i32}, ElementName{"<u32>", ScalarKind::u32},
};

std::optional<ScalarKind> find_name(std::span<const ElementName> names, std::string_view name) {
    for (const ElementName& each : names) {
        if (each.name == name) return each.scalar;
    }
    return std::nullopt;
}

/// The scalar and, for a vector, its length as the last axis.
std::optional<Array> parse_element(std::string_view name) {
    if (const auto scalar = find_name(scalar_names, name)) return Array{dtype_of(*scalar), {}};
    if (name.size() < 5 || !name.starts_with("vec") || name[3] < '2' || name[3] > '4')
        return std::nullopt;
    const auto scalar = find_name(vector_suffixes, name.substr(4));
    if (!scalar) return std::nullopt;
    return Array{dtype_of(*scalar), {static_cast<std::uint64_t>(name[3] - '0')}};
}
} // namespace

Result<ZeroSpec> parse_zero(std::string_view text) {
    text = trimmed(text);
    if (!text.empty() && text[0] >= '0' && text[0] <= '9') {
        auto bytes = parse_size(text);
        if (!bytes) return std::unexpected(std::move(bytes).error());
        return ZeroSpec{.bytes = *bytes};
    }
    const auto open = text.find('[');
    auto array = parse_element(text.substr(0, open));
    auto counts = std::optional(std::vector<std::uint64_t>{});
    if (open != std::string_view::npos) {
        const bool closed = text.ends_with(']');
        counts =
            closed ? parse_counts(text.substr(open + 1, text.size() - open - 2)) : std::nullopt;
    }
    if (!array || !counts) {
        return fail(
            Errc::invalid_argument, fmt::format("\"{}\" is not a type with a shape.", text),
            "Write f16, f32, i32, u32 or a vector of them (vec4f), then the shape: f32[1024], "
            "vec4f[100], "
            "f32[10,20], or f32[] for as many as the input has. Or give a size in bytes, such as "
            "64MiB, of the shader's own type.");
    }
    array->shape.insert(array->shape.begin(), counts->begin(), counts->end());
    if (auto ok = check_size(*array); !ok) return std::unexpected(std::move(ok).error());
    return ZeroSpec{.array = std::move(array),
                    .as_input = open != std::string_view::npos && counts->empty()};
}

} // namespace app
