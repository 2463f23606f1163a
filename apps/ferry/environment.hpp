// SPDX-License-Identifier: MIT
#pragma once

namespace app {

/// Sets what engines look for before one is loaded: Vulkan drivers that ferry's build knows of,
/// when the user has chosen none, and a private XDG_RUNTIME_DIR where there is none (engines
/// complain otherwise).
void prepare_environment();

} // namespace app
