// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "common.hpp"
#include "ferry/device.hpp"

namespace app {

struct PathsBench {
    std::uint64_t max_bytes = std::uint64_t{256} << 20; ///< larger sizes are left out
    bool create = false;                                ///< of a buffer's first data
};

/// How long it takes until the GPU has the bytes, on each upload path and on the one that ferry
/// chooses, size by size: taking turns in one run. Errors: `engine`, also when other bytes arrive.
[[nodiscard]] Result<> bench_paths(const Common& common, ferry::Device& device,
                                   const PathsBench& wanted);

} // namespace app
