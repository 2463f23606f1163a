// SPDX-License-Identifier: MIT
#pragma once

#include "common.hpp"
#include "ferry/device.hpp"

namespace app {

struct FrameBench {
    int frames = 120;           ///< of one mode before the next has its turn
    int turns = 5;              ///< of each mode
    int cpu_microseconds = 500; ///< of work in a frame; the GPU gets about as much
};

/// A frame without a read, with a read that it waits for, and with the ring: taking turns in one
/// run.
[[nodiscard]] Result<> bench_frame(const Common& common, ferry::Device& device,
                                   const FrameBench& wanted);

} // namespace app
