// SPDX-License-Identifier: MIT
#pragma once

#include "plan.hpp"

namespace app {

/// Works out the limits and features that the plan's device has to be asked for: only what is over
/// the standard's defaults, so that every adapter that can run it is found.
[[nodiscard]] Result<> ask_for_needs(Plan& plan);

/// A line about them, for errors.
[[nodiscard]] std::string needs_text(const Plan& plan);

} // namespace app
