// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>
#include <utility>

#include "ferry/shader.hpp"
#include "shader/scan_types.hpp"
#include "shader/scan_uses.hpp"
#include "shader/wgsl_errors.hpp"

namespace ferry {
namespace {

using base::text;
using namespace shader;

constexpr std::size_t max_entry_points = 1024;
constexpr std::size_t max_bindings = 4096;
constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();

std::optional<ShaderStage> stage_of(const Declaration& declaration) {
    if (declaration.kind != DeclarationKind::function) return std::nullopt;
    if (declaration.attribute("compute") != nullptr) return ShaderStage::compute;
    if (declaration.attribute("vertex") != nullptr) return ShaderStage::vertex;
    if (declaration.attribute("fragment") != nullptr) return ShaderStage::fragment;
    return std::nullopt;
}

class Scan {
public:
    explicit Scan(const Module& module)
        : module_(module), constants_(module), types_(module, constants_),
          binding_of_(module.declarations.size(), nowhere),
          override_of_(module.declarations.size(), nowhere) {}

    Result<ShaderInfo> run() {
        info_.enables = module_.enables;
        info_.requirements = module_.requirements;
        for (std::size_t at = 0; at < module_.declarations.size(); ++at) {
            if (auto done = declaration(at); !done) return std::unexpected(std::move(done.error()));
        }
        Uses uses(module_);
        for (std::size_t at = 0; at < module_.declarations.size(); ++at) {
            const auto stage = stage_of(module_.declarations[at]);
            if (!stage) continue;
            auto done = entry_point(at, *stage, uses);
            if (!done) return std::unexpected(std::move(done.error()));
        }
        return std::move(info_);
    }

private:
    [[nodiscard]] std::unexpected<Error> fail(std::string_view at, std::string_view what,
                                              std::string fix,
                                              Errc code = Errc::invalid_argument) const {
        return fail_at(code, module_.source, at, what, std::move(fix));
    }

    Result<> declaration(std::size_t index) {
        const Declaration& each = module_.declarations[index];
        if (each.kind == DeclarationKind::constant) constant(each);
        if (each.kind == DeclarationKind::override_constant) return override_constant(index);
        if (each.kind == DeclarationKind::variable) return variable(index);
        return {};
    }

    [[nodiscard]] ScalarKind declared_scalar(const Declaration& each,
                                             const std::optional<Number>& value) const {
        if (!each.type.empty()) return constants_.scalar_of(each.type);
        return value ? value->concrete_type() : ScalarKind::none;
    }

    void constant(const Declaration& each) {
        const auto value = constants_.value_of(each.name->text, 0);
        ModuleConstant out{std::string(each.name->text), declared_scalar(each, value), {}};
        if (value) out.value = value->as_double();
        info_.constants.push_back(std::move(out));
    }

    Result<> override_constant(std::size_t index) {
        const Declaration& each = module_.declarations[index];
        OverrideConstant out{.name = std::string(each.name->text)};
        const auto value = constants_.value_of(each);
        out.scalar = declared_scalar(each, value);
        out.has_default = !each.value.empty();
        out.default_text = as_written(each.value);
        if (value) out.default_value = value->as_double();
        if (each.attribute("id") != nullptr) {
            const auto id = number(each, "id");
            if (!id) return std::unexpected(id.error());
            out.id = *id;
        }
        override_of_[index] = info_.overrides.size();
        info_.overrides.push_back(std::move(out));
        return {};
    }

    /// The argument of an attribute that takes one 32-bit number.
    Result<std::uint32_t> number(const Declaration& each, std::string_view attribute) {
        const Attribute* found = each.attribute(attribute);
        if (found == nullptr) {
            return fail(each.name->text,
                        text("The variable (", shown(each.name->text), ") has no @", attribute),
                        text("Give it a place, such as @group(0) @binding(0)."));
        }
        const auto arguments = split_at_commas(found->arguments);
        const auto value =
            arguments.size() == 1 ? evaluate(arguments[0], constants_) : std::nullopt;
        if (value && value->as_u32()) return *value->as_u32();
        return fail(
            found->name->text,
            text("The argument of @", attribute, " (", shown(as_written(found->arguments)),
                 ") is not a constant from 0 to 2^32 - 1"),
            "Write a number, or the name of a module-scope const; an override is only known "
            "when the pipeline is made.");
    }

    Result<> variable(std::size_t index) {
        const Declaration& each = module_.declarations[index];
        const auto opaque = opaque_type(module_, each.type);
        const std::string_view space = each.space.empty() ? "" : each.space[0].text;
        const bool buffer = space == "uniform" || space == "storage";
        const bool placed =
            each.attribute("group") != nullptr || each.attribute("binding") != nullptr;
        if (!buffer && !opaque && !placed) return {}; // private, workgroup and the like
        if (info_.bindings.size() == max_bindings) {
            return fail(each.name->text, text("The text has more than ", max_bindings, " bindings"),
                        "Use fewer resource variables.", Errc::limit_exceeded);
        }
        ShaderBinding out{.name = std::string(each.name->text), .line = each.name->line};
        if (auto done = place(each, out); !done) return done;
        if (auto done = describe(each, opaque, out); !done) return done;
        binding_of_[index] = info_.bindings.size();
        info_.bindings.push_back(std::move(out));
        return {};
    }

