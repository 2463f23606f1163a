// SPDX-License-Identifier: MIT
#include "run_summary.hpp"

#include <span>

#include <fmt/format.h>

#include "text.hpp"

namespace app {

namespace {
nlohmann::ordered_json slots_json(const Plan& plan) {
    auto list = nlohmann::ordered_json::array();
    for (const Slot& slot : plan.slots) {
        nlohmann::ordered_json one{{"name", slot.binding->name},
                                   {"group", slot.binding->group},
                                   {"binding", slot.binding->binding},
                                   {"type", slot.binding->type.name},
                                   {"from", slot.origin},
                                   {"dtype", numpy_name(slot.array.dtype)},
                                   {"shape", slot.array.shape},
                                   {"bytes", slot.layout.buffer_bytes},
                                   {"saved", slot.saves}};
        if (slot.varies) one["varies"] = true;
        if (slot.picture) {
            const auto& size = slot.picture->size;
            one["format"] = ferry::name(slot.picture->format.format);
            one["size"] = {size.width, size.height, size.depth_or_array_layers};
        }
        list.push_back(std::move(one));
    }
    return list;
}

std::string grid_text(std::span<const std::uint64_t> grid) {
    if (grid[1] == 1 && grid[2] == 1) return count_text(grid[0]);
    return grid[2] == 1 ? fmt::format("{}x{}", grid[0], grid[1])
                        : fmt::format("{}x{}x{}", grid[0], grid[1], grid[2]);
}

/// "13 chunks of 4,194,240 rows, each of 65,535 group(s) of 64"
std::string work_text(const RunSummary& summary) {
    const Job& job = summary.job;
    const auto size = job.kernel().workgroup_size();
    const std::array<std::uint64_t, 3> threads{size[0], size[1], size[2]};
    const auto groups = job.groups();
    const auto one = fmt::format("{} group(s) of {}", grid_text(groups), grid_text(threads));
    if (summary.files)
        return fmt::format("{} file(s), {} at most", count_text(*summary.files), one);
    const auto& cut = job.plan().cut;
    if (!cut) return one;
    return fmt::format("{} chunk(s) of {} row(s), {}", count_text(cut->chunks()),
                       count_text(cut->chunk_rows), one);
}

/// Rounds are loaded and saved beside the computing, and what stays before and after it.
std::string times_text(const RunSummary& summary, const std::string& rate) {
    const RunTimes& times = summary.times;
    if (!summary.files && !summary.job.plan().cut) {
        return fmt::format("open {:.0f}, load {:.0f}, compute {:.0f}, save {:.0f} ms",
                           times.open_ms, times.load_ms, times.compute_ms, times.save_ms);
    }
    return fmt::format("open {:.0f}, run {:.0f} ms{}; beside it load {:.0f}, save {:.0f} ms",
                       times.open_ms, times.compute_ms, rate, times.load_ms, times.save_ms);
}

std::string rate_text(const RunSummary& summary) {
    if (summary.streamed_bytes == 0) return {};
    const double seconds = summary.times.compute_ms / 1e3;
    return fmt::format(" ({:.0f} MB/s)",
                       static_cast<double>(summary.streamed_bytes) / 1e6 / seconds);
}
} // namespace

nlohmann::ordered_json summary_json(const RunSummary& summary) {
    const Job& job = summary.job;
    const RunTimes& times = summary.times;
    const auto& device = job.device();
    nlohmann::ordered_json out{
        {"engine", {{"name", device.engine().name()}, {"version", device.engine().version()}}},
        {"adapter", {{"index", device.adapter().index}, {"name", device.adapter().name}}},
        {"entry", job.plan().entry->name},
        {"groups", job.groups()},
        {"workgroup_size", job.kernel().workgroup_size()},
        {"bindings", slots_json(job.plan())},
        {"notes", job.plan().notes},
        {"ms",
         {{"open", times.open_ms},
          {"load", times.load_ms},
          {"compute", times.compute_ms},
          {"save", times.save_ms}}}};
    if (const auto& cut = job.plan().cut) {
        out["stream"] = {{"rows", cut->rows},
                         {"chunk_rows", cut->chunk_rows},
                         {"chunks", cut->chunks()},
                         {"bytes", summary.streamed_bytes}};
    }
    if (summary.files) out["files"] = *summary.files;
    return out;
}

std::string summary_text(const RunSummary& summary) {
    const Job& job = summary.job;
    return fmt::format("{} on {}, {}: {}; {}", job.plan().entry->name, job.device().engine().name(),
                       shortened(job.device().adapter().name, 36), work_text(summary),
                       times_text(summary, rate_text(summary)));
}

} // namespace app
