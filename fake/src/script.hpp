// SPDX-License-Identifier: MIT
// What the test commands: faults, times, orders, limits, and host functions for shaders.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "ferry_fake/ferry_fake.h"
#include "functions.hpp"

namespace ferry_fake {

inline constexpr std::uint64_t never = FERRY_FAKE_NEVER;

// Times saturate: anything later than "never" is never.
constexpr std::uint64_t later(std::uint64_t time, std::uint64_t duration) {
    return duration > never - time ? never : time + duration;
}

struct Fault {
    std::optional<Function> function; // none: any
    std::uint64_t skip = 0;           // matching calls to let pass first
    std::uint64_t times = 1;          // calls it still applies to
    FerryFakeAction action = FERRY_FAKE_FAIL;
    std::uint64_t delay = 0;
};

struct HostShader {
    FerryFakeShader run = nullptr;
    void* userdata = nullptr;
};

struct Script {
    std::uint64_t pump_step = 0;
    std::uint64_t submission_time = 0;
    std::uint64_t map_latency = 0;
    std::uint64_t memory_cap = UINT64_MAX;
    FerryFakeMapOrder map_order = FERRY_FAKE_MAPS_IN_ORDER;
    std::mt19937_64 shuffle;
    FerryFakeDelivery delivery = FERRY_FAKE_DELIVER_IN_PUMPS;
    std::vector<Fault> faults;
    std::uint64_t faults_applied = 0;
    std::map<std::string, HostShader, std::less<>> shaders;
    std::optional<WGPULimits> limits;
    std::map<WGPUFeatureName, bool> features;

    // The fault that this call meets, if any. Every matching fault counts the call; the first due
    // one is applied.
    std::optional<Fault> fault_for(Function function);
};

} // namespace ferry_fake