    Result<> place(const Declaration& each, ShaderBinding& out) {
        const auto group = number(each, "group");
        if (!group) return std::unexpected(group.error());
        const auto binding = number(each, "binding");
        if (!binding) return std::unexpected(binding.error());
        out.group = *group;
        out.binding = *binding;
        return {};
    }

    Result<> describe(const Declaration& each, const std::optional<OpaqueType>& opaque,
                      ShaderBinding& out) {
        if (opaque) {
            out.kind = opaque->kind;
            out.texture = opaque->texture;
            out.comparison = opaque->comparison;
            out.type.name = as_type_name(each.type);
            return {};
        }
        if (each.type.empty()) {
            return fail(each.name->text,
                        text("The binding (", shown(each.name->text), ") has no type"),
                        "Write one behind the name, such as \"data: array<f32>\".");
        }
        auto type = types_.resolve(each.type);
        if (!type) return std::unexpected(std::move(type.error()));
        out.type = *std::move(type);
        return buffer_kind(each, out);
    }

    Result<> buffer_kind(const Declaration& each, ShaderBinding& out) const {
        const auto words = split_at_commas(each.space);
        const std::string_view space = words.empty() || words[0].empty() ? "" : words[0][0].text;
        const std::string_view access =
            words.size() < 2 || words[1].empty() ? "read" : words[1][0].text;
        if (space == "uniform") {
            out.kind = BindingKind::uniform_buffer;
        } else if (space == "storage" && access == "read") {
            out.kind = BindingKind::read_only_storage_buffer;
        } else if (space == "storage" && (access == "read_write" || access == "write")) {
            out.kind = BindingKind::storage_buffer;
        } else {
            return fail(each.name->text,
                        text("The binding (", shown(each.name->text),
                             ") stands in no address space for bindings"),
                        "Write var<uniform>, var<storage, read> or var<storage, read_write>.");
        }
        return {};
    }

    Result<> entry_point(std::size_t index, ShaderStage stage, Uses& uses) {
        const Declaration& each = module_.declarations[index];
        if (info_.entry_points.size() == max_entry_points) {
            return fail(each.name->text,
                        text("The text has more than ", max_entry_points, " entry points"),
                        "Split the shader into several modules.", Errc::limit_exceeded);
        }
        EntryPoint out{.name = std::string(each.name->text), .stage = stage};
        out.line = each.name->line;
        for (const std::size_t reached : uses.reached_from(index)) {
            if (binding_of_[reached] != nowhere) out.bindings.push_back(binding_of_[reached]);
            if (override_of_[reached] != nowhere) out.overrides.push_back(override_of_[reached]);
        }
        if (auto done = check_places(each, out); !done) return done;
        if (stage == ShaderStage::compute) {
            if (auto done = workgroup(each, out); !done) return done;
        }
        info_.entry_points.push_back(std::move(out));
        return {};
    }

    /// No two variables of one entry point at one place.
    Result<> check_places(const Declaration& each, const EntryPoint& entry) const {
        std::vector<std::size_t> order = entry.bindings;
        const auto key = [&](std::size_t at) {
            return std::pair(info_.bindings[at].group, info_.bindings[at].binding);
        };
        std::ranges::stable_sort(order, {}, key);
        const auto twice = std::ranges::adjacent_find(order, {}, key);
        if (twice == order.end()) return {};
        const ShaderBinding& first = info_.bindings[twice[0]];
        const ShaderBinding& second = info_.bindings[twice[1]];
        return fail(each.name->text,
                    text("The entry point (", shown(each.name->text), ") uses two variables, (",
                         shown(first.name), ") of line ", first.line, " and (", shown(second.name),
                         ") of line ", second.line, ", at @group(", first.group, ") @binding(",
                         first.binding, ")"),
                    "Give one of them another @binding.");
    }

    Result<> workgroup(const Declaration& each, EntryPoint& out) {
        const Attribute* found = each.attribute("workgroup_size");
        if (found == nullptr) return {}; // the engine refuses it with its own words
        const auto sizes = split_at_commas(found->arguments);
        out.workgroup_text.fill("1");
        out.workgroup_size.fill(1);
        for (std::size_t axis = 0; axis < std::min<std::size_t>(3, sizes.size()); ++axis) {
            out.workgroup_text[axis] = as_written(sizes[axis]);
            const auto value = evaluate(sizes[axis], constants_);
            out.workgroup_size[axis] = std::nullopt;
            if (value) out.workgroup_size[axis] = value->as_u32();
            if (value && value->as_u32().value_or(0) == 0) {
                return fail(found->name->text,
                            text("The workgroup size (", shown(out.workgroup_text[axis]),
                                 ") is not from 1 to 2^32 - 1"),
                            "Write a positive whole number.");
            }
        }
        return {};
    }

    const Module& module_;
    Constants constants_;
    TypeResolver types_;
    std::vector<std::size_t> binding_of_;  ///< per declaration, the index in info_.bindings
    std::vector<std::size_t> override_of_; ///< per declaration, the index in info_.overrides
    ShaderInfo info_;
};

} // namespace

Result<ShaderInfo> scan_wgsl(std::string_view source) {
    const auto tokens = tokenize(source);
    if (!tokens) return std::unexpected(tokens.error());
    const Module module = read_module(source, *tokens);
    return Scan(module).run();
}

} // namespace ferry
