// SPDX-License-Identifier: MIT
// Uploads in random order, with random latencies, faults and ends: the numbers add up at every
// step, the pool stays under its cap, and the buffers hold what a model on the host holds.
#include <cstdlib>
#include <iostream>

#include "upload_run.hpp"

namespace ferry::test {
namespace {

/// FERRY_UPLOAD_STEPS asks for another number.
std::uint64_t wanted_steps() {
    const char* wanted = std::getenv("FERRY_UPLOAD_STEPS");
    return wanted != nullptr ? std::strtoull(wanted, nullptr, 10) : 20'000;
}

TEST(UploadRandom, BytesAreThoseOfTheModelAndTheNumbersAddUp) {
    UploadStats sum;
    std::uint64_t steps = 0;
    for (std::uint64_t seed = 0; steps < wanted_steps(); ++seed) {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        UploadRun run(seed);
        steps += run.steps(1'000);
        run.end();
        ASSERT_FALSE(HasFailure());
        add(sum, run.totals());
    }
    std::cout << steps << " steps: " << sum.reused << " reused, " << sum.made << " made, "
              << sum.one_use << " used once, " << sum.queue_writes << " queue writes, "
              << sum.refused << " refused, " << sum.failed << " failed; " << sum.sent << " sent, "
              << sum.dropped << " dropped; " << sum.map_failures << " maps failed, " << sum.trimmed
              << " trimmed\n";
    // Nothing is left out by the dice.
    for (auto count : upload_counts) EXPECT_GT(sum.*count, 0U);
}

} // namespace
} // namespace ferry::test
