// SPDX-License-Identifier: MIT
#pragma once

#include "plan.hpp"

namespace app {

/// Works out the limits and features that the plan's device has to be asked for: only what is over
/// the standard's defaults, so that every adapter that can run it is found.
[[nodiscard]] Result<> ask_for_needs(Plan& plan);

/// A line about them, for errors.
[[nodiscard]] std::string needs_text(const Plan& plan);

/// The error of a device that could not be opened: where a storage texture asks for what no adapter
/// has, it says which one, and what to write instead.
[[nodiscard]] Error device_refused(const Plan& plan, Error error);

} // namespace app
