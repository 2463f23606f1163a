// SPDX-License-Identifier: MIT
// The limits of the standard, of the fake's adapter, and how a device gets its own.
#pragma once

#include <webgpu/webgpu.h>

#include "problem.hpp"

namespace ferry_fake {

WGPULimits default_limits();
// What the adapter offers: more than the defaults for buffers, so that asking for more can be
// tested.
WGPULimits adapter_limits();
// Fields of `wish` that are not left undefined replace those of `base`.
WGPULimits overlay(WGPULimits base, const WGPULimits& wish);
// The limits of a device: the defaults, what it asked for on top, and never more than the adapter
// has.
WGPULimits granted(const WGPULimits& adapter, const WGPULimits* wish);
// Whether the adapter has what is asked for.
Check check_limits(const WGPULimits& adapter, const WGPULimits& wish);

} // namespace ferry_fake
