// SPDX-License-Identifier: MIT
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "arguments.hpp"
#include "plan.hpp"
#include "text.hpp"

namespace app {

using ferry::ShaderBinding;
using ferry::WgslMember;
using ferry::WgslType;

namespace {
std::unexpected<Error> bad_value(std::string_view text, std::string_view type,
                                 std::string_view why = {}) {
    return fail(
        Errc::invalid_argument,
        fmt::format("\"{}\" is not a value of {}{}{}.", text, type, why.empty() ? "" : ": ", why),
        type.starts_with('u') || type.starts_with('i') ? "Write a whole number, such as 42 or 0xff."
                                                       : "Write a number, such as 0.5 or 1e-3.");
}

/// Whole numbers of up to 64 bits, decimal or 0x.
std::optional<std::int64_t> parse_integer(std::string_view text) {
    const bool negative = text.starts_with('-');
    if (negative || text.starts_with('+')) text.remove_prefix(1);
    const int base = text.starts_with("0x") || text.starts_with("0X") ? 16 : 10;
    if (base == 16) text.remove_prefix(2);
    std::int64_t value = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (text.starts_with('-') || failed != std::errc{} || end != text.data() + text.size())
        return std::nullopt;
    return negative ? -value : value;
}

std::optional<double> parse_number(std::string_view text) {
    if (const auto whole = parse_integer(text)) return static_cast<double>(*whole);
    if (text.starts_with('+')) text.remove_prefix(1);
    double value = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failed != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

/// IEEE half precision, rounded to nearest even.
std::uint16_t half_bits(double value) {
    const auto sign = static_cast<std::uint16_t>(std::signbit(value) ? 0x8000 : 0);
    const double size = std::fabs(value);
    if (std::isnan(value)) return sign | 0x7e00;
    if (size >= 65520.0) return sign | 0x7c00;
    const int exponent = size < 0x1p-14 ? -14 : std::ilogb(size);
    const auto steps = static_cast<std::uint32_t>(std::nearbyint(std::ldexp(size, 10 - exponent)));
    // The rounding may carry into the exponent, which is what the sum then does.
    const auto biased = static_cast<std::uint32_t>(exponent + 15);
    return static_cast<std::uint16_t>(sign |
                                      (size < 0x1p-14 ? steps : ((biased - 1) << 10) + steps));
}

template <class Number>
void put(std::byte* target, Number value) {
    std::memcpy(target, &value, sizeof value);
}

Result<> put_integer(std::byte* target, ScalarKind scalar, std::string_view text) {
    const auto value = parse_integer(text);
    const bool is_signed = scalar == ScalarKind::i32;
    const std::int64_t least = is_signed ? std::numeric_limits<std::int32_t>::min() : 0;
    const std::int64_t most = is_signed ? std::numeric_limits<std::int32_t>::max()
                                        : std::numeric_limits<std::uint32_t>::max();
    if (!value) return bad_value(text, wgsl_name(scalar));
    if (*value < least || *value > most) {
        return bad_value(text, wgsl_name(scalar),
                         fmt::format("it goes from {} to {}", least, most));
    }
    put(target, static_cast<std::uint32_t>(*value));
    return {};
}

Result<> put_value(std::byte* target, ScalarKind scalar, std::string_view text) {
    if (scalar == ScalarKind::i32 || scalar == ScalarKind::u32)
        return put_integer(target, scalar, text);
    const auto value = parse_number(text);
    if (!value) return bad_value(text, wgsl_name(scalar));
    if (scalar == ScalarKind::f16) {
        put(target, half_bits(*value));
    } else {
        put(target, static_cast<float>(*value));
    }
    return {};
}

std::vector<std::string_view> split(std::string_view text) {
    std::vector<std::string_view> parts;
    for (;;) {
        const auto end = std::min(text.find(','), text.size());
        std::string_view part = text.substr(0, end);
        while (part.starts_with(' ')) part.remove_prefix(1);
        while (part.ends_with(' ')) part.remove_suffix(1);
        parts.push_back(part);
        if (end == text.size()) return parts;
        text.remove_prefix(end + 1);
    }
}

/// Values of a scalar, vector, matrix or array of them, separated by commas.
Result<> put_values(std::byte* target, const WgslType& type, const Named& named) {
    const auto values = split(named.value);
    const std::uint64_t columns =
        (type.is_array ? type.element_count : 1) * columns_per_element(type);
    if (values.size() != columns * type.rows) {
        return fail(Errc::invalid_argument,
                    fmt::format("{} is {} and takes {} value(s), and was given {}.", named.name,
                                type.name, columns * type.rows, values.size()),
                    "Separate the values by commas: --set params.offset=1,2,3.");
    }
    const Column column = column_of(type);
    for (std::size_t i = 0; i < values.size(); ++i) {
        std::byte* const place = target + i / type.rows * column.stride_bytes +
                                 i % type.rows * scalar_bytes(type.scalar);
        if (auto ok = put_value(place, type.scalar, values[i]); !ok) {
            return within(std::move(ok).error(), "in --set " + named.name);
        }
    }
    return {};
}

std::vector<std::string> names_of(const std::vector<WgslMember>& members) {
    std::vector<std::string> names;
    for (const WgslMember& each : members) names.push_back(each.name);
    return names;
}

struct Place {
    const WgslType* type;
    std::uint64_t offset_bytes;
};

/// Follows "light.color" into a struct.
Result<Place> find_member(const ShaderBinding& binding, std::string_view path) {
    Place place{&binding.type, 0};
    while (!path.empty()) {
        const std::string_view name = path.substr(0, path.find('.'));
        const auto& members = place.type->members;
        const auto at = std::find_if(members.begin(), members.end(),
                                     [&](const auto& each) { return each.name == name; });
        if (at == members.end() || place.type->is_array) {
            const auto names = names_of(members);
            const std::string near = nearest(name, names);
            return fail(Errc::invalid_argument,
                        fmt::format("Binding \"{}\" ({}) has no member \"{}\"{}{}.", binding.name,
                                    binding.type.name, name, names.empty() ? "" : "; it has ",
                                    join(names, ", ")),
                        near.empty() ? "" : fmt::format("Did you mean \"{}\"?", near));
        }
        place = {&at->type, place.offset_bytes + at->offset_bytes};
        path.remove_prefix(std::min(name.size() + 1, path.size()));
    }
    return place;
}

Result<Slot*> set_slot(Plan& plan, const ShaderBinding& binding) {
    if (Slot* slot = find_slot(plan, binding)) {
        if (!slot->preset.empty()) return slot;
        return fail(
            Errc::invalid_argument,
            fmt::format("Binding {} gets its data twice: from {} and from --set.",
                        binding_text(binding), slot->origin),
            "Leave one of them out; a binding is filled by one of --load, --zero and --set.");
    }
    auto slot = zeros_to_set(binding);
    if (!slot) return std::unexpected(std::move(slot).error());
    plan.slots.push_back(*std::move(slot));
    return &plan.slots.back();
}

Result<> set_in_buffer(Plan& plan, const ShaderBinding& binding, std::string_view path,
                       const Named& named) {
    auto place = find_member(binding, path);
    if (!place) return std::unexpected(std::move(place).error());
    const WgslType& type = *place->type;
    if (binding.type.runtime_sized || type.scalar == ScalarKind::none) {
        const auto names = names_of(type.members);
        const bool many = binding.type.runtime_sized;
        return fail(Errc::invalid_argument,
                    fmt::format("{} is {}, which --set cannot fill.", named.name, type.name),
                    many || names.empty()
                        ? fmt::format("Load it: --load {}=FILE.npy.", binding.name)
                        : fmt::format("Set its members: --set {}.{}=VALUE.", named.name, names[0]));
    }
    auto slot = set_slot(plan, binding);
    if (!slot) return std::unexpected(std::move(slot).error());
    auto& members = (*slot)->members;
    if (std::find(members.begin(), members.end(), path) != members.end()) {
        return fail(Errc::invalid_argument, fmt::format("{} is set twice.", named.name),
                    "Leave one of them out.");
    }
    members.emplace_back(path);
    return put_values((*slot)->preset.data() + place->offset_bytes, type, named);
}

Result<> set_constant(Plan& plan, const ferry::OverrideConstant& constant, const Named& named) {
    auto value = parse_number(named.value);
    if (constant.scalar == ScalarKind::boolean && named.value == "true") value = 1;
    if (constant.scalar == ScalarKind::boolean && named.value == "false") value = 0;
    if (!value) return bad_value(named.value, fmt::format("override {}", constant.name));
    for (auto& each : plan.constants) {
        if (each.first != constant.key()) continue;
        return fail(Errc::invalid_argument,
                    fmt::format("The override {} is set twice.", constant.name),
                    "Leave one of them out.");
    }
    plan.constants.emplace_back(constant.key(), *value);
    return {};
}

std::unexpected<Error> unknown_setting(const Plan& plan, const Named& named) {
    std::vector<std::string> names;
    for (const auto& each : plan.info.overrides) names.push_back(each.name);
    for (const ShaderBinding& each : plan.info.bindings) {
        const bool whole = each.type.scalar != ScalarKind::none && !each.type.runtime_sized;
        if (whole) names.push_back(each.name);
        if (each.type.is_array) continue;
        for (const WgslMember& member : each.type.members)
            names.push_back(each.name + "." + member.name);
    }
    const std::string near = nearest(named.name, names);
    return fail(Errc::invalid_argument,
                fmt::format("The shader has nothing to set by the name \"{}\"; it has {}.",
                            named.name,
                            names.empty() ? "no override and no uniform" : join(names, ", ")),
                near.empty() ? "" : fmt::format("Did you mean \"{}\"?", near));
}
} // namespace

Result<Slot> zeros_to_set(const ShaderBinding& binding) {
    auto array = natural_array(binding, 0);
    if (!array) return std::unexpected(std::move(array).error());
    auto layout = fit(binding, *array);
    if (!layout) return std::unexpected(std::move(layout).error());
    Slot slot{
        .binding = &binding, .origin = "--set", .array = *std::move(array), .layout = *layout};
    slot.preset.resize(layout->buffer_bytes);
    return slot;
}

Result<> apply_setting(Plan& plan, const std::string& text) {
    auto named = parse_named("--set", text, "params.scale=2");
    if (!named) return std::unexpected(std::move(named).error());
    for (const auto& each : plan.info.overrides) {
        if (each.name == named->name || (each.id && std::to_string(*each.id) == named->name)) {
            return set_constant(plan, each, *named);
        }
    }
    // The longest part that is a binding: "0.1.scale" is member scale of 0.1.
    for (std::size_t end = named->name.size(); end != std::string::npos && end > 0;
         end = named->name.rfind('.', end - 1)) {
        const auto binding = find_binding(plan, std::string_view(named->name).substr(0, end));
        if (!binding) continue;
        const auto path =
            std::string_view(named->name).substr(std::min(end + 1, named->name.size()));
        return set_in_buffer(plan, **binding, path, *named);
    }
    return unknown_setting(plan, *named);
}

} // namespace app
