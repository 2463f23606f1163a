// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "common.hpp"

namespace app {

/// The exit code that stands for an error; `exit_codes_text` lists them for the help.
[[nodiscard]] int exit_code(Errc code) noexcept;
[[nodiscard]] std::string exit_codes_text();

/// Prints what, where and fix; on standard error, or as JSON on standard output. Answers the exit
/// code.
int report(const Error& error, bool json);

[[nodiscard]] nlohmann::ordered_json to_json(const Error& error);

/// A line of talk on standard error.
void say(const Common& common, std::string_view text);

/// Prints to standard output and flushes; a closed pipe or a full disk is an error of `io`.
[[nodiscard]] Result<> print(std::string_view text);
[[nodiscard]] Result<> print_json(const nlohmann::ordered_json& document);

} // namespace app
