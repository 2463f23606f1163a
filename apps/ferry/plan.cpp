// SPDX-License-Identifier: MIT
#include "plan.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "arguments.hpp"
#include "needs.hpp"
#include "text.hpp"
#include "transfer.hpp"

namespace app {

using ferry::BindingKind;
using ferry::EntryPoint;
using ferry::ShaderBinding;
using ferry::ShaderStage;

namespace {
constexpr std::size_t most_shader_bytes = std::size_t{8} << 20;

bool is_buffer(const ShaderBinding& binding) {
    return binding.kind == BindingKind::uniform_buffer ||
           binding.kind == BindingKind::storage_buffer ||
           binding.kind == BindingKind::read_only_storage_buffer;
}

std::vector<std::string> compute_entries(const ferry::ShaderInfo& info) {
    std::vector<std::string> names;
    for (const EntryPoint& each : info.entry_points) {
        if (each.stage == ShaderStage::compute) names.push_back(each.name);
    }
    return names;
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

Result<Slot*> new_slot(Plan& plan, std::string_view name, std::string origin) {
    auto binding = find_binding(plan, name);
    if (!binding) return std::unexpected(std::move(binding).error());
    if (!is_buffer(**binding)) {
        return fail(Errc::unsupported,
                    fmt::format("Binding {} is no buffer, and ferry run fills buffers only.",
                                binding_text(**binding)),
                    "Let the shader take the data as var<storage, read> array<...>.");
    }
    if (const Slot* other = find_slot(plan, **binding)) {
        return fail(
            Errc::invalid_argument,
            fmt::format("Binding {} gets its data twice: from {} and from {}.",
                        binding_text(**binding), other->origin, origin),
            "Leave one of them out; a binding is filled by one of --load, --zero and --set.");
    }
    plan.slots.push_back(Slot{.binding = *binding, .origin = std::move(origin)});
    if (!uses(plan, **binding)) {
        plan.notes.push_back(fmt::format(
            "entry point {} does not use binding \"{}\", so its data from {} is not sent",
            plan.entry->name, (*binding)->name, plan.slots.back().origin));
    }
    return &plan.slots.back();
}

Result<> lay_out(Slot& slot) {
    auto layout = fit(*slot.binding, slot.array);
    if (!layout) return within(std::move(layout).error(), "from " + slot.origin);
    slot.layout = *layout;
    return {};
}

/// Opens the file and reads what it says about its array; the data stays where it is.
Result<> read_header(Plan& plan, Slot& slot, const std::string& path) {
    auto input = Input::open(path);
    if (!input) return std::unexpected(std::move(input).error());
    auto header = read_npy_header(*input);
    if (!header) return std::unexpected(std::move(header).error());
    auto trailing = check_file_size(*input, *header);
    if (!trailing) return std::unexpected(std::move(trailing).error());
    if (*trailing > 0) {
        plan.notes.push_back(fmt::format("{} has {} after its array, which are not read", path,
                                         size_text(*trailing)));
    }
    slot.array = header->array;
    slot.file.emplace(*std::move(input), *std::move(header));
    return {};
}

Result<> add_load(Plan& plan, const std::string& text) {
    auto named = parse_named("--load", text, "data=in.npy");
    if (!named) return std::unexpected(std::move(named).error());
    const bool standard_input = named->value == "-";
    if (standard_input && std::exchange(plan.standard_input_taken, true)) {
        return fail(Errc::invalid_argument,
                    "Standard input is to be read twice, and holds one thing.",
                    "Give one of them as a file.");
    }
    auto slot = new_slot(plan, named->name, standard_input ? "standard input" : named->value);
    if (!slot) return std::unexpected(std::move(slot).error());
    if (auto ok = read_header(plan, **slot, named->value); !ok) {
        return within(std::move(ok).error(),
                      fmt::format("while loading \"{}\" from {}", named->name, (*slot)->origin));
    }
    return lay_out(**slot);
}

Result<> add_zero(Plan& plan, const std::string& text) {
    auto named = parse_named("--zero", text, "out=f32[1024]");
    if (!named) return std::unexpected(std::move(named).error());
    auto spec = parse_zero(named->value);
    if (!spec) return within(std::move(spec).error(), fmt::format("in --zero {}", text));
    auto slot = new_slot(plan, named->name, "--zero " + named->value);
    if (!slot) return std::unexpected(std::move(slot).error());
    if (spec->array) {
        (*slot)->array = *std::move(spec->array);
    } else {
        auto array = natural_array(*(*slot)->binding, spec->bytes);
        if (!array) return within(std::move(array).error(), fmt::format("in --zero {}", text));
        (*slot)->array = *std::move(array);
    }
    return lay_out(**slot);
}

Result<> add_save(Plan& plan, const std::string& text, std::vector<std::string>& paths) {
    auto named = parse_named("--save", text, "data=out.npy");
    if (!named) return std::unexpected(std::move(named).error());
    auto binding = find_binding(plan, named->name);
    if (!binding) return within(std::move(binding).error(), fmt::format("in --save {}", text));
    Slot* slot = find_slot(plan, **binding);
    if (slot == nullptr || !uses(plan, **binding)) {
        return fail(Errc::invalid_argument,
                    fmt::format("Binding {} cannot be saved: entry point {} does not use it.",
                                binding_text(**binding), plan.entry->name),
                    "Save one that the entry point writes, or choose another with --entry.");
    }
    if (std::find(paths.begin(), paths.end(), named->value) != paths.end()) {
        return fail(Errc::invalid_argument,
                    fmt::format("Two results are to be saved in {}.", named->value),
                    "Give each its own file.");
    }
    paths.push_back(named->value);
    slot->saves.push_back(named->value);
    return {};
}

/// "f32[1000]", the words for --zero that suit the binding.
std::string zero_text(const Plan& plan, const ShaderBinding& binding) {
    const auto& type = binding.type;
    if (type.scalar == ScalarKind::none || type.columns > 1) return "1MiB";
    const std::string vector = type.rows > 1
                                   ? fmt::format("vec{}<{}>", type.rows, wgsl_name(type.scalar))
                                   : wgsl_name(type.scalar);
    if (!type.is_array) return vector;
    std::uint64_t count = type.element_count;
    if (count == 0) count = plan.slots.empty() ? 1024 : plan.slots.front().layout.elements;
    return fmt::format("'{}[{}]'", vector, count);
}

std::string way_to_fill(const Plan& plan, const ShaderBinding& binding) {
    if (binding.kind != BindingKind::uniform_buffer) {
        return fmt::format("--load {0}=FILE.npy, or --zero {0}={1} when it is an output",
                           binding.name, zero_text(plan, binding));
    }
    const bool members = !binding.type.members.empty();
    return fmt::format("--set {}{}{}=VALUE", binding.name, members ? "." : "",
                       members ? binding.type.members[0].name : "");
}

/// Every binding of the entry point has data; all that have none are named at once.
Result<> check_filled(Plan& plan) {
    std::vector<std::string> names, ways;
    for (const std::size_t index : plan.entry->bindings) {
        const ShaderBinding& binding = plan.info.bindings[index];
        if (!is_buffer(binding)) {
            return fail(
                Errc::unsupported,
                fmt::format("Entry point {} uses binding {}, and ferry run has buffers only.",
                            plan.entry->name, binding_text(binding)),
                "Let the shader take the data as var<storage, read> array<...>.");
        }
        if (find_slot(plan, binding) != nullptr) continue;
        names.push_back(binding_text(binding));
        ways.push_back(way_to_fill(plan, binding));
    }
    if (names.empty()) return {};
    return fail(Errc::invalid_argument,
                fmt::format("Entry point {} uses {}, and nothing is loaded there.",
                            plan.entry->name, join(names, ", ")),
                fmt::format("Add {}.", join(ways, "; ")));
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
    if ((*size)[1] > 1 || (*size)[2] > 1) {
        return fail(
            Errc::invalid_argument,
            fmt::format("The workgroups of entry point {} are of {}x{}x{} threads, so the number "
                        "of elements "
                        "alone does not say what is to run.",
                        plan.entry->name, (*size)[0], (*size)[1], (*size)[2]),
            "Say it: --threads WIDTH,HEIGHT (rounded up to whole workgroups), or --groups X,Y.");
    }
    const auto first = std::find_if(plan.slots.begin(), plan.slots.end(),
                                    [](const Slot& each) { return each.preset.empty(); });
    plan.grid.threads =
        ferry::Grid{first == plan.slots.end() ? std::uint64_t{1} : first->layout.elements};
    return {};
}

/// Members that nobody set are zero, and the user hears of it.
void note_unset(Plan& plan) {
    for (const Slot& slot : plan.slots) {
        for (const auto& member : slot.binding->type.members) {
            const bool padding =
                member.name.starts_with("_") || member.name.find("pad") != std::string::npos;
            const bool given =
                std::any_of(slot.members.begin(), slot.members.end(), [&](const std::string& path) {
                    return path == member.name || path.starts_with(member.name + ".");
                });
            if (slot.preset.empty() || padding || given) continue;
            plan.notes.push_back(
                fmt::format("{}.{} is not set and is 0", slot.binding->name, member.name));
        }
    }
}

Result<> fill(Plan& plan, const RunOptions& options) {
    for (const auto& each : options.load) {
        if (auto ok = add_load(plan, each); !ok) return ok;
    }
    for (const auto& each : options.zero) {
        if (auto ok = add_zero(plan, each); !ok) return ok;
    }
    for (const auto& each : options.set) {
        if (auto ok = apply_setting(plan, each); !ok) return ok;
    }
    if (auto ok = check_filled(plan); !ok) return ok;
    std::vector<std::string> paths;
    for (const auto& each : options.save) {
        if (auto ok = add_save(plan, each, paths); !ok) return ok;
    }
    note_unset(plan);
    return {};
}
} // namespace

Result<Plan> make_plan(const RunOptions& options) {
    Plan plan;
    auto wgsl = read_text(options.shader, most_shader_bytes);
    if (!wgsl) return within(std::move(wgsl).error(), "while reading the shader");
    plan.wgsl = *std::move(wgsl);
    plan.standard_input_taken = options.shader == "-";
    auto info = ferry::scan_wgsl(plan.wgsl);
    if (!info) return within(std::move(info).error(), "in " + options.shader);
    plan.info = *std::move(info);
    if (auto ok = choose_entry(plan, options); !ok) return std::unexpected(std::move(ok).error());
    if (auto ok = fill(plan, options); !ok) return std::unexpected(std::move(ok).error());
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
