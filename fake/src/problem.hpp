// SPDX-License-Identifier: MIT
// What is wrong with a call: the device error that it becomes.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include <webgpu/webgpu.h>

#include "text.hpp"

namespace ferry_fake {

struct Problem {
    WGPUErrorType type = WGPUErrorType_Validation;
    std::string what;
    bool scripted = false; // asked for by the test, so not the program's fault
};

// Nothing means that the call is fine.
using Check = std::optional<Problem>;

template <class... Parts>
Problem invalid(const Parts&... parts) {
    return {WGPUErrorType_Validation, text(parts...), false};
}

} // namespace ferry_fake
