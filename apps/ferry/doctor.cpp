// SPDX-License-Identifier: MIT
#include <filesystem>

#include <fmt/format.h>

#include "common.hpp"
#include "health.hpp"
#include "interrupt.hpp"
#include "report.hpp"
#include "text.hpp"

namespace app {

namespace {
using Json = nlohmann::ordered_json;

Json to_json(const Checkup& checkup) {
    Json out{{"asked", checkup.asked}};
    if (!checkup.engine) {
        out["error"] = app::to_json(checkup.engine.error());
        return out;
    }
    out["name"] = checkup.engine->name;
    out["version"] = checkup.engine->version;
    out["path"] = checkup.engine->path;
    out["drivers"] = Json::array();
    for (const Finding& each : checkup.findings) {
        Json finding{{"file", each.driver}, {"verdict", each.verdict}, {"detail", each.detail}};
        if (!each.cure.empty()) finding["cure"] = each.cure;
        if (!each.remark.empty()) finding["remark"] = each.remark;
        finding["seconds"] = each.seconds;
        out["drivers"].push_back(std::move(finding));
    }
    out["defects_worked_around"] = checkup.defects;
    return out;
}

int show_json(const Health& health) {
    const auto healthy = verdict(health);
    Json out{{"usable", healthy.has_value()},
             {"vulkan_loader", health.loader},
             {"works", working(health)}};
    out["engines"] = Json::array();
    for (const Checkup& each : health.engines) out["engines"].push_back(to_json(each));
    if (!healthy) out["error"] = app::to_json(healthy.error());
    if (auto ok = print_json(out); !ok) return report(ok.error(), false);
    return healthy ? 0 : exit_code(healthy.error().code);
}

std::string labelled(std::string_view label, const std::string& words) {
    if (words.empty()) return {};
    return fmt::format("{:13}{}\n", "", wrapped(fmt::format("{}: {}", label, words), 13, 13));
}

std::string text(const Checkup& checkup) {
    if (!checkup.engine) {
        return fmt::format("{}: cannot be loaded\n  {}\n", checkup.asked,
                           wrapped(checkup.engine.error().what, 2, 2));
    }
    const auto& engine = *checkup.engine;
    std::string out = fmt::format("{}{}{}  {}\n", engine.name, engine.version.empty() ? "" : " ",
                                  engine.version, engine.path);
    for (const Finding& each : checkup.findings) {
        const std::string name = std::filesystem::path(each.driver).filename().string();
        out +=
            fmt::format("  {:<9}  {:<29}  {}\n", each.verdict, name, wrapped(each.detail, 44, 44));
        for (const std::string& line : {labelled("cure", each.cure), labelled("note", each.remark)})
            out += line;
    }
    if (checkup.findings.empty()) out += "  no Vulkan driver to try it on\n";
    return out;
}

int show_text(const Health& health) {
    std::string out =
        fmt::format("Vulkan loader: {}\n", health.loader ? "libvulkan.so.1" : "missing");
    for (const Checkup& each : health.engines) out += "\n" + text(each);
    for (const Checkup& each : health.engines) {
        if (each.defects.empty()) continue;
        out += fmt::format("\nDefects of {} that ferry works around\n", each.engine->name);
        for (const auto& defect : each.defects)
            out += fmt::format("  - {}\n", wrapped(defect, 4, 4));
    }
    const auto healthy = verdict(health);
    if (healthy)
        out += "\nThis machine is usable: " + wrapped(join(working(health), "; "), 24, 2) + ".\n";
    if (auto ok = print(out); !ok) return report(ok.error(), false);
    return healthy ? 0 : report(healthy.error(), false);
}
} // namespace

void add_doctor(CLI::App& app, Common& common, int& exit_code) {
    auto* command =
        app.add_subcommand("doctor", "Tell whether this machine is usable, and what to install");
    auto seconds = std::make_shared<unsigned>(30);
    command->add_option("--limit", *seconds, "Seconds after which a driver is taken to hang")
        ->type_name("SECONDS")
        ->check(CLI::Range(1U, 3600U))
        ->capture_default_str();
    add_common(*command, common);
    command->footer(
        "Each engine is tried on each Vulkan driver, in a process of its own: the driver is "
        "opened, bytes\n"
        "are moved there and back, and a kernel is run. VK_DRIVER_FILES chooses the drivers.\n"
        "Exit code 0: at least one engine works on one driver.");
    command->callback([seconds, &common, &exit_code] {
        const Health health = examine(common, std::chrono::seconds(*seconds));
        if (const auto ok = check_interrupted(); !ok) {
            exit_code = report(ok.error(), common.json);
            return;
        }
        exit_code = common.json ? show_json(health) : show_text(health);
    });
}

} // namespace app
