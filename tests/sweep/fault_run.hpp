// SPDX-License-Identifier: MIT
// One run of a program on a fake that was told to fail.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fake_world.hpp"

namespace ferry::test {

/// A program of the sweep: 0 when all results were right; an error is told on std::cerr.
struct Program {
    std::string name;
    int (*run)() = nullptr;
    /// Whether it takes some errors as answers and may end with another number than 0 in silence.
    bool judges_errors = false;
};

struct Fault {
    std::string function; ///< "wgpuBufferMapAsync"
    std::uint64_t nth = 1;
    FerryFakeAction action = FERRY_FAKE_FAIL;
    std::chrono::nanoseconds delay{0};
};
[[nodiscard]] std::string to_text(const Fault& fault);

/// How often a program calls each function that it calls at all.
struct Calls {
    std::string function;
    std::uint64_t count = 0;
};

struct Run {
    bool right = false;    ///< it ended with 0
    bool told = false;     ///< it wrote an error
    bool wrong = false;    ///< it ended with a wrong result, and wrote none
    bool applied = false;  ///< the fault met a call
    std::string problem{}; ///< why this run is a failure of the test; empty when it is none
    std::vector<Calls> calls{};
};

/// Runs `program` in a world of its own, in virtual time.
[[nodiscard]] Run run_with(const Program& program, const std::optional<Fault>& fault = {});

/// Scenarios that prepare with raw calls of their own begin their fault here.
void arm_fault();
/// The world of the scenario that runs.
[[nodiscard]] World& scenario_world();
/// A scenario whose fault does not begin before `arm_fault`.
void prepare_without_faults();

} // namespace ferry::test
