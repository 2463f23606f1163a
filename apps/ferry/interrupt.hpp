// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "common.hpp"

namespace app {

/// Ctrl-C, termination and hang-up set a flag; a second one ends the process at once. A crash,
/// which engines are known for, still removes what is to be removed. Broken pipes become errors.
void watch_signals();

/// The signal that asked the program to end, or 0.
[[nodiscard]] int interrupting_signal() noexcept;

/// The error `cancelled` once a signal has come.
[[nodiscard]] Result<> check_interrupted();

/// Ends the process now, without waiting for the GPU: destructors of engines block until it is
/// idle.
[[noreturn]] void leave_interrupted(const char* left = "no output was written");
[[noreturn]] void leave_now(int exit_code);

/// Files and folders that are removed however the program ends. Paths that are too long are not
/// taken: false.
bool remove_at_end(const std::string& path) noexcept;
void keep_at_end(const std::string& path) noexcept;
void remove_now() noexcept;

/// Called when the process crashes, inside the signal's handler; null for nothing.
void call_at_crash(void (*function)()) noexcept;

} // namespace app
