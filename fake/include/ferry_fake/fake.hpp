// SPDX-License-Identifier: MIT
//
// A thin C++ face of ferry_fake.h for tests.
//
//     ferry_fake::Fake fake;
//     fake.use_for_next_instance();
//     fake.script("wgpuBufferMapAsync", {.nth = 3});
//     ... run the program under test ...
//     EXPECT_EQ(fake.findings(), "");
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "ferry_fake/ferry_fake.h"

namespace ferry_fake {

// Which calls a fault meets.
struct When {
    std::uint64_t nth = 1;   // counted from now: 1 is the next matching call
    std::uint64_t times = 1; // that many calls in a row
    FerryFakeAction action = FERRY_FAKE_FAIL;
    std::chrono::nanoseconds delay{0}; // for FERRY_FAKE_LATE
};

class Fake {
public:
    using Shader = std::function<void(const FerryFakeDispatch&)>;

    Fake() : fake_(ferry_fake_new()) {}
    ~Fake() {
        // The objects of the program may outlive this, the host functions do not.
        for (const auto& [entry_point, shader] : shaders_)
            ferry_fake_set_shader(fake_, entry_point.c_str(), nullptr, nullptr);
        ferry_fake_free(fake_);
    }
    Fake(const Fake&) = delete;
    Fake& operator=(const Fake&) = delete;

    FerryFake* get() const { return fake_; }
    void use_for_next_instance() { ferry_fake_next_instance(fake_); }

    std::chrono::nanoseconds now() const { return std::chrono::nanoseconds(ferry_fake_now(fake_)); }
    void advance(std::chrono::nanoseconds time) { ferry_fake_advance(fake_, count(time)); }
    void set_pump_step(std::chrono::nanoseconds time) {
        ferry_fake_set_pump_step(fake_, count(time));
    }
    void set_submission_time(std::chrono::nanoseconds time) {
        ferry_fake_set_submission_time(fake_, count(time));
    }
    void set_map_latency(std::chrono::nanoseconds time) {
        ferry_fake_set_map_latency(fake_, count(time));
    }
    void hang_submissions() { ferry_fake_set_submission_time(fake_, FERRY_FAKE_NEVER); }
    void set_map_order(FerryFakeMapOrder order, std::uint64_t seed = 0) {
        ferry_fake_set_map_order(fake_, order, seed);
    }
    void set_delivery(FerryFakeDelivery delivery) { ferry_fake_set_delivery(fake_, delivery); }

    // An empty name means any function. False when the name is unknown.
    bool script(const std::string& function, When when = {}) {
        const FerryFakeFault fault{function.empty() ? nullptr : function.c_str(), when.nth,
                                   when.times, when.action, count(when.delay)};
        return ferry_fake_script(fake_, &fault) != 0;
    }
    void clear_faults() { ferry_fake_clear_faults(fake_); }
    std::uint64_t faults_applied() const { return ferry_fake_faults_applied(fake_); }
    void lose_devices() { ferry_fake_lose_devices(fake_); }
    void set_memory_cap(std::uint64_t bytes) { ferry_fake_set_memory_cap(fake_, bytes); }
    void set_limits(const WGPULimits& limits) { ferry_fake_set_limits(fake_, &limits); }
    void set_feature(WGPUFeatureName feature, bool offered) {
        ferry_fake_set_feature(fake_, feature, offered);
    }

    // An empty entry point stands for every one that has no function of its own.
    void set_shader(const std::string& entry_point, Shader shader) {
        Shader& kept = shaders_[entry_point] = std::move(shader);
        ferry_fake_set_shader(fake_, entry_point.c_str(), run_shader, &kept);
    }

    std::uint64_t calls(const char* function = nullptr) const {
        return ferry_fake_calls(fake_, function);
    }
    std::uint64_t live(const char* kind = nullptr) const { return ferry_fake_live(fake_, kind); }
    std::uint64_t created(const char* kind = nullptr) const {
        return ferry_fake_created(fake_, kind);
    }
    std::uint64_t bytes() const { return ferry_fake_bytes(fake_); }
    std::uint64_t peak_bytes() const { return ferry_fake_peak_bytes(fake_); }
    std::uint64_t pending_callbacks() const { return ferry_fake_pending_callbacks(fake_); }
    std::uint64_t pending_operations() const { return ferry_fake_pending_operations(fake_); }

    std::vector<std::string> errors() const {
        std::vector<std::string> all;
        for (std::uint64_t i = 0; i < ferry_fake_errors(fake_); ++i)
            all.emplace_back(ferry_fake_error(fake_, i));
        return all;
    }
    std::vector<std::string> misuses() const {
        std::vector<std::string> all;
        for (std::uint64_t i = 0; i < ferry_fake_misuses(fake_); ++i)
            all.emplace_back(ferry_fake_misuse(fake_, i));
        return all;
    }
    void forget_misuses() { ferry_fake_forget_misuses(fake_); }
    // What check_clean finds, one per line; empty when the program left nothing behind and misused
    // nothing.
    std::string findings() const {
        std::vector<char> text(std::size_t{1} << 16);
        ferry_fake_check_clean(fake_, text.data(), text.size());
        return text.data();
    }

private:
    static std::uint64_t count(std::chrono::nanoseconds time) {
        return static_cast<std::uint64_t>(time.count());
    }
    static void run_shader(const FerryFakeDispatch* dispatch, void* userdata) {
        (*static_cast<Shader*>(userdata))(*dispatch);
    }

    FerryFake* fake_;
    std::map<std::string, Shader> shaders_;
};

} // namespace ferry_fake
