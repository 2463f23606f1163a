// SPDX-License-Identifier: MIT
#include "fake_engine.hpp"

#include <atomic>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <dlfcn.h>
#include <gtest/gtest.h>

#include "fake_kernels.hpp"
#include "ferry/interop.hpp"

namespace ferry::test {
namespace {

using namespace std::chrono_literals;

/// The control functions of the library that ferry has loaded.
struct Control {
    void* library = nullptr;

    template <class Function>
    [[nodiscard]] Function* get(const char* name) const {
        return reinterpret_cast<Function*>(dlsym(library, name));
    }
};
#define FERRY_FAKE(name) control.get<decltype(name)>(#name)

/// A world and the test that opened a device in it.
struct OpenedWorld {
    FerryFake* fake;
    std::string test;
    std::uint64_t invalid_calls = 0; ///< that the test makes itself
};

/// Moves the time of some worlds along with the real one, from a thread of its own.
class RealTime {
public:
    void add(const Control& used, FerryFake* fake, std::chrono::nanoseconds time) {
        const std::lock_guard lock(mutex_);
        control = used;
        FERRY_FAKE(ferry_fake_set_submission_time)(fake, static_cast<std::uint64_t>(time.count()));
        slowed_[fake] = FERRY_FAKE(ferry_fake_calls)(fake, "wgpuQueueSubmit") + 1;
        if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
    }
    void stop() {
        stopped_ = true;
        if (thread_.joinable()) thread_.join();
    }

private:
    void run() {
        auto last = std::chrono::steady_clock::now();
        while (!stopped_) {
            std::this_thread::sleep_for(200us);
            const auto now = std::chrono::steady_clock::now();
            const std::lock_guard lock(mutex_);
            for (auto& [fake, until] : slowed_) move_on(fake, until, now - last);
            last = now;
        }
    }
    void move_on(FerryFake* fake, std::uint64_t until, std::chrono::nanoseconds passed) const {
        // Only one submission was to be slow.
        if (FERRY_FAKE(ferry_fake_calls)(fake, "wgpuQueueSubmit") >= until)
            FERRY_FAKE(ferry_fake_set_submission_time)(fake, 0);
        FERRY_FAKE(ferry_fake_advance)(fake, static_cast<std::uint64_t>(passed.count()));
    }

    Control control;
    std::mutex mutex_;
    std::map<FerryFake*, std::uint64_t> slowed_; ///< and the number of submits that ends it
    std::thread thread_;
    std::atomic<bool> stopped_ = false;
};

/// All worlds of this run; at its end they are asked what they have seen.
class Worlds : public testing::Environment {
public:
    void open(const Control& used) {
        control = used;
        FerryFake* fake = FERRY_FAKE(ferry_fake_new)();
        FERRY_FAKE(ferry_fake_set_shader)(fake, nullptr, run_on_host, nullptr);
        FERRY_FAKE(ferry_fake_next_instance)(fake);
        const auto* test = testing::UnitTest::GetInstance()->current_test_info();
        const auto* suite = testing::UnitTest::GetInstance()->current_test_suite();
        worlds_.push_back({fake, test != nullptr    ? test->name()
                                 : suite != nullptr ? suite->name()
                                                    : "no test"});
    }
    void slow_down(const Control& used, FerryFake* fake, std::chrono::nanoseconds time) {
        real_time_.add(used, fake, time);
    }
    void expect_invalid_calls(const FerryFake* fake, int count) {
        for (OpenedWorld& world : worlds_) {
            if (world.fake == fake) world.invalid_calls += static_cast<std::uint64_t>(count);
        }
    }
    void TearDown() override {
        real_time_.stop();
        for (const OpenedWorld& world : worlds_) check(world);
    }

private:
    void check(const OpenedWorld& world) const {
        std::vector<char> text(std::size_t{1} << 14);
        if (FERRY_FAKE(ferry_fake_check_clean)(world.fake, text.data(), text.size()) != 0)
            ADD_FAILURE() << "the device of " << world.test << ": " << text.data();
        const auto errors = FERRY_FAKE(ferry_fake_errors)(world.fake);
        for (std::uint64_t i = 0; errors != world.invalid_calls && i < errors; ++i) {
            ADD_FAILURE() << "the device of " << world.test
                          << ": invalid call: " << FERRY_FAKE(ferry_fake_error)(world.fake, i);
        }
        FERRY_FAKE(ferry_fake_free)(world.fake);
    }

    Control control;
    RealTime real_time_;
    std::vector<OpenedWorld> worlds_;
};

Worlds* const worlds = [] {
    auto* made = new Worlds; // the test program's own from here on
    testing::AddGlobalTestEnvironment(made);
    return made;
}();

Control control_of(const Engine& engine) {
    if (engine.name() != "ferry_fake") return {};
    return {dlopen(std::string(engine.origin()).c_str(), RTLD_NOW | RTLD_NOLOAD)};
}

} // namespace

void prepare_engine(const Engine& engine) {
    if (const Control control = control_of(engine); control.library != nullptr)
        worlds->open(control);
}

void slow_down_next_submission(const Device& device, std::chrono::nanoseconds time) {
    const Control control = control_of(device.engine());
    if (control.library == nullptr) return;
    worlds->slow_down(control, FERRY_FAKE(ferry_fake_of_device)(interop::raw(device).device), time);
}

void expect_invalid_calls(const Device& device, int count) {
    const Control control = control_of(device.engine());
    if (control.library == nullptr) return;
    worlds->expect_invalid_calls(FERRY_FAKE(ferry_fake_of_device)(interop::raw(device).device),
                                 count);
}

} // namespace ferry::test
