// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "engine/adapters.hpp"
#include "ferry/device.hpp"

namespace ferry::detail {

/// Sets the refusal of each adapter that the options rule out, and answers the others, best first.
[[nodiscard]] std::vector<FoundAdapter*> choose(std::vector<FoundAdapter>& adapters,
                                                const DeviceOptions& options);

/// The error when no adapter is left: every candidate with the reason why not, and what to install.
[[nodiscard]] Error no_adapter(const Engine& engine, const std::vector<FoundAdapter>& adapters,
                               const DeviceOptions& options);

} // namespace ferry::detail
