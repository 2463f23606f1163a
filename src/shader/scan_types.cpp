// SPDX-License-Identifier: MIT
#include "shader/scan_types.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/align.hpp"
#include "shader/wgsl_errors.hpp"

namespace ferry::shader {
namespace {

using base::text;

/// What all described members of all bindings may take together, so that structs of structs of
/// structs cannot multiply without bound.
constexpr std::size_t max_copied_bytes = std::size_t{32} << 20;

struct Shape {
    std::uint32_t columns = 1;
    std::uint32_t rows = 1;
    ScalarKind scalar = ScalarKind::none; ///< from a shorthand such as vec4f
};

ScalarKind scalar_of_suffix(std::string_view suffix) {
    if (suffix == "f") return ScalarKind::f32;
    if (suffix == "h") return ScalarKind::f16;
    if (suffix == "i") return ScalarKind::i32;
    return suffix == "u" ? ScalarKind::u32 : ScalarKind::none;
}

std::uint32_t dimension(char letter) {
    return letter >= '2' && letter <= '4' ? static_cast<std::uint32_t>(letter - '0') : 0;
}

/// vecR, matCxR and their shorthands with a scalar's letter.
std::optional<Shape> shape_named(std::string_view name) {
    const bool matrix = name.starts_with("mat") && name.size() >= 6 && name[4] == 'x';
    const bool vector = name.starts_with("vec") && name.size() >= 4;
    if (!matrix && !vector) return std::nullopt;
    const std::string_view suffix = name.substr(matrix ? 6 : 4);
    const Shape shape{matrix ? dimension(name[3]) : 1, dimension(name[matrix ? 5 : 3]),
                      scalar_of_suffix(suffix)};
    const bool known = suffix.empty() || shape.scalar != ScalarKind::none;
    if (!known || shape.columns == 0 || shape.rows == 0) return std::nullopt;
    return shape;
}

WgslType laid_out(const Shape& shape, ScalarKind scalar, std::string name) {
    const std::uint64_t unit = scalar == ScalarKind::f16 ? 2 : 4;
    const std::uint64_t column_bytes = unit * shape.rows;
    WgslType type;
    type.name = std::move(name);
    type.scalar = scalar;
    type.columns = shape.columns;
    type.rows = shape.rows;
    type.align_bytes = unit * std::bit_ceil(shape.rows);
    type.size_bytes = column_bytes;
    if (shape.columns > 1) type.size_bytes = shape.columns * type.align_bytes;
    type.min_binding_bytes = type.size_bytes;
    return type;
}

/// Extensions of single engines: they have a size, though no name among ours.
std::optional<WgslType> wide_scalar(std::string_view name) {
    if (name != "i64" && name != "u64" && name != "f64") return std::nullopt;
    WgslType type;
    type.name = name;
    type.size_bytes = type.align_bytes = type.min_binding_bytes = 8;
    return type;
}

std::size_t cost_of(const WgslType& type) {
    std::size_t cost = type.name.size();
    for (const WgslMember& each : type.members) {
        cost += sizeof(WgslMember) + each.name.size() + cost_of(each.type);
    }
    return cost;
}

bool add_to(std::uint64_t& total, std::uint64_t more) {
    return !__builtin_add_overflow(total, more, &total);
}

bool align_to(std::uint64_t& total, std::uint64_t step) {
    const auto rounded = base::round_up(total, step);
    total = rounded.value_or(total);
    return rounded.has_value();
}

} // namespace

TypeResolver::TypeResolver(const Module& module, Constants& constants)
    : module_(module), constants_(constants), entries_(module.declarations.size()) {}

std::unexpected<Error> TypeResolver::unknown(Tokens type, std::string_view why) const {
    const std::string_view at =
        type.empty() ? module_.source.substr(module_.source.size()) : type[0].text;
    return fail_at(Errc::invalid_argument, module_.source, at,
                   text("The type (", shown(as_type_name(type)), ") of a binding ", why),
                   "Use a host-shareable type: i32, u32, f32, f16, vectors, matrices, atomics, "
                   "arrays or structs of them, or a sampler or texture.");
}

std::unexpected<Error> TypeResolver::too_large(const Token& at) const {
    return fail_at(Errc::invalid_argument, module_.source, at.text,
                   text("The size of (", shown(at.text), ") does not fit 64 bits"),
                   "Make the type smaller.");
}

Result<WgslType> TypeResolver::resolve(Tokens type, int depth) {
    if (type.empty()) return unknown(type, "is missing");
    if (depth > max_nesting) {
        return fail_at(Errc::limit_exceeded, module_.source, type[0].text,
                       text("The type (", shown(as_type_name(type)), ") nests deeper than ",
                            max_nesting, " levels"),
                       "Flatten the type; an alias must not refer to itself.");
    }
    return type.size() == 1 ? plain(type, depth) : generic(type, depth);
}

Result<WgslType> TypeResolver::plain(Tokens type, int depth) {
    const Token& name = type[0];
    if (const Declaration* found = module_.find(name.text)) return declared(*found, name, depth);
    if (auto wide = wide_scalar(name.text)) return *std::move(wide);
    const ScalarKind scalar = scalar_named(name.text);
    if (scalar == ScalarKind::boolean) return unknown(type, "cannot be shared with the host");
    if (scalar != ScalarKind::none) return laid_out({}, scalar, std::string(name.text));
    const auto shape = shape_named(name.text);
    if (!shape || shape->scalar == ScalarKind::none) return unknown(type, "is not known");
    return laid_out(*shape, shape->scalar, std::string(name.text));
}

Result<WgslType> TypeResolver::generic(Tokens type, int depth) {
    if (!type[0].is_name() || template_end(type, 1) != type.size()) {
        return unknown(type, "cannot be read");
    }
    const std::string_view name = type[0].text;
    const auto arguments = split_at_commas(type.subspan(2, type.size() - 3));
    if (name == "binding_array") {
        return fail_at(Errc::unsupported, module_.source, name,
                       "A binding array is an extension that WebGPU does not have",
                       "Use a texture array, or one variable for each resource.");
    }
    if (name == "array" && arguments.size() == 1) {
        return array(type, arguments[0], std::nullopt, depth);
    }
    if (name == "array" && arguments.size() == 2) {
        return array(type, arguments[0], arguments[1], depth);
    }
    const bool atomic = name == "atomic";
    const auto shape = atomic ? Shape{} : shape_named(name);
    if (!shape || shape->scalar != ScalarKind::none || arguments.size() != 1) {
        return unknown(type, "is not known");
    }
    auto scalar = resolve(arguments[0], depth + 1);
    if (!scalar) return scalar;
    const bool fits = scalar->rows == 1 && !scalar->is_array && scalar->members.empty();
    if (!fits || (scalar->scalar == ScalarKind::none && !atomic)) {
        return unknown(type, "is not made of a scalar");
    }
    if (!atomic) return laid_out(*shape, scalar->scalar, as_type_name(type));
    scalar->atomic = true;
    scalar->name = as_type_name(type);
    return scalar;
}

Result<std::uint32_t> TypeResolver::element_count(Tokens count) {
    if (count.empty()) return unknown(count, "is missing");
    const auto value = evaluate(count, constants_);
    if (value && value->as_u32().value_or(0) > 0) return *value->as_u32();
    return fail_at(Errc::invalid_argument, module_.source, count[0].text,
                   text("The element count (", shown(as_written(count)),
                        ") of an array is not a constant from 1 to 2^32 - 1"),
                   "Write a number or a module-scope const, or leave the count out.");
}

Result<WgslType> TypeResolver::array(Tokens type, Tokens element, std::optional<Tokens> count,
                                     int depth) {
    auto out = resolve(element, depth + 1);
    if (!out) return out;
    if (out->runtime_sized) return unknown(type, "holds elements without a fixed size");
    std::uint64_t stride = out->size_bytes;
    if (!align_to(stride, out->align_bytes)) return too_large(type[0]);
    out->name = as_type_name(type);
    out->is_array = true;
    out->element_stride_bytes = stride;
    out->element_count = 0;
    out->runtime_sized = !count;
    out->size_bytes = 0;
    out->min_binding_bytes = stride;
    if (!count) return out;
    const auto elements = element_count(*count);
    if (!elements) return std::unexpected(elements.error());
    out->element_count = *elements;
    if (__builtin_mul_overflow(stride, out->element_count, &out->size_bytes)) {
        return too_large(type[0]);
    }
    out->min_binding_bytes = out->size_bytes;
    return out;
}

Result<WgslType> TypeResolver::declared(const Declaration& declaration, const Token& name,
                                        int depth) {
    const auto index = static_cast<std::size_t>(&declaration - module_.declarations.data());
    Entry& entry = entries_[index];
    const Tokens at{&name, 1};
    if (entry.state == State::busy) return unknown(at, "contains itself");
    if (entry.state == State::unknown) {
        entry.state = State::busy;
        auto type = declaration.kind == DeclarationKind::structure ? structure(declaration, depth)
                    : declaration.kind == DeclarationKind::alias && !declaration.type.empty()
                        ? resolve(declaration.type, depth + 1)
                        : unknown(at, "is not a type");
        if (!type) return type;
        entry.type = *std::move(type);
        entry.state = State::done;
    }
    if (auto paid = charge(entry.type, name); !paid) return std::unexpected(paid.error());
    WgslType out = entry.type;
    out.name = name.text;
    return out;
}

Result<> TypeResolver::charge(const WgslType& type, const Token& name) {
    copied_bytes_ += cost_of(type);
    if (copied_bytes_ <= max_copied_bytes) return {};
    return fail_at(Errc::limit_exceeded, module_.source, name.text,
                   text("The bindings have too many members in all to describe, (",
                        shown(name.text), ") is one too many"),
                   "Use arrays instead of many members of one type.");
}

Result<WgslType> TypeResolver::structure(const Declaration& declaration, int depth) {
    WgslType whole;
    whole.align_bytes = 1;
    std::uint64_t end = 0;
    const auto parts = split_at_commas(declaration.members);
    if (parts.empty()) return unknown({declaration.name, 1}, "has no members");
    for (const Tokens& part : parts) {
        if (whole.runtime_sized) {
            return unknown({declaration.name, 1}, "has a runtime-sized array before its end");
        }
        auto next = member(part, whole, end, depth);
        if (!next) return std::unexpected(std::move(next.error()));
        whole.runtime_sized = next->type.runtime_sized;
        whole.members.push_back(*std::move(next));
    }
    const WgslMember& last = whole.members.back();
    whole.size_bytes = whole.runtime_sized ? last.offset_bytes + last.type.size_bytes : end;
    if (whole.runtime_sized && !add_to(end, last.type.min_binding_bytes)) {
        return too_large(*declaration.name);
    }
    if (!align_to(end, whole.align_bytes)) return too_large(*declaration.name);
    if (!whole.runtime_sized) whole.size_bytes = end;
    whole.min_binding_bytes = end;
    return whole;
}

/// Places a member at the next offset; `end` moves behind it, or stays when it is runtime-sized.
Result<WgslMember> TypeResolver::member(Tokens part, WgslType& whole, std::uint64_t& end,
                                        int depth) {
    std::size_t at = 0;
    const auto attributes = read_attributes(part, at);
    if (at + 2 >= part.size() || !part[at].is_name() || !part[at + 1].is(':')) {
        return unknown(part.subspan(std::min(at, part.size())), "has a member that cannot be read");
    }
    const Token& name = part[at];
    auto type = resolve(part.subspan(at + 2), depth + 1);
    if (!type) return std::unexpected(std::move(type.error()));
    const auto size = number_attribute(attributes, "size");
    const auto align = number_attribute(attributes, "align");
    if (!size) return std::unexpected(size.error());
    if (!align) return std::unexpected(align.error());
    const std::uint64_t step = align->value_or(static_cast<std::uint32_t>(type->align_bytes));
    if (!std::has_single_bit(step)) {
        return unknown(part.subspan(at), "has an @align that is not a power of two");
    }
    whole.align_bytes = std::max(whole.align_bytes, step);
    if (!align_to(end, step)) return too_large(name);
    WgslMember out{std::string(name.text), end, *std::move(type)};
    const std::uint64_t room = size->has_value() ? **size : out.type.size_bytes;
    if (!out.type.runtime_sized && !add_to(end, room)) return too_large(name);
    return out;
}

Result<std::optional<std::uint32_t>> TypeResolver::number_attribute(
    const std::vector<Attribute>& attributes, std::string_view name) {
    for (const Attribute& each : attributes) {
        if (each.name->text != name) continue;
        const auto arguments = split_at_commas(each.arguments);
        const auto value =
            arguments.size() == 1 ? evaluate(arguments[0], constants_) : std::nullopt;
        if (value && value->as_u32().value_or(0) > 0) return value->as_u32();
        return fail_at(Errc::invalid_argument, module_.source, each.name->text,
                       text("The attribute @", name, " has no constant from 1 to 2^32 - 1"),
                       text("Write it with a number, such as @", name, "(16)."));
    }
    return std::optional<std::uint32_t>{};
}

} // namespace ferry::shader
