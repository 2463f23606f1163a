// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "ferry/engine.hpp"

namespace ferry::test {

/// ferry_fake behind functions that note when a call is inside the engine: what is allocated there,
/// and in callbacks that it makes, is the engine's.
[[nodiscard]] const Engine& counted_engine();

/// Counts allocations with `new` of this thread outside the engine, while it lives.
class AllocationCount {
public:
    AllocationCount();
    AllocationCount(const AllocationCount&) = delete;
    AllocationCount& operator=(const AllocationCount&) = delete;
    ~AllocationCount();

    [[nodiscard]] std::uint64_t value() const;
};

} // namespace ferry::test
