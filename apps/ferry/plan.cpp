// SPDX-License-Identifier: MIT
#include "plan.hpp"

#include <algorithm>

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

std::vector<std::string> compute_entries(const ferry::ShaderInfo& info) {
    std::vector<std::string> names;
    for (const EntryPoint& each : info.entry_points) {
        if (each.stage == ShaderStage::compute) names.push_back(each.name);
    }
    return names;
}

/// It is read once, and then it is empty.
Result<> check_standard_input(const RunOptions& options) {
    auto uses = std::count_if(options.load.begin(), options.load.end(),
                              [](const std::string& each) { return each.ends_with("=-"); });
    if (options.shader == "-") ++uses;
    if (uses < 2) return {};
    return fail(Errc::invalid_argument,
                fmt::format("Standard input is to be read {} times, and holds one thing.", uses),
                "Give the others as files.");
}

Result<> choose_entry(Plan& plan, const RunOptions& options) {
    const auto names = compute_entries(plan.info);
    if (names.empty()) {
        return fail(Errc::invalid_argument,
                    fmt::format("The shader {} has no compute entry point.", options.shader),
                    "Add one: @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) "
                    "id: vec3u) { ... }");
    }
    const std::string name = options.entry.empty() && names.size() == 1 ? names[0] : options.entry;
    if (name.empty()) {
        return fail(Errc::invalid_argument,
                    fmt::format("The shader {} has {} compute entry points: {}.", options.shader,
                                names.size(), join(names, ", ")),
                    fmt::format("Choose one: --entry {}.", names[0]));
    }
    plan.entry = plan.info.find_entry_point(name);
    if (plan.entry != nullptr && plan.entry->stage == ShaderStage::compute) return {};
    const std::string near = nearest(name, names);
    return fail(Errc::invalid_argument,
                fmt::format("The shader {} has no compute entry point \"{}\"; it has {}.",
                            options.shader, name, join(names, ", ")),
                fmt::format("Choose one: --entry {}.", near.empty() ? names[0] : near));
}

/// Every override that the entry point uses has a value.
Result<> check_overrides(const Plan& plan, const RunOptions& options) {
    for (const std::size_t index : plan.entry->overrides) {
        const ferry::OverrideConstant& each = plan.info.overrides[index];
        const bool given =
            std::any_of(plan.constants.begin(), plan.constants.end(),
                        [&](const auto& constant) { return constant.first == each.key(); });
        if (each.has_default || given) continue;
        return fail(Errc::invalid_argument,
                    fmt::format("The override {} of {} has no value and no default.", each.name,
                                options.shader),
                    fmt::format("Give it one: --set {}=VALUE.", each.name));
    }
    return {};
}

Result<> choose_grid(Plan& plan, const RunOptions& options) {
    if (!options.threads.empty() && !options.groups.empty()) {
        return fail(Errc::invalid_argument, "Both --threads and --groups are given.",
                    "Leave one of them out.");
    }
    if (!options.groups.empty()) {
        auto grid = parse_grid("--groups", options.groups);
        if (!grid) return std::unexpected(std::move(grid).error());
        plan.grid.groups = *grid;
        return {};
    }
    if (!options.threads.empty()) {
        auto grid = parse_grid("--threads", options.threads);
        if (!grid) return std::unexpected(std::move(grid).error());
        plan.grid.threads = *grid;
        return {};
    }
    auto size = ferry::workgroup_size(plan.info, *plan.entry, plan.constants);
    if (!size) return within(std::move(size).error(), "in " + options.shader);
    const bool flat = (*size)[1] > 1 || (*size)[2] > 1;
    if (const auto grid = picture_grid(plan, flat)) {
        plan.grid.threads = *grid;
        return {};
    }
    if (flat) {
        return fail(
            Errc::invalid_argument,
            fmt::format("The workgroups of entry point {} are of {}x{}x{} threads, so the number "
                        "of elements "
                        "alone does not say what is to run.",
                        plan.entry->name, (*size)[0], (*size)[1], (*size)[2]),
            "Say it: --threads WIDTH,HEIGHT (rounded up to whole workgroups), or --groups X,Y.");
    }
    const auto first = std::find_if(plan.slots.begin(), plan.slots.end(), [&](const Slot& each) {
        return each.preset.empty() && (!plan.cut || each.varies);
    });
    plan.grid.threads = ferry::Grid{std::uint64_t{1}};
    if (first == plan.slots.end()) return {};
    plan.counted = first->binding;
    plan.grid.threads = ferry::Grid{first->layout.elements};
    return {};
}

} // namespace

