// SPDX-License-Identifier: MIT
#include <algorithm>
#include <unordered_map>

#include "base/text.hpp"
#include "ferry/shader.hpp"
#include "shader/wgsl_errors.hpp"
#include "shader/wgsl_value.hpp"

namespace ferry {
namespace {

using base::text;
using namespace shader;

/// The override of that name or id; the id comes first, since that is what engines go by.
std::optional<std::size_t> find_override(const ShaderInfo& info, std::string_view name) {
    const auto by_key = std::ranges::find(info.overrides, name, &OverrideConstant::key);
    const auto found = by_key != info.overrides.end()
                           ? by_key
                           : std::ranges::find(info.overrides, name, &OverrideConstant::name);
    if (found == info.overrides.end()) return std::nullopt;
    return static_cast<std::size_t>(found - info.overrides.begin());
}

std::string all_overrides(const ShaderInfo& info) {
    if (info.overrides.empty()) return "the module has none";
    std::string names = "the module has ";
    for (std::size_t at = 0; at < std::min<std::size_t>(8, info.overrides.size()); ++at) {
        names += text(at == 0 ? "" : ", ", shown(info.overrides[at].name));
    }
    return info.overrides.size() > 8 ? names + " and others" : names;
}

/// The names of a module, with overrides set by the host.
class Resolved final : public Names {
public:
    explicit Resolved(const ShaderInfo& info)
        : info_(info), set_(info.overrides.size()), asked_(info.overrides.size()) {
        for (const ModuleConstant& each : info.constants) {
            constants_.try_emplace(each.name, &each);
        }
        for (std::size_t at = 0; at < info.overrides.size(); ++at) {
            overrides_.try_emplace(info.overrides[at].name, at);
        }
    }

    Result<> set(std::string_view name, double value) {
        const auto index = find_override(info_, name);
        if (!index) {
            return base::fail(
                Errc::invalid_argument, {},
                text("There is no override constant (", shown(name), ")."),
                text("Set one that the shader declares: ", all_overrides(info_), '.'));
        }
        set_[*index] = number_of(value, info_.overrides[*index].scalar);
        asked_[*index] = true;
        if (set_[*index]) return {};
        return base::fail(
            Errc::invalid_argument, {},
            text("The override constant (", shown(name), ") cannot hold (", value, ")."),
            "Set a finite value in the range of its type, whole for i32 and u32.");
    }

    std::optional<Number> value_of(std::string_view name, int depth) override {
        if (const auto found = constants_.find(name); found != constants_.end()) {
            const ModuleConstant& constant = *found->second;
            return constant.value ? number_of(*constant.value, constant.scalar) : std::nullopt;
        }
        const auto found = overrides_.find(name);
        if (found == overrides_.end()) return std::nullopt;
        const std::size_t index = found->second;
        if (!asked_[index]) {
            asked_[index] = true; // so that overrides in a circle have no value
            set_[index] = default_of(info_.overrides[index], depth);
        }
        return set_[index];
    }

    [[nodiscard]] const OverrideConstant* without_value() const { return without_value_; }

private:
    std::optional<Number> default_of(const OverrideConstant& constant, int depth) {
        if (!constant.has_default) without_value_ = &constant;
        const auto tokens = tokenize(constant.default_text);
        const auto value = tokens ? evaluate(*tokens, *this, depth) : std::nullopt;
        return value ? converted(*value, constant.scalar) : std::nullopt;
    }

    const ShaderInfo& info_;
    std::unordered_map<std::string_view, const ModuleConstant*> constants_;
    std::unordered_map<std::string_view, std::size_t> overrides_;
    std::vector<std::optional<Number>> set_; ///< the values, as far as they are known
    std::vector<bool> asked_;
    const OverrideConstant* without_value_ = nullptr;
};

Result<std::uint32_t> size_of(const EntryPoint& entry, std::size_t axis, Resolved& names) {
    const std::string& written = entry.workgroup_text[axis];
    const auto tokens = tokenize(written);
    const auto value = tokens ? evaluate(*tokens, names) : std::nullopt;
    if (value && value->as_u32().value_or(0) > 0) return *value->as_u32();
    if (value) {
        return base::fail(Errc::invalid_argument, {},
                          text("The workgroup size (", shown(written), ") of (", shown(entry.name),
                               ") is (", value->as_double(), "), not from 1 to 2^32 - 1."),
                          "Set the override constants so that it is a positive whole number.");
    }
    if (const OverrideConstant* missing = names.without_value()) {
        return base::fail(Errc::invalid_argument, {},
                          text("The workgroup size of (", shown(entry.name),
                               ") needs the override constant (", shown(missing->name),
                               "), which has neither a default nor a value."),
                          text("Set the constant \"", shown(missing->key()), "\"."));
    }
    return base::fail(Errc::unsupported, {},
                      text("The workgroup size (", shown(written), ") of (", shown(entry.name),
                           ") is written in a way that ferry does not work out."),
                      "Write it with numbers, constants, + - * / % and parentheses.");
}

Result<> check_compute(const EntryPoint& entry) {
    if (entry.stage == ShaderStage::compute && !entry.workgroup_text[0].empty()) return {};
    const std::string_view lack = entry.stage == ShaderStage::compute
                                      ? ") has no @workgroup_size."
                                      : ") is not a compute entry point.";
    return base::fail(Errc::invalid_argument, {},
                      text("The entry point (", shown(entry.name), lack),
                      "Dispatch a function with @compute @workgroup_size(...).");
}

/// "GROUP.BINDING" against a binding, without leading zeros or signs.
bool stands_at(const ShaderBinding& binding, std::string_view place) {
    return text(binding.group, '.', binding.binding) == place;
}

} // namespace

std::string OverrideConstant::key() const { return id ? std::to_string(*id) : name; }

const ShaderBinding* ShaderInfo::find(std::string_view name_or_place) const {
    const auto matches = [&](const ShaderBinding& each) {
        return each.name == name_or_place || stands_at(each, name_or_place);
    };
    const auto found = std::ranges::find_if(bindings, matches);
    return found == bindings.end() ? nullptr : &*found;
}

const EntryPoint* ShaderInfo::find_entry_point(std::string_view name) const {
    const auto found = std::ranges::find(entry_points, name, &EntryPoint::name);
    return found == entry_points.end() ? nullptr : &*found;
}

Result<std::array<std::uint32_t, 3>> workgroup_size(
    const ShaderInfo& info, const EntryPoint& entry_point,
    std::span<const std::pair<std::string, double>> constants) {
    if (auto checked = check_compute(entry_point); !checked) {
        return std::unexpected(std::move(checked.error()));
    }
    Resolved names(info);
    for (const auto& [name, value] : constants) {
        if (auto set = names.set(name, value); !set) return std::unexpected(std::move(set.error()));
    }
    std::array<std::uint32_t, 3> sizes{};
    for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
        auto size = size_of(entry_point, axis, names);
        if (!size) return std::unexpected(std::move(size.error()));
        sizes[axis] = *size;
    }
    return sizes;
}

} // namespace ferry
