// SPDX-License-Identifier: MIT
#include "engine_talk.hpp"

#include <array>
#include <csignal>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "interrupt.hpp"

namespace app {

namespace {
// For the signal handler too: plain numbers, and only calls that are allowed there.
volatile std::sig_atomic_t held = -1; ///< a file in memory, in the place of standard error
volatile std::sig_atomic_t stderr_copy = -1;

void give_back(bool print) {
    if (held < 0) return;
    ::dup2(stderr_copy, STDERR_FILENO);
    ::close(stderr_copy);
    std::array<char, 4096> piece;
    ::lseek(held, 0, SEEK_SET);
    for (auto got = print ? ::read(held, piece.data(), piece.size()) : 0; got > 0;
         got = ::read(held, piece.data(), piece.size())) {
        if (::write(STDERR_FILENO, piece.data(), static_cast<std::size_t>(got)) < 0) break;
    }
    ::close(held);
    held = -1;
}

void print_at_crash() { give_back(true); }
} // namespace

EngineTalk::EngineTalk() {
    const int memory = ::memfd_create("engine talk", MFD_CLOEXEC);
    const int copy = ::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    if (memory < 0 || copy < 0 || ::dup2(memory, STDERR_FILENO) < 0) {
        if (memory >= 0) ::close(memory);
        if (copy >= 0) ::close(copy);
        return; // then it is not held back
    }
    held = memory;
    stderr_copy = copy;
    call_at_crash(print_at_crash);
}

EngineTalk::~EngineTalk() {
    if (held < 0) return;
    call_at_crash(nullptr);
    give_back(!discarded_);
}

} // namespace app
