// SPDX-License-Identifier: MIT
#include "progress.hpp"

#include <cstdio>
#include <utility>

#include <unistd.h>

#include <fmt/format.h>

#include "text.hpp"

namespace app {

Progress::Progress(bool wanted, std::string label, std::uint64_t total)
    : wanted_(wanted && ::isatty(STDERR_FILENO) == 1), label_(std::move(label)), total_(total) {}

void Progress::at(std::uint64_t done) {
    if (!wanted_) return;
    const auto now = Clock::now();
    if (now < next_) return;
    next_ = now + std::chrono::milliseconds(100);
    shown_ = true;
    const double seconds = std::chrono::duration<double>(now - start_).count();
    if (total_ == 0) {
        fmt::print(stderr, "\r\033[K{} {:.1f} s", shortened(label_, 60), seconds);
        return;
    }
    constexpr std::size_t width = 24;
    const std::size_t filled = static_cast<std::size_t>(done * width / total_);
    fmt::print(stderr, "\r\033[K{} [{}{}] {:3}% of {}", shortened(label_, 40),
               std::string(filled, '#'), std::string(width - filled, '.'), done * 100 / total_,
               size_text(total_));
}

Progress::~Progress() {
    if (shown_) std::fputs("\r\033[K", stderr);
}

} // namespace app
