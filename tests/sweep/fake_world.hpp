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

/// ferry_fake, for which ferry takes the ways that it takes on wgpu-native: it pumps by processing
/// all events of the instance, the program's too.
[[nodiscard]] inline const Engine& wgpu_like_engine() {
    static constexpr auto version = +[] { return std::uint32_t{29} << 24; };
    static constexpr auto get_info = +[](WGPUAdapter adapter, WGPUAdapterInfo* info) {
        void* real = ferry_fake_symbol(nullptr, "wgpuAdapterGetInfo");
        const WGPUStatus status = reinterpret_cast<WGPUProcAdapterGetInfo>(real)(adapter, info);
        info->backendType = WGPUBackendType_Vulkan; // no null backend, which ferry refuses
        return status;
    };
    static const Engine engine = must(Engine::from(
        [](void*, const char* name) {
            const std::string_view wanted(name);
            if (wanted == "wgpuGetVersion") return reinterpret_cast<void*>(version);
            if (wanted == "wgpuAdapterGetInfo") return reinterpret_cast<void*>(get_info);
            return ferry_fake_symbol(nullptr, name);
        },
        nullptr, "as wgpu-native"));
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
        if (!options.engine) options.engine = fake_engine();
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
