// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace app {

/// This program, run again with other arguments and environment variables.
struct Child {
    std::vector<std::string> arguments{};
    std::vector<std::pair<std::string, std::string>> variables{};
};

struct ChildOutcome {
    int exit_code = -1; ///< where it ended by itself
    int signal = 0;     ///< that ended it
    bool timed_out = false;
    std::string out{};
    std::string err{};
    double seconds = 0;
};

/// Runs all of them, a few at once, and waits. One that is still running after `limit` is ended.
[[nodiscard]] std::vector<ChildOutcome> run_children(const std::vector<Child>& children,
                                                     std::chrono::seconds limit);

} // namespace app
