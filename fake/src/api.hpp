// SPDX-License-Identifier: MIT
// The implementations, by webgpu.h's names and with webgpu.h's types: a wrong signature does not
// compile.
#pragma once

#include <type_traits>

#include <webgpu/webgpu.h>

namespace ferry_fake::api {

#define FERRY_FAKE_FUNCTION(name) std::remove_pointer_t<WGPUProc##name> name;
#define FERRY_FAKE_REFERENCE_FUNCTION(name) FERRY_FAKE_FUNCTION(name)
#include "functions.inc"
#undef FERRY_FAKE_FUNCTION
#undef FERRY_FAKE_REFERENCE_FUNCTION

} // namespace ferry_fake::api
