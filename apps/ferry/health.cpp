// SPDX-License-Identifier: MIT
#include "health.hpp"

#include <algorithm>

#include <dlfcn.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "adapters.hpp"
#include "child.hpp"
#include "defects.hpp"
#include "text.hpp"

namespace app {

namespace {
using Json = nlohmann::ordered_json;

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

std::string how_it_ended(const ChildOutcome& outcome) {
    if (outcome.timed_out) {
        return fmt::format("it was ended after {:.0f} s; the last it printed: {}", outcome.seconds,
                           last_line(outcome.err));
    }
    const bool by_signal = outcome.signal != 0;
    return fmt::format("{} {}; the last it printed: {}", by_signal ? "signal" : "exit code",
                       by_signal ? outcome.signal : outcome.exit_code, last_line(outcome.err));
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
        finding.remark = document.value("remark", "");
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
        finding.detail = how_it_ended(outcome);
    } else if (outcome.signal != 0 || !document.is_object() || !document.contains("adapters")) {
        finding.verdict = "crashed";
        finding.detail = how_it_ended(outcome);
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
        checkup.findings.push_back(judge(*tried[i], outcomes[i], checkup.engine->name));
    }
}

/// Loads the engine in a process of its own, since loading runs code of the library's.
Result<Identity> identify(const std::string& engine, std::chrono::seconds limit) {
    const Child child{.arguments = {"ferry", "probe", "--identify", "--engine", engine}};
    const ChildOutcome outcome = run_children({child}, limit).front();
    const Json document = last_document(outcome.out);
    if (!document.is_object()) {
        return fail(Errc::engine,
                    fmt::format("Loading the engine \"{}\" ended the process ({}).", engine,
                                how_it_ended(outcome)),
                    "Take another build of it.");
    }
    if (document.contains("error")) {
        return fail(Errc::io, document["error"].value("what", ""),
                    document["error"].value("fix", ""));
    }
    return Identity{document.value("name", ""), document.value("version", ""),
                    document.value("path", "")};
}
} // namespace

Health examine(const Common& common, std::chrono::seconds limit) {
    Health health;
    health.loader = ::dlopen("libvulkan.so.1", RTLD_LAZY | RTLD_LOCAL) != nullptr;
    health.drivers = find_drivers();
    for (const std::string& name : engine_names(common)) {
        if (name == "fake" && common.engine.empty()) continue; // needs no machine
        Checkup checkup{.asked = name, .engine = identify(name, limit)};
        if (checkup.engine) {
            checkup.defects = defects_of(checkup.engine->name, checkup.engine->version);
            check_drivers(checkup, health.drivers, limit);
        }
        health.engines.push_back(std::move(checkup));
    }
    return health;
}

std::vector<std::string> working(const Health& health) {
    std::vector<std::string> list;
    for (const Checkup& each : health.engines) {
        for (const Finding& finding : each.findings) {
            if (finding.verdict != "works") continue;
            list.push_back(fmt::format("{} on {}", each.engine->name, finding.adapter));
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

} // namespace app
