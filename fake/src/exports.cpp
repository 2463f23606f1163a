// SPDX-License-Identifier: MIT
// The standard names, for libferry_fake.so alone.
#undef WGPU_SKIP_DECLARATIONS
#define WGPU_SHARED_LIBRARY
#define WGPU_IMPLEMENTATION
#include <webgpu/webgpu.h>

#include "entry.hpp"

using ferry_fake::entry;
using ferry_fake::Function;

extern "C" {
#include "exports.inc"
}
