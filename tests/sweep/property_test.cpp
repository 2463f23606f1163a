// SPDX-License-Identifier: MIT
// Random programs against plain memory, while the fake delivers in any order and at any time.
#include <cstdlib>

#include "fake_world.hpp"
#include "random_program_gen.hpp"

#include <rapidcheck/gtest.h>

namespace ferry::test {
namespace {

/// How the world behaves, at random.
struct Weather {
    int order = 0, delivery = 0, seed = 0, submission_us = 0, latency_us = 0, pump_us = 1;
};

void set(World& world, const Weather& weather) {
    world.set_map_order(static_cast<FerryFakeMapOrder>(weather.order),
                        static_cast<std::uint64_t>(weather.seed));
    world.set_delivery(static_cast<FerryFakeDelivery>(weather.delivery));
    world.set_submission_time(std::chrono::microseconds(weather.submission_us));
    world.set_map_latency(std::chrono::microseconds(weather.latency_us));
    world.set_pump_step(std::chrono::microseconds(weather.pump_us));
}

rc::Gen<Weather> weather() {
    return rc::gen::build<Weather>(rc::gen::set(&Weather::order, rc::gen::inRange(0, 5)),
                                   rc::gen::set(&Weather::delivery, rc::gen::inRange(0, 3)),
                                   rc::gen::set(&Weather::seed, rc::gen::inRange(0, 1000)),
                                   rc::gen::set(&Weather::submission_us, rc::gen::inRange(0, 50)),
                                   rc::gen::set(&Weather::latency_us, rc::gen::inRange(0, 50)),
                                   rc::gen::set(&Weather::pump_us, rc::gen::inRange(1, 20)));
}

/// The same programs in each run; RC_PARAMS asks for others, or for more.
[[maybe_unused]] const int seeded = setenv("RC_PARAMS", "seed=20261130 max_success=500", 0);

void check(const Weather& how, const std::vector<RandomProgram::Step>& steps) {
    World world;
    const VirtualTime time([&](auto slept) { world.advance(slept); }, 10);
    set(world, how);
    {
        Device device = world.open();
        check_program(device, steps);
    }
    RC_ASSERT(world.complaints() == "");
}

RC_GTEST_PROP(RandomPrograms, AgreeWithPlainMemory, ()) {
    check({}, *random_steps().as("program"));
}

RC_GTEST_PROP(RandomPrograms, AgreeWhateverTheOrderAndTheTime, ()) {
    const Weather how = *weather();
    check(how, *random_steps().as("program"));
}

/// The device is lost after some steps: every ticket still ends, once, and nothing stays behind.
RC_GTEST_PROP(RandomPrograms, EndCleanlyWhenTheDeviceIsLostOnTheWay, ()) {
    const Weather how = *weather();
    const auto steps = *random_steps().as("program");
    const auto lost_at = *rc::gen::inRange<std::size_t>(0, steps.size() + 1);
    World world;
    const VirtualTime time([&](auto slept) { world.advance(slept); }, 10);
    set(world, how);
    {
        Device device = world.open();
        RandomProgram program(device);
        for (std::size_t at = 0; at < lost_at; ++at) program.run(steps[at]);
        RC_ASSERT(program.difference() == "");
        world.lose_devices();
        try {
            for (std::size_t at = lost_at; at < steps.size(); ++at) program.run(steps[at]);
            program.finish();
        } catch (const std::runtime_error& answered_as_lost) {
            RC_LOG() << answered_as_lost.what();
            RC_ASSERT(says(answered_as_lost.what(), "lost"));
        }
    }
    RC_ASSERT(world.complaints() == "");
}

} // namespace
} // namespace ferry::test
