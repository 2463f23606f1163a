// SPDX-License-Identifier: MIT
#include "interrupt.hpp"

#include <array>
#include <atomic>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <unistd.h>

namespace app {

namespace {
std::atomic<int> signal_seen = 0; // written inside a signal handler, read by every thread
static_assert(std::atomic<int>::is_always_lock_free);

// Read inside a signal handler: plain memory, a slot is taken by setting its flag last.
struct Removed {
    volatile std::sig_atomic_t used;
    char path[PATH_MAX];
};
std::array<Removed, 64> removed{};

void (*volatile at_crash)() = nullptr;

void on_crash(int number) {
    if (at_crash != nullptr) at_crash();
    remove_now();
    std::signal(number, SIG_DFL);
    std::raise(number);
}

void on_signal(int number) {
    if (signal_seen != 0) {
        remove_now();
        ::_exit(128 + number);
    }
    signal_seen = number;
}

void watch_crashes() {
    for (const int number : {SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE}) {
        struct sigaction now {};
        ::sigaction(number, nullptr, &now);
        if (now.sa_handler == SIG_DFL) std::signal(number, on_crash); // sanitizers have their own
    }
    std::atexit(remove_now); // an engine may call exit
}
} // namespace

void watch_signals() {
    watch_crashes();
    struct sigaction action {};
    action.sa_handler = on_signal; // no SA_RESTART: a blocked read ends
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) ::sigaction(number, &action, nullptr);
    std::signal(SIGPIPE, SIG_IGN);
}

int interrupting_signal() noexcept { return signal_seen; }

Result<> check_interrupted() {
    if (signal_seen == 0) return {};
    return fail(Errc::cancelled, "The run was interrupted, and no output was written.");
}

void leave_interrupted(const char* left) {
    if (::isatty(STDERR_FILENO) == 1) std::fputs("\r\033[K", stderr); // a line of progress
    std::fprintf(stderr, "ferry: interrupted, and %s\n", left);
    leave_now(128 + signal_seen);
}

void leave_now(int exit_code) {
    remove_now();
    ::_exit(exit_code);
}

bool remove_at_end(const std::string& path) noexcept {
    for (Removed& each : removed) {
        if (each.used != 0 || path.size() >= sizeof each.path) continue;
        std::memcpy(each.path, path.c_str(), path.size() + 1);
        each.used = 1;
        return true;
    }
    return false;
}

void call_at_crash(void (*function)()) noexcept { at_crash = function; }

void keep_at_end(const std::string& path) noexcept {
    for (Removed& each : removed) {
        if (each.used != 0 && path == each.path) each.used = 0;
    }
}

void remove_now() noexcept {
    for (Removed& each : removed) {
        if (each.used == 0) continue;
        if (::unlink(each.path) != 0) ::rmdir(each.path);
        each.used = 0;
    }
}

} // namespace app
