// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <functional>
#include <stdexcept>

namespace ferry::test {

/// A program slept for longer than it may: it hangs.
class Hung : public std::runtime_error {
public:
    Hung() : std::runtime_error("it still waits at the virtual deadline") {}
};

/// While one lives, nobody sleeps: the steady clock jumps instead. A sleep counts `speed` times, so
/// that a wait of half a minute takes a few hundred steps. Throws `Hung` out of a sleep once
/// `deadline` has passed. One at a time in a process.
class VirtualTime {
public:
    using Slept = std::function<void(std::chrono::nanoseconds)>;

    /// `slept` is told about each jump: `[&](auto time) { fake.advance(time); }`.
    explicit VirtualTime(Slept slept = {}, int speed = 1,
                         std::chrono::nanoseconds deadline = std::chrono::minutes(10));
    VirtualTime(const VirtualTime&) = delete;
    VirtualTime& operator=(const VirtualTime&) = delete;
    ~VirtualTime();

    [[nodiscard]] static std::chrono::nanoseconds now();
};

} // namespace ferry::test
