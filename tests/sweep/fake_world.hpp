// SPDX-License-Identifier: MIT
// A device on a commanded ferry_fake, as the tests of this folder use it.
#pragma once

#include <string>
#include <string_view>

#include <ferry_fake/fake.hpp>

#include "engines/engine_fixture.hpp"
#include "engines/fake_kernels.hpp"
#include "virtual_time.hpp"

namespace ferry::test {

/// ferry_fake, through the functions that this program links.
[[nodiscard]] inline const Engine& fake_engine() {
    static const Engine engine = must(Engine::from(&ferry_fake_symbol, nullptr, "linked"));
    return engine;
}

/// A world whose next instance knows every kernel of the tests and examples.
class World : public ferry_fake::Fake {
public:
    World() {
        ferry_fake_set_shader(get(), nullptr, run_on_host, nullptr);
        use_for_next_instance();
    }
    World(const World&) = delete;
    World& operator=(const World&) = delete;
    ~World() { ferry_fake_next_instance(nullptr); }

    [[nodiscard]] Device open(DeviceOptions options = {}) {
        use_for_next_instance();
        options.engine = fake_engine();
        options.canary = false;
        return must(Device::open(options));
    }

    /// What the engine holds against ferry: invalid calls, misuse, what was left behind.
    [[nodiscard]] std::string complaints() const {
        std::string text = findings();
        for (const auto& error : errors()) text += "invalid call: " + error + '\n';
        return text;
    }
};

/// A world, checked at the end of each test: ferry made no invalid call and left nothing behind.
class OnFake : public testing::Test {
protected:
    void TearDown() override { EXPECT_EQ(world.complaints(), ""); }

    World world;
};

/// Takes a ticket's outcome and sees to it that it was the only one.
template <class T>
[[nodiscard]] Result<T> only_outcome(Ticket<T>& ticket, std::chrono::nanoseconds limit) {
    Result<T> outcome = ticket.wait(limit);
    const bool goes_on = !outcome && (outcome.error().code == Errc::timeout ||
                                      outcome.error().code == Errc::not_submitted);
    if (goes_on && ticket) {
        ticket.cancel();
        Result<T> end = ticket.wait(limit);
        if (end || end.error().code != Errc::cancelled)
            ADD_FAILURE() << "a cancelled ticket ends otherwise";
    }
    if (ticket) ADD_FAILURE() << "the ticket has an outcome left";
    Result<T> second = ticket.wait(std::chrono::nanoseconds(0));
    if (second || second.error().code != Errc::wrong_state) ADD_FAILURE() << "a second outcome";
    return outcome;
}

} // namespace ferry::test
