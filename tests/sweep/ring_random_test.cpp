// SPDX-License-Identifier: MIT
// Many frames of rings with random latencies, orders, faults and consumers: the numbers add up at
// every step, `latest` never goes back, bytes belong to their tag, and every read ends once.
#include <cstdlib>
#include <iostream>

#include "ring_run.hpp"

namespace ferry::test {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::uint64_t frames_by_default = 100'000; // a sanitizer makes each ten times as long
#else
constexpr std::uint64_t frames_by_default = 1'000'000;
#endif

/// Of all four policies together; FERRY_RING_FRAMES asks for another number.
std::uint64_t wanted_frames() {
    const char* wanted = std::getenv("FERRY_RING_FRAMES");
    return wanted != nullptr ? std::strtoull(wanted, nullptr, 10) : frames_by_default;
}

class RingRandom : public testing::TestWithParam<RingPolicy> {};

TEST_P(RingRandom, EveryReadEndsOnceAndTheNumbersAddUp) {
    RingStats sum;
    std::uint64_t frames = 0;
    for (std::uint64_t seed = 0; frames < wanted_frames() / 4; ++seed) {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        {
            RingRun run(seed, GetParam());
            frames += run.frames(2'500);
            run.end();
            const RingStats& totals = run.totals();
            sum.delivered += totals.delivered;
            sum.skipped += totals.skipped;
            sum.dropped += totals.dropped;
            sum.refused += totals.refused;
            sum.cancelled += totals.cancelled;
            sum.failed += totals.failed;
        }
        ASSERT_FALSE(HasFailure());
    }
    std::cout << frames << " frames: " << sum.delivered << " delivered, " << sum.skipped
              << " skipped, " << sum.dropped << " dropped, " << sum.refused << " refused, "
              << sum.cancelled << " cancelled, " << sum.failed << " failed\n";
    // Nothing is left out by the dice.
    EXPECT_GT(sum.delivered, 0U);
    EXPECT_GT(sum.dropped, 0U);
    EXPECT_GT(sum.refused, 0U);
    EXPECT_GT(sum.cancelled, 0U);
    EXPECT_GT(sum.failed, 0U);
    EXPECT_EQ(sum.skipped > 0, GetParam() != RingPolicy::refuse);
}

INSTANTIATE_TEST_SUITE_P(Policies, RingRandom,
                         testing::Values(RingPolicy::skip, RingPolicy::drop_oldest,
                                         RingPolicy::grow, RingPolicy::refuse));

} // namespace
} // namespace ferry::test
