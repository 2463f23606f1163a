// SPDX-License-Identifier: MIT
// ferry_fake as one of the engines: it knows the tests' kernels, and it is asked at the end whether
// ferry made an invalid call or left something behind. Does nothing on another engine.
#pragma once

#include <chrono>

#include "ferry/ferry.hpp"

namespace ferry::test {

/// Before a device is opened.
void prepare_engine(const Engine& engine);

/// The next submission of `device` takes `time`: from now on its world's time is the real one.
void slow_down_next_submission(const Device& device, std::chrono::nanoseconds time);

} // namespace ferry::test
