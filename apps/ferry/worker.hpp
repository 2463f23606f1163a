// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

#include "common.hpp"

namespace app {

/// Rings when a worker has done something. One waits, any number ring.
class Bell {
public:
    void ring();
    [[nodiscard]] std::uint64_t rings();
    /// Until it has rung more than `seen` times.
    void wait(std::uint64_t seen, std::chrono::milliseconds patience);

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::uint64_t rings_ = 0;
};

/// Work for a worker. It and its outcome belong to the worker from `push` until `done`.
struct Task {
    std::function<Result<>()> work{};
    Result<> outcome{};
    std::atomic<bool> done = false;
};

/// A thread that does its tasks in order.
class Worker {
public:
    explicit Worker(Bell& bell);
    void push(Task& task);
    /// Drops the tasks that wait and waits for the one that runs: false when it does not end, as
    /// with a pipe on which nothing comes. Then the process is to be left.
    [[nodiscard]] bool stop(std::chrono::milliseconds patience);
    [[nodiscard]] double busy_ms() const noexcept { return busy_ms_.load(); }

    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;
    ~Worker();

private:
    void run();
    [[nodiscard]] Task* next();

    Bell& bell_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Task*> tasks_;
    bool stopping_ = false;
    bool ended_ = false;
    std::atomic<double> busy_ms_ = 0;
    std::thread thread_;
};

} // namespace app
