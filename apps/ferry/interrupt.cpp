// SPDX-License-Identifier: MIT
#include "interrupt.hpp"

#include <array>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstring>

#include <unistd.h>

namespace app {

namespace {
volatile std::sig_atomic_t signal_seen = 0;

// Read inside a signal handler: plain memory, a slot is taken by setting its flag last.
struct Removed {
    volatile std::sig_atomic_t used;
    char path[PATH_MAX];
};
std::array<Removed, 64> removed{};

void on_signal(int number) {
    if (signal_seen != 0) {
        remove_now();
        ::_exit(128 + number);
    }
    signal_seen = number;
}
} // namespace

void watch_signals() {
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

void leave_interrupted() {
    remove_now();
    std::fputs("ferry: interrupted, and no output was written\n", stderr);
    ::_exit(128 + signal_seen);
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
