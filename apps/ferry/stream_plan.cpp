// SPDX-License-Identifier: MIT
// Which arrays are streamed, and where they are cut.
#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "arguments.hpp"
#include "plan.hpp"
#include "text.hpp"
#include "transfer.hpp"

namespace app {

using ferry::BindingKind;
using ferry::ShaderBinding;

namespace {
constexpr std::uint64_t default_chunk_bytes = std::uint64_t{16} << 20;
/// Of one dimension, by default.
constexpr std::uint64_t most_groups = 65'535;

Result<> check_cuts(const Slot& slot) {
    if (slot.array.shape.empty()) {
        return fail(Errc::invalid_argument,
                    fmt::format("\"{}\" cannot be streamed: {} is a single value (shape ()), and "
                                "chunks are cut along the first axis.",
                                slot.binding->name, slot.origin),
                    slot.file ? "Reshape it, arr.reshape(-1), or leave it out of --stream."
                              : fmt::format("Give a length, --zero '{0}=f32[]' for that of the "
                                            "input, or leave --zero {0} out.",
                                            slot.binding->name));
    }
    if (slot.file && is_transposed(slot.file->header)) {
        return fail(Errc::invalid_argument,
                    fmt::format("\"{}\" cannot be streamed: {} is in Fortran order, so its rows "
                                "are spread over the whole file.",
                                slot.binding->name, slot.origin),
                    "Save it by rows: numpy.save(path, numpy.ascontiguousarray(arr)).");
    }
    return {};
}

/// All have one number of rows.
Result<std::uint64_t> common_rows(const std::vector<Slot*>& streams) {
    const std::uint64_t rows = streams[0]->array.shape[0];
    for (const Slot* each : streams) {
        if (each->array.shape[0] == rows) continue;
        return fail(
            Errc::invalid_argument,
            fmt::format("Streamed arrays go in step, and their first axes differ: ({}) of \"{}\" "
                        "from {}, and ({}) of \"{}\" from {}.",
                        rows, streams[0]->binding->name, streams[0]->origin, each->array.shape[0],
                        each->binding->name, each->origin),
            each->file ? "Give arrays of the same length."
                       : fmt::format("Give it that length, or leave --zero {} out: then it follows "
                                     "from the input.",
                                     each->binding->name));
    }
    return rows;
}

/// The rows that chunks are multiples of: whole elements, and whole words of 4 bytes.
std::uint64_t step_rows(const std::vector<Slot*>& streams, std::uint64_t rows) {
    std::uint64_t step = 1;
    for (const Slot* each : streams) {
        std::uint64_t own = rows / std::gcd(rows, each->layout.elements);
        if (each->layout.part(own, rows).buffer_bytes % 4 != 0) own *= 2;
        step = std::lcm(step, own);
    }
    return std::min(step, rows);
}

/// As many threads as one dispatch of the default grid can have.
Result<std::uint64_t> most_elements(const Plan& plan, const RunOptions& options) {
    if (!options.groups.empty() || !options.threads.empty()) return UINT64_MAX;
    auto size = ferry::workgroup_size(plan.info, *plan.entry, plan.constants);
    if (!size) return std::unexpected(std::move(size).error());
    return most_groups * (*size)[0];
}

Result<std::uint64_t> chosen_rows(const Plan& plan, const RunOptions& options,
                                  const std::vector<Slot*>& streams, std::uint64_t rows) {
    const std::uint64_t step = step_rows(streams, rows);
    const Slot* largest =
        *std::max_element(streams.begin(), streams.end(), [](const Slot* a, const Slot* b) {
            return a->layout.buffer_bytes < b->layout.buffer_bytes;
        });
    const std::uint64_t step_bytes = largest->layout.part(step, rows).buffer_bytes;
    std::uint64_t wanted = std::max(default_chunk_bytes, step_bytes);
    if (!options.chunk.empty()) {
        auto bytes = parse_size(options.chunk);
        if (!bytes) return within(std::move(bytes).error(), "in --chunk " + options.chunk);
        wanted = *bytes;
    }
    if (wanted < step_bytes) {
        return fail(
            Errc::invalid_argument,
            fmt::format("A chunk of {} holds no row of \"{}\": {} {} {}.", size_text(wanted),
                        largest->binding->name,
                        step == 1 ? "a row is of" : fmt::format("{} rows are one step, of", step),
                        size_text(step_bytes), "on the GPU"),
            fmt::format("Give that at least: --chunk {}.", step_bytes));
    }
    auto most = most_elements(plan, options);
    if (!most) return most;
    const std::uint64_t elements = streams[0]->layout.part(step, rows).elements;
    const std::uint64_t steps = std::min(wanted / step_bytes, *most / elements);
    return std::min(std::max<std::uint64_t>(steps, 1) * step, rows);
}

/// The offset of the u32 that is meant, in a uniform.
std::optional<std::uint64_t> chunk_first_in(const ShaderBinding& binding) {
    const auto is_it = [](const std::string& name, const ferry::WgslType& type) {
        return name == "chunk_first" && type.name == "u32";
    };
    if (binding.kind != BindingKind::uniform_buffer) return std::nullopt;
    if (is_it(binding.name, binding.type)) return 0;
    for (const auto& member : binding.type.members) {
        if (!binding.type.is_array && is_it(member.name, member.type)) return member.offset_bytes;
    }
    return std::nullopt;
}
/// It is an u32.
Result<> check_chunk_first(const Plan& plan) {
    for (const Slot& each : plan.slots) {
        if (!each.chunk_first || plan.cut->rows <= UINT32_MAX) continue;
        return fail(Errc::limit_exceeded,
                    fmt::format("chunk_first is a u32 and cannot count {} rows.",
                                count_text(plan.cut->rows)),
                    "Give rows of several elements, arr.reshape(-1, 1024), or do without it.");
    }
    return {};
}
} // namespace

Result<> check_streams(const Plan& plan, const ShaderBinding& binding) {
    const auto& type = binding.type;
    std::string why, fix = "Stream a var<storage> array<T> that the entry point uses.";
    if (!uses(plan, binding)) {
        why = fmt::format("entry point {} does not use it", plan.entry->name);
    } else if (is_texture(binding)) {
        why = "it is a texture, and ferry cuts arrays alone";
        fix = "Run it over many images with --each, or let the shader take an array<T>.";
    } else if (binding.kind == BindingKind::uniform_buffer) {
        why = "it is a uniform, which is the same for all chunks";
        fix = "Leave it out of --stream; it is sent once.";
    } else if (!type.is_array || !type.runtime_sized) {
        why = "its size is fixed, and a chunk is as long as it comes";
        fix = "Let the shader declare array<T> without a length, or leave it out of --stream.";
    }
    if (why.empty()) return {};
    return fail(Errc::invalid_argument,
                fmt::format("Binding {} cannot be streamed: {}.", binding_text(binding), why), fix);
}

Result<> add_chunk_first(Plan& plan) {
    for (const std::size_t index : plan.entry->bindings) {
        const ShaderBinding& binding = plan.info.bindings[index];
        const auto offset = chunk_first_in(binding);
        if (!offset) continue;
        Slot* slot = find_slot(plan, binding);
        if (slot == nullptr) {
            auto fresh = zeros_to_set(binding);
            if (!fresh) return std::unexpected(std::move(fresh).error());
            plan.slots.push_back(*std::move(fresh));
            slot = &plan.slots.back();
            slot->origin = "--stream";
        }
        const std::string member = binding.name == "chunk_first" ? "" : "chunk_first";
        const bool given =
            std::find(slot->members.begin(), slot->members.end(), member) != slot->members.end();
        if (slot->preset.empty() || given) continue; // the user's own
        slot->members.push_back(member);
        slot->chunk_first = offset;
        slot->varies = true;
    }
    return {};
}

namespace {
/// An array that could be cut as well, and is not.
void note_whole_ones(Plan& plan, std::uint64_t rows) {
    if (plan.cut->chunk_rows == rows) return;
    for (const Slot& each : plan.slots) {
        const auto& shape = each.array.shape;
        if (each.varies || !each.file || each.picture || shape.empty() || shape[0] != rows)
            continue;
        plan.notes.push_back(
            fmt::format("\"{0}\" has as many rows as what is streamed, and each chunk sees all of "
                        "it; --stream {0} cuts it as well",
                        each.binding->name));
    }
}
} // namespace

Result<> cut_streams(Plan& plan, const RunOptions& options) {
    if (options.stream.empty()) {
        if (options.chunk.empty()) return {};
        return fail(Errc::invalid_argument, "--chunk is given, and nothing is streamed.",
                    "Name the arrays that are cut into chunks: --stream NAME.");
    }
    for (const std::string& name : options.stream) {
        const auto in = "in --stream " + name;
        auto binding = find_binding(plan, name);
        if (!binding) return within(std::move(binding).error(), in);
        if (auto ok = check_streams(plan, **binding); !ok) return within(std::move(ok).error(), in);
        Slot* slot = find_slot(plan, **binding);
        if (auto ok = check_cuts(*slot); !ok) return within(std::move(ok).error(), in);
        if (slot->varies) {
            return fail(Errc::invalid_argument, fmt::format("\"{}\" is streamed twice.", name),
                        "Leave one --stream out.");
        }
        slot->varies = true;
    }
    std::vector<Slot*> streams;
    for (Slot& each : plan.slots) {
        if (each.varies && each.preset.empty()) streams.push_back(&each);
    }
    auto rows = common_rows(streams);
    if (!rows) return std::unexpected(std::move(rows).error());
    auto chunk_rows = chosen_rows(plan, options, streams, *rows);
    if (!chunk_rows) return std::unexpected(std::move(chunk_rows).error());
    plan.cut = Cut{.rows = *rows, .chunk_rows = *chunk_rows};
    for (Slot* each : streams) each->layout = each->layout.part(*chunk_rows, *rows);
    note_whole_ones(plan, *rows);
    return check_chunk_first(plan);
}

} // namespace app
