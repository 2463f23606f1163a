// SPDX-License-Identifier: MIT
#pragma once

#include <ostream>

#include <rapidcheck.h>

#include "random_program.hpp"

namespace ferry::test {

inline void showValue(const RandomProgram::Step& step, std::ostream& out) {
    constexpr const char* names[] = {"write", "copy", "clear", "read", "submit",
                                     "map",   "fill", "unmap", "take"};
    out << names[static_cast<int>(step.kind)] << '(' << step.source << ", " << step.target << ", "
        << step.first << ", " << step.count << ", " << int{step.value} << ')';
}

/// Small numbers shrink towards the plainest program that still fails.
inline rc::Gen<std::vector<RandomProgram::Step>> random_steps() {
    using Step = RandomProgram::Step;
    return rc::gen::container<std::vector<Step>>(rc::gen::build<Step>(
        rc::gen::set(&Step::kind, rc::gen::map(rc::gen::inRange(0, RandomProgram::kinds),
                                               [](int kind) { return RandomProgram::Kind(kind); })),
        rc::gen::set(&Step::source, rc::gen::inRange(0U, 8U)),
        rc::gen::set(&Step::target, rc::gen::inRange(0U, 8U)),
        rc::gen::set(&Step::first, rc::gen::inRange(0U, 64U)),
        rc::gen::set(&Step::count, rc::gen::inRange(0U, 65U)),
        rc::gen::set(&Step::value, rc::gen::inRange<std::uint8_t>(1, 250))));
}

/// Runs the steps; fails the property at the first difference.
inline void check_program(Device& device, const std::vector<RandomProgram::Step>& steps) {
    RandomProgram program(device);
    for (const auto& step : steps) program.run(step);
    program.finish();
    if (!program.difference().empty()) RC_FAIL(program.difference());
}

} // namespace ferry::test
