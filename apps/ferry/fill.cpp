// SPDX-License-Identifier: MIT
// Which binding gets which data, and which results go where.
#include <algorithm>

#include <fmt/format.h>

#include "arguments.hpp"
#include "plan.hpp"
#include "text.hpp"
#include "transfer.hpp"

namespace app {

using ferry::BindingKind;
using ferry::ShaderBinding;

namespace {
/// Buffers, and textures of the kinds that images fit.
Result<> check_can_fill(const ShaderBinding& binding) {
    switch (binding.kind) {
    case BindingKind::uniform_buffer:
    case BindingKind::storage_buffer:
    case BindingKind::read_only_storage_buffer: return {};
    default: return check_takes_picture(binding);
    }
}

Result<Slot*> new_slot(Plan& plan, std::string_view name, std::string origin) {
    auto binding = find_binding(plan, name);
    if (!binding) return std::unexpected(std::move(binding).error());
    if (auto ok = check_can_fill(**binding); !ok) return std::unexpected(std::move(ok).error());
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

Result<> lay_out(Plan& plan, Slot& slot) {
    auto layout = fit(*slot.binding, slot.array);
    if (!layout) return within(std::move(layout).error(), "from " + slot.origin);
    slot.layout = *layout;
    if (layout->buffer_bytes % 4 != 0) {
        plan.notes.push_back(fmt::format(
            "\"{}\" ends inside a word of 4 bytes, and WebGPU binds whole ones: the shader "
            "sees one f16 more, which is 0",
            slot.binding->name));
    }
    return {};
}

/// Opens the file and reads what it says about its array; the data stays where it is.
Result<> read_header(Plan& plan, Slot& slot, const std::string& path) {
    auto input = Input::open(path);
    if (!input) return std::unexpected(std::move(input).error());
    auto header = read_npy_header(*input, dtype_of(slot.binding->type.scalar));
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

/// What stays from an earlier round, and is not read again; null when there is nothing.
const Slot* kept(const Plan& plan, const Plan* before, const ShaderBinding& binding) {
    if (before == nullptr) return nullptr;
    const auto index = &binding - plan.info.bindings.data();
    for (const Slot& each : before->slots) {
        if (!each.varies && each.binding - before->info.bindings.data() == index) return &each;
    }
    return nullptr;
}

void keep(Slot& slot, const Slot& kept) {
    slot.array = kept.array;
    slot.layout = kept.layout;
    if (kept.picture)
        slot.picture = Picture{.format = kept.picture->format, .size = kept.picture->size};
}

Result<> add_load(Plan& plan, const std::string& text, const Plan* before) {
    auto named = parse_named("--load", text, "data=in.npy");
    if (!named) return std::unexpected(std::move(named).error());
    const bool standard_input = named->value == "-";
    auto slot = new_slot(plan, named->name, standard_input ? "standard input" : named->value);
    if (!slot) return std::unexpected(std::move(slot).error());
    if (const Slot* there = kept(plan, before, *(*slot)->binding)) {
        keep(**slot, *there);
        return {};
    }
    const bool texture = is_texture(*(*slot)->binding);
    auto ok = texture ? fill_picture(plan, **slot, named->value)
                      : read_header(plan, **slot, named->value);
    if (!ok) {
        return within(std::move(ok).error(),
                      fmt::format("while loading \"{}\" from {}", named->name, (*slot)->origin));
    }
    return texture ? Result<>{} : lay_out(plan, **slot);
}

Result<> add_zero(Plan& plan, const std::string& text, const RunOptions& options) {
    auto named = parse_named("--zero", text, "out=f32[1024]");
    if (!named) return std::unexpected(std::move(named).error());
    auto slot = new_slot(plan, named->name, "--zero " + named->value);
    if (!slot) return std::unexpected(std::move(slot).error());
    if (is_texture(*(*slot)->binding)) {
        if (auto ok = zero_picture(**slot, named->value); !ok)
            return within(std::move(ok).error(), fmt::format("in --zero {}", text));
        return {};
    }
    auto array = zeros_for(plan, options, **slot, named->value);
    if (!array) return within(std::move(array).error(), fmt::format("in --zero {}", text));
    (*slot)->array = *std::move(array);
    return lay_out(plan, **slot);
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
    const std::string_view stream = stream_kind(named->value);
    const std::string path = stream.empty() ? named->value : "-";
    if (std::find(paths.begin(), paths.end(), path) != paths.end()) {
        return fail(Errc::invalid_argument, fmt::format("Two results are to be saved in {}.", path),
                    "Give each its own file.");
    }
    if (slot->picture) {
        if (auto ok = add_picture_save(*slot, named->value); !ok) return ok;
    } else if (stream == "png" || stream == "raw" || path.ends_with(".png")) {
        const std::string npy =
            stream.empty() ? path.substr(0, path.size() - 3) + "npy" : std::string("npy:-");
        return fail(Errc::invalid_argument,
                    fmt::format("Binding {} is a buffer, and {} is an image.",
                                binding_text(**binding), named->value),
                    fmt::format("Save it as .npy: --save {}={}.", named->name, npy));
    }
    paths.push_back(path);
    slot->saves.push_back(path);
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
    if (is_texture(binding)) {
        return is_written(binding) ? fmt::format("--zero {}=640x480, its size", binding.name)
                                   : fmt::format("--load {}=FILE.png", binding.name);
    }
    if (binding.kind != BindingKind::uniform_buffer) {
        return fmt::format("--load {0}=FILE.npy, or --zero {0}={1} when it is an output",
                           binding.name, zero_text(plan, binding));
    }
    const bool members = !binding.type.members.empty();
    return fmt::format("--set {}{}{}=VALUE", binding.name, members ? "." : "",
                       members ? binding.type.members[0].name : "");
}

/// A result that nobody gave a size gets it from what is loaded.
Result<> size_result(Plan& plan, const ShaderBinding& binding, const RunOptions& options) {
    return is_written(binding) ? size_picture(plan, binding) : size_stream(plan, binding, options);
}

/// Every binding of the entry point has data; all that have none are named at once.
Result<> check_filled(Plan& plan, const RunOptions& options) {
    std::vector<std::string> names, ways;
    for (const std::size_t index : plan.entry->bindings) {
        const ShaderBinding& binding = plan.info.bindings[index];
        if (auto ok = check_can_fill(binding); !ok) return ok;
        if (find_slot(plan, binding) != nullptr) continue;
        if (auto ok = size_result(plan, binding, options); !ok) return ok;
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

/// With --each a round is a run of its own: what its files fill, what the shader writes and what is
/// saved.
Result<> mark_varying(Plan& plan, const RunOptions& options) {
    for (const std::string& text : options.each) {
        auto named = parse_named("--each", text, "data='in/*.npy'");
        if (!named) return std::unexpected(std::move(named).error());
        auto binding = find_binding(plan, named->name);
        if (!binding) return within(std::move(binding).error(), "in --each " + text);
        if (Slot* slot = find_slot(plan, **binding)) slot->varies = true;
    }
    for (Slot& each : plan.slots) {
        const bool result = each.binding->kind == BindingKind::storage_buffer ||
                            is_written(*each.binding) || !each.saves.empty();
        each.varies = each.varies || (!options.each.empty() && result);
    }
    return {};
}
} // namespace

Result<> fill_slots(Plan& plan, const RunOptions& options, const Plan* before) {
    for (const auto& each : options.load) {
        if (auto ok = add_load(plan, each, before); !ok) return ok;
    }
    for (const auto& each : options.zero) {
        if (auto ok = add_zero(plan, each, options); !ok) return ok;
    }
    for (const auto& each : options.set) {
        if (auto ok = apply_setting(plan, each); !ok) return ok;
    }
    if (!options.stream.empty()) {
        if (auto ok = add_chunk_first(plan); !ok) return ok;
    }
    if (auto ok = check_filled(plan, options); !ok) return ok;
    std::vector<std::string> paths;
    for (const auto& each : options.save) {
        if (auto ok = add_save(plan, each, paths); !ok) return ok;
    }
    if (auto ok = mark_varying(plan, options); !ok) return ok;
    note_unset(plan);
    if (options.save.empty())
        plan.notes.push_back("nothing is saved; --save NAME=FILE keeps a result");
    return {};
}

} // namespace app