Result<std::string> read_shader(const RunOptions& options) {
    if (auto ok = check_standard_input(options); !ok) return std::unexpected(std::move(ok).error());
    auto wgsl = read_text(options.shader, most_shader_bytes);
    if (!wgsl) return within(std::move(wgsl).error(), "while reading the shader");
    return wgsl;
}

Result<Plan> make_plan(const RunOptions& options, std::string wgsl, const Plan* before) {
    Plan plan;
    plan.wgsl = std::move(wgsl);
    auto info = ferry::scan_wgsl(plan.wgsl);
    if (!info) return within(std::move(info).error(), "in " + options.shader);
    plan.info = *std::move(info);
    if (auto ok = choose_entry(plan, options); !ok) return std::unexpected(std::move(ok).error());
    if (auto ok = fill_slots(plan, options, before); !ok)
        return std::unexpected(std::move(ok).error());
    if (auto ok = check_overrides(plan, options); !ok)
        return std::unexpected(std::move(ok).error());
    if (auto ok = cut_streams(plan, options); !ok) return std::unexpected(std::move(ok).error());
    if (auto ok = choose_grid(plan, options); !ok) return std::unexpected(std::move(ok).error());
    std::erase_if(plan.slots, [&](const Slot& each) { return !uses(plan, *each.binding); });
    if (auto ok = ask_for_needs(plan); !ok) return std::unexpected(std::move(ok).error());
    return plan;
}

Result<const ShaderBinding*> find_binding(const Plan& plan, std::string_view name) {
    std::vector<std::string> names;
    const auto matches = [&](const ShaderBinding& each) {
        return each.name == name || fmt::format("{}.{}", each.group, each.binding) == name;
    };
    for (const std::size_t index : plan.entry->bindings) {
        if (matches(plan.info.bindings[index])) return &plan.info.bindings[index];
    }
    for (const ShaderBinding& each : plan.info.bindings) {
        if (matches(each)) return &each;
        names.push_back(each.name);
    }
    if (names.empty()) {
        return fail(
            Errc::invalid_argument,
            fmt::format("The shader has no binding \"{}\"; it has none at all.", name),
            "Declare one: @group(0) @binding(0) var<storage, read_write> data: array<f32>;");
    }
    const std::string near = nearest(name, names);
    return fail(
        Errc::invalid_argument,
        fmt::format("The shader has no binding \"{}\"; it has {}.", name, join(names, ", ")),
        near.empty()
            ? "Use one of these names, or its place, such as 0.1 for @group(0) @binding(1)."
            : fmt::format("Did you mean \"{}\"?", near));
}

bool uses(const Plan& plan, const ShaderBinding& binding) {
    const auto& used = plan.entry->bindings;
    return std::any_of(used.begin(), used.end(),
                       [&](std::size_t i) { return &plan.info.bindings[i] == &binding; });
}

Slot* find_slot(Plan& plan, const ShaderBinding& binding) {
    const auto at = std::find_if(plan.slots.begin(), plan.slots.end(),
                                 [&](const Slot& each) { return each.binding == &binding; });
    return at == plan.slots.end() ? nullptr : &*at;
}

std::string binding_text(const ShaderBinding& binding) {
    return fmt::format("\"{}\" (@group({}) @binding({}), {})", binding.name, binding.group,
                       binding.binding, binding.type.name);
}

} // namespace app
