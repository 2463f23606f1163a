// SPDX-License-Identifier: MIT
// Random programs against plain memory, on every engine. tests/sweep has more of them on the fake.
#include <cstdlib>

#include "sweep/random_program_gen.hpp"

namespace ferry::test {
namespace {

class RandomProgramTest : public SharedDevice {};

TEST_F(RandomProgramTest, RandomProgramsAgreeWithPlainMemory) {
    setenv("RC_PARAMS", "max_success=25 max_size=40", 0); // bounded: real engines are slow
    const bool agrees = rc::check("random programs agree with plain memory",
                                  [] { check_program(device(), *random_steps().as("program")); });
    EXPECT_TRUE(agrees);
}

} // namespace
} // namespace ferry::test
