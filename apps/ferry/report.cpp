// SPDX-License-Identifier: MIT
#include "report.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <sstream>

#include <fmt/format.h>

#include "interrupt.hpp"
#include "text.hpp"

namespace app {

namespace {
struct ExitCode {
    Errc code;
    int number;
    const char* meaning;
};
constexpr std::array exit_code_list{
    ExitCode{Errc::internal, 1, "a defect in ferry"},
    ExitCode{Errc::invalid_argument, 2, "the command line, the shader or an array is wrong"},
    ExitCode{Errc::io, 3, "a file, a stream or the engine's library cannot be read or written"},
    ExitCode{Errc::unsupported, 4, "this engine, adapter or driver cannot do it"},
    ExitCode{Errc::limit_exceeded, 5, "over a limit of the device"},
    ExitCode{Errc::out_of_memory, 6, "the device or the host has no room"},
    ExitCode{Errc::device_lost, 7, "the device went away during the run"},
    ExitCode{Errc::timeout, 8, "a time limit passed"},
    ExitCode{Errc::engine, 9, "the engine reported an error of its own"},
    ExitCode{Errc::cancelled, 130, "interrupted (Ctrl-C); 128 + signal"},
};

/// "  where: ..." with the further lines under the first.
std::string trail_text(const std::string& trail) {
    std::istringstream lines(trail);
    std::string out, line;
    while (std::getline(lines, line)) {
        if (line.find_first_not_of(' ') == std::string::npos) continue;
        out += fmt::format("  {:<6} {}\n", out.empty() ? "where:" : "", line);
    }
    return out;
}
} // namespace

int exit_code(Errc code) noexcept {
    if (code == Errc::cancelled && interrupting_signal() != 0) return 128 + interrupting_signal();
    for (const ExitCode& each : exit_code_list) {
        if (each.code == code) return each.number;
    }
    return 1; // wrong_state, not_submitted, busy: the program's own mistakes
}

std::string exit_codes_text() {
    std::string text = "Exit codes:\n    0  success\n";
    for (const ExitCode& each : exit_code_list) {
        text += fmt::format("  {:>3}  {}\n", each.number, each.meaning);
    }
    return text;
}

nlohmann::ordered_json to_json(const Error& error) {
    nlohmann::ordered_json out{{"code", ferry::name(error.code)},
                               {"exit_code", exit_code(error.code)},
                               {"what", error.what}};
    if (!error.trail.empty()) out["where"] = error.trail;
    if (!error.fix.empty()) out["fix"] = error.fix;
    if (!error.rule.empty()) out["rule"] = error.rule;
    return out;
}

int report(const Error& error, bool json) {
    if (json && print_json(nlohmann::ordered_json{{"error", to_json(error)}})) {
        return exit_code(error.code);
    }
    std::string text = "ferry: error: " + wrapped(error.what, 14, 9) + '\n';
    text += trail_text(error.trail);
    if (!error.fix.empty()) text += "  fix:   " + wrapped(error.fix, 9, 9) + '\n';
    std::fputs(text.c_str(), stderr);
    return exit_code(error.code);
}

void say(const Common& common, std::string_view text) {
    if (!common.quiet) fmt::print(stderr, "ferry: {}\n", text);
}

Result<> print(std::string_view text) {
    const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
    if (written && std::fflush(stdout) == 0) return {};
    return fail(Errc::io,
                fmt::format("Writing to standard output failed: {}.", std::strerror(errno)));
}

Result<> print_json(const nlohmann::ordered_json& document) {
    // Names of files and devices may hold bytes that are no UTF-8: they are replaced instead of
    // thrown over.
    return print(document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) +
                 '\n');
}

} // namespace app
