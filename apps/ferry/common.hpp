// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <CLI/CLI.hpp>

#include "ferry/error.hpp"

namespace app {

using ferry::Errc;
using ferry::Error;
using ferry::Result;

/// What every subcommand understands.
struct Common {
    std::string engine{};  ///< "wgpu", "dawn", "fake" or a path; empty: the default
    std::string adapter{}; ///< index or part of the name; empty: the best
    bool json = false;     ///< one JSON document on standard output, errors too
    bool quiet = false;    ///< no talk on standard error but errors
};

void add_common(CLI::App& command, Common& common);

/// Each adds its subcommand; the callback leaves the exit code in `exit_code`.
void add_devices(CLI::App& app, Common& common, int& exit_code);
void add_doctor(CLI::App& app, Common& common, int& exit_code);
void add_plan(CLI::App& app, Common& common, int& exit_code);
void add_run(CLI::App& app, Common& common, int& exit_code);
void add_bench(CLI::App& app, Common& common, int& exit_code);
void add_record(CLI::App& app, Common& common, int& exit_code);
void add_probe(CLI::App& app, Common& common, int& exit_code);

[[nodiscard]] inline std::unexpected<Error> fail(Errc code, std::string what,
                                                 std::string fix = {}) {
    return std::unexpected(Error{.code = code, .what = std::move(what), .fix = std::move(fix)});
}

/// The same error, with a line about where it happened.
[[nodiscard]] inline std::unexpected<Error> within(Error error, std::string_view line) {
    if (!error.trail.empty()) error.trail += '\n';
    error.trail += line;
    return std::unexpected(std::move(error));
}

} // namespace app
