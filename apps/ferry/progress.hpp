// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace app {

/// A line on a terminal that says how far long work is. Nothing is shown for the first half second,
/// nor where standard error is no terminal; the line is gone when the work is done.
class Progress {
public:
    /// `total` 0: it is not known, and the time is shown instead.
    Progress(bool wanted, std::string label, std::uint64_t total);
    void at(std::uint64_t done);
    void tick() { at(0); }
    /// With words of the caller's behind the bar; `words` is called only when the line is due.
    template <class Words>
    void at(std::uint64_t done, Words words) {
        if (due()) bar(done, words());
    }

    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    ~Progress();

private:
    using Clock = std::chrono::steady_clock;
    [[nodiscard]] bool due();
    void bar(std::uint64_t done, const std::string& words);
    bool shown_ = false;
    bool wanted_;
    std::string label_;
    std::uint64_t total_;
    Clock::time_point start_ = Clock::now();
    Clock::time_point next_ = start_ + std::chrono::milliseconds(500);
};

} // namespace app
