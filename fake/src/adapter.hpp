// SPDX-License-Identifier: MIT
// The one adapter of the fake: host memory, every standard feature that concerns data.
#pragma once

#include <vector>

#include "handle.hpp"
#include "instance.hpp"

namespace ferry_fake {

struct Adapter final : Object {
    explicit Adapter(Ref<Instance> owner);
    void clear() override { instance = {}; }
    bool has(WGPUFeatureName feature) const;

    Ref<Instance> instance;
    WGPULimits limits;
    std::vector<WGPUFeatureName> features;
    bool consumed = false; // a device has been made of it
};

void fill_info(WGPUAdapterInfo& info);

} // namespace ferry_fake
