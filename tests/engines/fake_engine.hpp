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

/// The test makes that many invalid calls of its own on `device`; ferry makes none.
void expect_invalid_calls(const Device& device, int count);

} // namespace ferry::test
