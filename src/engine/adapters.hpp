// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine/instance.hpp"

namespace ferry::detail {

/// An adapter with the engine's handle, which this owns.
struct FoundAdapter {
    FoundAdapter(const EngineTable& table, WGPUAdapter adapter) noexcept;
    FoundAdapter(FoundAdapter&& other) noexcept;
    FoundAdapter& operator=(FoundAdapter&& other) noexcept;
    ~FoundAdapter();

    const EngineTable* gpu;
    WGPUAdapter handle;
    Adapter info{};
};

/// Every adapter the engine offers, refused ones included, in the engine's order.
[[nodiscard]] std::vector<FoundAdapter> find_adapters(Instance& instance);

[[nodiscard]] Limits from_engine(const WGPULimits& limits) noexcept;
/// Standard defaults where `limits` has 0.
[[nodiscard]] WGPULimits to_engine(const Limits& limits) noexcept;

/// The first limit that `offered` does not reach, as a reason; empty when it reaches all.
[[nodiscard]] std::string missing_limit(const Limits& wanted, const Limits& offered);

/// Every feature ferry has a name for.
[[nodiscard]] std::vector<Feature> known_features();

} // namespace ferry::detail
