// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>

#include <fmt/format.h>

#include "common.hpp"
#include "environment.hpp"
#include "interrupt.hpp"
#include "report.hpp"
#include "text.hpp"

namespace app {

void add_common(CLI::App& command, Common& common) {
    command
        .add_option("--engine", common.engine, "wgpu, dawn, fake, or the path of a WebGPU library")
        ->type_name("NAME")
        ->group("Common options");
    command
        .add_option("--adapter", common.adapter,
                    "Adapter: its index or a part of its name; see ferry devices")
        ->type_name("INDEX|NAME")
        ->group("Common options");
    command.add_flag("--json", common.json, "One JSON document on standard output, errors too")
        ->group("Common options");
    command.add_flag("--quiet", common.quiet, "No talk on standard error, only errors")
        ->group("Common options");
}

namespace {
bool asks_for_json(int count, char** arguments) {
    for (int i = 1; i < count; ++i) {
        if (std::strcmp(arguments[i], "--json") == 0) return true;
    }
    return false;
}

/// What the parser knew nothing to do with, or empty.
std::string first_extra(const CLI::App& app) {
    auto extras = app.remaining(true);
    const auto option = std::find_if(extras.begin(), extras.end(),
                                     [](const auto& each) { return each.starts_with('-'); });
    if (option != extras.end()) return *option;
    return extras.empty() ? std::string{} : extras.front();
}

/// The options of the chosen subcommand, or the subcommands.
std::vector<std::string> names_in(const CLI::App& app, bool options) {
    std::vector<std::string> names;
    const auto chosen = app.get_subcommands();
    const CLI::App& last = chosen.empty() ? app : *chosen.front();
    for (const CLI::Option* each : last.get_options()) {
        if (options) names.push_back(each->get_name());
    }
    for (const CLI::App* each :
         app.get_subcommands([](const CLI::App* one) { return !one->get_group().empty(); })) {
        if (!options && chosen.empty()) names.push_back(each->get_name());
    }
    return names;
}

/// Mistakes in the command line, in ferry's own words.
int report_parse_error(const CLI::App& app, const CLI::ParseError& error, bool json) {
    std::string command = "ferry";
    for (const CLI::App* each : app.get_subcommands()) command += " " + each->get_name();
    std::string what = error.what();
    while (what.ends_with('\n') || what.ends_with(' ')) what.pop_back();
    if (const std::string wrong = first_extra(app); !wrong.empty()) {
        const auto known = names_in(app, wrong.starts_with('-'));
        const std::string near = nearest(wrong, known);
        return report({.code = Errc::invalid_argument,
                       .what = fmt::format("{} does not know \"{}\".", command, wrong),
                       .fix = near.empty()
                                  ? fmt::format("See {} --help.", command)
                                  : fmt::format("Did you mean {}? See {} --help.", near, command)},
                      json);
    }
    if (what == "A subcommand is required")
        what = "No subcommand is given: devices, doctor, plan, run, record or bench";
    if (what == "shader is required") what = "No shader is given: " + command + " SHADER.wgsl";
    if (!what.ends_with('.')) what += '.';
    return report({.code = Errc::invalid_argument,
                   .what = what,
                   .fix = fmt::format("See {} --help.", command)},
                  json);
}

int run_program(int count, char** arguments) {
    CLI::App app("ferry moves data between files and the GPU over WebGPU.", "ferry");
    Common common;
    int exit_code = 0;
    app.set_version_flag("--version", std::string("ferry ") + FERRY_VERSION);
    app.require_subcommand(1);
    app.get_formatter()->column_width(34);
    add_common(app, common);
    add_devices(app, common, exit_code);
    add_doctor(app, common, exit_code);
    add_plan(app, common, exit_code);
    add_run(app, common, exit_code);
    add_record(app, common, exit_code);
    add_bench(app, common, exit_code);
    add_probe(app, common, exit_code);
    app.footer("ferry COMMAND --help tells more.\n\n" + exit_codes_text());
    try {
        app.parse(count, arguments);
    } catch (const CLI::Success& success) {
        return app.exit(success);
    } catch (const CLI::ParseError& error) {
        return report_parse_error(app, error, asks_for_json(count, arguments));
    }
    return exit_code;
}
} // namespace

} // namespace app

int main(int count, char** arguments) {
    app::watch_signals();
    app::prepare_environment();
    int exit_code = 1;
    try {
        exit_code = app::run_program(count, arguments);
    } catch (const std::bad_alloc&) {
        exit_code = app::report(
            {.code = ferry::Errc::out_of_memory, .what = "The host has no more memory."}, false);
    } catch (const std::exception& error) {
        exit_code = app::report(
            {.code = ferry::Errc::internal,
             .what = fmt::format("An exception came out of the program: {}.", error.what()),
             .fix = "This is a defect in ferry; please report it."},
            false);
    }
    app::remove_now();
    return exit_code;
}
