// SPDX-License-Identifier: MIT
#include <algorithm>
#include <filesystem>

#include <dlfcn.h>

#include <fmt/format.h>

#include "adapters.hpp"
#include "child.hpp"
#include "common.hpp"
#include "defects.hpp"
#include "drivers.hpp"
#include "interrupt.hpp"
#include "report.hpp"
#include "text.hpp"

namespace app {

namespace {
using Json = nlohmann::ordered_json;

/// What came of one engine on one driver.
struct Finding {
    std::string driver{};  ///< path of the driver file
    std::string adapter{}; ///< that was used
    std::string
        verdict{}; ///< "works", "refused", "no device", "failed", "crashed", "hung", "broken"
    std::string detail{};
    std::string cure{};
    double seconds = 0;
};

struct Checkup {
    std::string asked{};
    Result<ferry::Engine> engine;
    std::vector<Finding> findings{};
    std::vector<std::string_view> defects{};
};

struct Health {
    bool loader = false; ///< the Vulkan loader is there
    std::vector<DriverFile> drivers{};
    std::vector<Checkup> engines{};
};

/// The last line that is a JSON object; engines may print too.
Json last_document(const std::string& out) {
    const auto at = out.rfind("\n{");
    return Json::parse(at == std::string::npos ? out : out.substr(at + 1), nullptr, false);
}

std::string last_line(const std::string& text) {
    const auto end = text.find_last_not_of(" \n");
    if (end == std::string::npos) return "it printed nothing";
    const auto start = text.rfind('\n', end);
    const auto from = start == std::string::npos ? 0 : start + 1;
    return shortened(text.substr(from, end + 1 - from), 300);
}

/// The refusals of the adapters that the driver itself brought; OpenGL ones are there with any
/// driver.
std::string refusals(const Json& document) {
    std::string text;
    for (const auto& each : document["adapters"]) {
        if (each["backend"] != "Vulkan" || !each.contains("refusal")) continue;
        text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", each["name"].get<std::string>(),
                            each["refusal"].get<std::string>());
    }
    return text;
}

void judge_document(const Json& document, const ChildOutcome& outcome, std::string_view engine,
                    Finding& finding) {
    if (document.contains("error")) {
        finding.verdict = "failed";
        finding.detail = document["error"].value("what", "");
        finding.cure = document["error"].value("fix", "");
        return;
    }
    if (document.contains("used")) {
        const auto& adapter = document["adapters"][document["used"].get<std::size_t>()];
        finding.verdict = "works";
        finding.adapter = adapter["name"];
        finding.detail = fmt::format("{}{}{}", finding.adapter, adapter["driver"] == "" ? "" : ", ",
                                     adapter["driver"].get<std::string>());
        return;
    }
    if (const auto* known = known_refusal(engine, outcome.err)) {
        finding.verdict = "refused";
        finding.detail = known->reason;
        finding.cure = known->cure;
        return;
    }
    finding.detail = refusals(document);
    finding.verdict = finding.detail.empty() ? "no device" : "refused";
    if (finding.detail.empty()) finding.detail = "the driver finds no hardware of its kind";
}

Finding judge(const DriverFile& driver, const ChildOutcome& outcome, std::string_view engine) {
    Finding finding{.driver = driver.path, .seconds = outcome.seconds};
    const Json document = last_document(outcome.out);
    if (outcome.timed_out) {
        finding.verdict = "hung";
        finding.detail = fmt::format("it was ended after {:.0f} s; the last it printed: {}",
                                     outcome.seconds, last_line(outcome.err));
    } else if (outcome.signal != 0 || !document.is_object() || !document.contains("adapters")) {
        finding.verdict = "crashed";
        finding.detail =
            fmt::format("{}; the last it printed: {}",
                        outcome.signal != 0 ? fmt::format("signal {}", outcome.signal)
                                            : fmt::format("exit code {}", outcome.exit_code),
                        last_line(outcome.err));
    } else {
        judge_document(document, outcome, engine, finding);
    }
    return finding;
}

void check_drivers(Checkup& checkup, const std::vector<DriverFile>& drivers,
                   std::chrono::seconds limit) {
    std::vector<Child> children;
    std::vector<const DriverFile*> tried;
    for (const DriverFile& driver : drivers) {
        if (!driver.problem.empty()) {
            checkup.findings.push_back(
                {.driver = driver.path, .verdict = "broken", .detail = driver.problem});
            continue;
        }
        tried.push_back(&driver);
        children.push_back({.arguments = {"ferry", "probe", "--engine", checkup.asked},
                            .variables = {{"VK_DRIVER_FILES", driver.path},
                                          {"VK_ICD_FILENAMES", driver.path},
                                          {"VK_ADD_DRIVER_FILES", ""}}});
    }
    const auto outcomes = run_children(children, limit);
    for (std::size_t i = 0; i < tried.size(); ++i) {
        checkup.findings.push_back(judge(*tried[i], outcomes[i], checkup.engine->name()));
    }
}

Health examine(const Common& common, std::chrono::seconds limit) {
    Health health;
    health.loader = ::dlopen("libvulkan.so.1", RTLD_LAZY | RTLD_LOCAL) != nullptr;
    health.drivers = find_drivers();
    for (const std::string& name : engine_names(common)) {
        if (name == "fake" && common.engine.empty()) continue; // needs no machine
        Checkup checkup{.asked = name, .engine = ferry::Engine::find(name)};
        if (checkup.engine) {
            checkup.defects = defects_of(checkup.engine->name(), checkup.engine->version());
            check_drivers(checkup, health.drivers, limit);
        }
        health.engines.push_back(std::move(checkup));
    }
    return health;
}

/// "wgpu-native on llvmpipe, Dawn on SwiftShader": what can be used.
std::vector<std::string> working(const Health& health) {
    std::vector<std::string> list;
    for (const Checkup& each : health.engines) {
        for (const Finding& finding : each.findings) {
            if (finding.verdict != "works") continue;
            list.push_back(fmt::format("{} on {}", each.engine->name(), finding.adapter));
        }
    }
    return list;
}

Result<> verdict(const Health& health) {
    if (!working(health).empty()) return {};
    const bool any_engine =
        std::any_of(health.engines.begin(), health.engines.end(),
                    [](const Checkup& each) { return each.engine.has_value(); });
    if (!any_engine) {
        const Error& error = health.engines.front().engine.error();
        return fail(Errc::unsupported, "No WebGPU engine can be loaded, so nothing runs here.",
                    "Run tools/setup of ferry's repository, or point FERRY_WGPU_PATH or "
                    "FERRY_DAWN_PATH at a library. " +
                        error.fix);
    }
    const bool any_driver =
        std::any_of(health.drivers.begin(), health.drivers.end(),
                    [](const DriverFile& each) { return each.problem.empty(); });
    if (!health.loader || !any_driver) {
        return fail(Errc::unsupported,
                    fmt::format("No Vulkan {}, so no engine can run here.",
                                health.loader ? "driver is found" : "loader is found"),
                    "Install one. On Debian and Ubuntu, also without a GPU: apt install "
                    "mesa-vulkan-drivers libvulkan1. "
                    "VK_DRIVER_FILES, where it is set, names the only drivers that are tried.");
    }
    std::string cure = "On Debian and Ubuntu a driver that needs no GPU comes with: apt install "
                       "mesa-vulkan-drivers libvulkan1.";
    for (const Checkup& checkup : health.engines) {
        for (const Finding& each : checkup.findings) {
            if (!each.cure.empty()) cure = each.cure;
        }
    }
    return fail(Errc::unsupported, "No engine works on any of the Vulkan drivers of this machine.",
                cure);
}

Json to_json(const Checkup& checkup) {
    Json out{{"asked", checkup.asked}};
    if (!checkup.engine) {
        out["error"] = app::to_json(checkup.engine.error());
        return out;
    }
    out["name"] = checkup.engine->name();
    out["version"] = checkup.engine->version();
    out["path"] = checkup.engine->origin();
    out["drivers"] = Json::array();
    for (const Finding& each : checkup.findings) {
        Json finding{{"file", each.driver}, {"verdict", each.verdict}, {"detail", each.detail}};
        if (!each.cure.empty()) finding["cure"] = each.cure;
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

std::string text(const Checkup& checkup) {
    if (!checkup.engine) {
        return fmt::format("{}: cannot be loaded\n  {}\n", checkup.asked,
                           wrapped(checkup.engine.error().what, 2, 2));
    }
    const auto& engine = *checkup.engine;
    std::string out =
        fmt::format("{}{}{}  {}\n", engine.name(), engine.version().empty() ? "" : " ",
                    engine.version(), engine.origin());
    for (const Finding& each : checkup.findings) {
        const std::string name = std::filesystem::path(each.driver).filename().string();
        out +=
            fmt::format("  {:<9}  {:<29}  {}\n", each.verdict, name, wrapped(each.detail, 44, 44));
        if (!each.cure.empty())
            out += fmt::format("{:13}{}\n", "", wrapped("cure: " + each.cure, 13, 13));
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
        out += fmt::format("\nDefects of {} that ferry works around\n", each.engine->name());
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
