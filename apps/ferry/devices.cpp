// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "adapters.hpp"
#include "common.hpp"
#include "engine_talk.hpp"
#include "report.hpp"
#include "text.hpp"

namespace app {

namespace {
struct Found {
    std::string asked;
    Result<ferry::Engine> engine;
    Result<std::vector<ferry::Adapter>> adapters{};
};

std::vector<Found> find_engines(const Common& common) {
    std::vector<Found> list;
    for (const std::string& name : engine_names(common)) {
        Found found{.asked = name, .engine = ferry::Engine::find(name)};
        if (found.engine) {
            EngineTalk talk;
            found.adapters = ferry::adapters(*found.engine);
            if (found.adapters && !found.adapters->empty()) talk.discard();
        }
        if (name == "fake" && !found.engine && common.engine.empty())
            continue; // for tests: not missed
        list.push_back(std::move(found));
    }
    return list;
}

nlohmann::ordered_json to_json(const Found& found, const Common& common) {
    nlohmann::ordered_json out{{"asked", found.asked}};
    if (!found.engine) {
        out["error"] = app::to_json(found.engine.error());
        return out;
    }
    out["name"] = found.engine->name();
    out["version"] = found.engine->version();
    out["path"] = found.engine->origin();
    if (!found.adapters) {
        out["error"] = app::to_json(found.adapters.error());
        return out;
    }
    out["adapters"] = nlohmann::ordered_json::array();
    for (const auto& each : *found.adapters) {
        if (wanted(each, common.adapter)) out["adapters"].push_back(app::to_json(each));
    }
    return out;
}

std::string heading(const ferry::Engine& engine) {
    return fmt::format("{}{}{}  {}\n", engine.name(), engine.version().empty() ? "" : " ",
                       engine.version(), engine.origin());
}

std::string table_text(const std::vector<ferry::Adapter>& adapters, const std::string& only) {
    Table table(
        {"#", "adapter", "kind", "backend", "max buffer", "max binding", "uniform", "group"});
    for (const auto& each : adapters) {
        if (!wanted(each, only)) continue;
        table.add({std::to_string(each.index), shortened(each.name, 32), kind_text(each.kind),
                   each.backend, limit_text(each.limits.max_buffer_size_bytes),
                   limit_text(each.limits.max_storage_buffer_binding_size_bytes),
                   limit_text(each.limits.max_uniform_buffer_binding_size_bytes),
                   std::to_string(each.limits.max_compute_invocations_per_workgroup)});
        if (!each.driver.empty()) table.note("driver: " + each.driver);
        if (!each.refusal.empty()) table.note("refused: " + each.refusal);
    }
    return table.text(2);
}

std::string text(const Found& found, const Common& common) {
    if (!found.engine) {
        return fmt::format("{}: not usable\n    {}\n", found.asked,
                           wrapped(found.engine.error().what, 4, 4));
    }
    std::string out = heading(*found.engine);
    if (!found.adapters) return out + "    " + wrapped(found.adapters.error().what, 4, 4) + '\n';
    if (found.adapters->empty()) return out + "    no adapters; ferry doctor tells why\n";
    return out + table_text(*found.adapters, common.adapter);
}

Result<> devices(const Common& common) {
    const auto list = find_engines(common);
    const bool any = std::any_of(list.begin(), list.end(),
                                 [](const Found& each) { return each.engine.has_value(); });
    if (!any) {
        Error error = list.front().engine.error();
        if (common.engine.empty()) error.what = "No WebGPU engine is found.";
        return std::unexpected(std::move(error));
    }
    if (!common.json) {
        std::string out;
        for (const Found& each : list) out += (out.empty() ? "" : "\n") + text(each, common);
        return print(out);
    }
    auto engines = nlohmann::ordered_json::array();
    for (const Found& each : list) engines.push_back(to_json(each, common));
    return print_json({{"engines", engines}});
}
} // namespace

void add_devices(CLI::App& app, Common& common, int& exit_code) {
    auto* command =
        app.add_subcommand("devices", "List engines, their adapters and the limits of these");
    add_common(*command, common);
    command->footer("The columns: largest buffer, largest storage binding, largest uniform "
                    "binding, threads in a\n"
                    "workgroup. An adapter is chosen by its number or a part of its name: ferry "
                    "run --adapter 0.");
    command->callback([&common, &exit_code] {
        const auto done = devices(common);
        exit_code = done ? 0 : report(done.error(), common.json);
    });
}

} // namespace app
