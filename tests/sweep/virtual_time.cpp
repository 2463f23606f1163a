// SPDX-License-Identifier: MIT
// The functions through which the C++ library sleeps and tells the time; the program's own stand
// before those of the C library.
#include "virtual_time.hpp"

#include <atomic>
#include <ctime>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace ferry::test {
namespace {

using namespace std::chrono_literals;

struct Clock {
    std::atomic<bool> virtual_now = false;
    std::atomic<std::int64_t> time_ns = 0;
    std::int64_t deadline_ns = 0;
    int speed = 1;
    VirtualTime::Slept slept;
};
Clock& the_clock() {
    static Clock clock;
    return clock;
}

void jump(std::int64_t ns) {
    Clock& clock = the_clock();
    clock.time_ns += ns;
    if (clock.slept) clock.slept(std::chrono::nanoseconds(ns));
}

std::int64_t to_ns(const timespec& time) {
    return static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

} // namespace

VirtualTime::VirtualTime(Slept slept, int speed, std::chrono::nanoseconds deadline) {
    Clock& clock = the_clock();
    clock.slept = std::move(slept);
    clock.speed = speed;
    timespec real{};
    clock_gettime(CLOCK_MONOTONIC, &real);
    clock.time_ns = to_ns(real);
    clock.deadline_ns = clock.time_ns + deadline.count();
    clock.virtual_now = true;
}

VirtualTime::~VirtualTime() {
    the_clock().virtual_now = false;
    the_clock().slept = {};
}

std::chrono::nanoseconds VirtualTime::now() {
    return std::chrono::nanoseconds(the_clock().time_ns.load());
}

} // namespace ferry::test

#define FERRY_TEST_EXPORT __attribute__((visibility("default")))

extern "C" {

FERRY_TEST_EXPORT int clock_gettime(clockid_t which, timespec* out) noexcept {
    auto& clock = ferry::test::the_clock();
    if (which != CLOCK_MONOTONIC || !clock.virtual_now)
        return static_cast<int>(syscall(SYS_clock_gettime, which, out));
    ferry::test::jump(2'000); // looking takes time, too: nobody spins for ever
    const std::int64_t now = clock.time_ns;
    out->tv_sec = now / 1'000'000'000;
    out->tv_nsec = now % 1'000'000'000;
    return 0;
}

FERRY_TEST_EXPORT int nanosleep(const timespec* wanted, timespec* left) {
    auto& clock = ferry::test::the_clock();
    if (!clock.virtual_now) return static_cast<int>(syscall(SYS_nanosleep, wanted, left));
    ferry::test::jump(ferry::test::to_ns(*wanted) * clock.speed);
    if (clock.time_ns > clock.deadline_ns) throw ferry::test::Hung();
    return 0;
}

FERRY_TEST_EXPORT int sched_yield() noexcept {
    if (!ferry::test::the_clock().virtual_now) return static_cast<int>(syscall(SYS_sched_yield));
    ferry::test::jump(50'000);
    return 0;
}
}
