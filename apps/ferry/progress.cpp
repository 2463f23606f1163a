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

bool Progress::due() {
    if (!wanted_) return false;
    const auto now = Clock::now();
    if (now < next_) return false;
    next_ = now + std::chrono::milliseconds(100);
    shown_ = true;
    return true;
}

void Progress::bar(std::uint64_t done, const std::string& words) {
    constexpr std::size_t width = 24;
    const std::size_t filled = static_cast<std::size_t>(done * width / total_);
    fmt::print(stderr, "\r\033[K{} [{}{}] {:3}% of {}", shortened(label_, 40),
               std::string(filled, '#'), std::string(width - filled, '.'), done * 100 / total_,
               words);
}

void Progress::at(std::uint64_t done) {
    if (!due()) return;
    if (total_ > 0) return bar(done, size_text(total_));
    const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    fmt::print(stderr, "\r\033[K{} {:.1f} s", shortened(label_, 60), seconds);
}

Progress::~Progress() {
    if (shown_) std::fputs("\r\033[K", stderr);
}

} // namespace app
