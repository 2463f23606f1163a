// SPDX-License-Identifier: MIT
#include "worker.hpp"

#include <new>

namespace app {

void Bell::ring() {
    {
        const std::lock_guard lock(mutex_);
        ++rings_;
    }
    changed_.notify_all();
}

std::uint64_t Bell::rings() {
    const std::lock_guard lock(mutex_);
    return rings_;
}

void Bell::wait(std::uint64_t seen, std::chrono::milliseconds patience) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, patience, [&] { return rings_ > seen; });
}

Worker::Worker(Bell& bell) : bell_(bell) {
    thread_ = std::thread([this] { run(); });
}

Worker::~Worker() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
        tasks_.clear();
    }
    changed_.notify_all();
    thread_.join();
}

void Worker::push(Task& task) {
    task.done = false;
    {
        const std::lock_guard lock(mutex_);
        tasks_.push_back(&task);
    }
    changed_.notify_all();
}

bool Worker::stop(std::chrono::milliseconds patience) {
    std::unique_lock lock(mutex_);
    stopping_ = true;
    tasks_.clear();
    changed_.notify_all();
    return changed_.wait_for(lock, patience, [&] { return ended_; });
}

Task* Worker::next() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return stopping_ || !tasks_.empty(); });
    if (tasks_.empty()) {
        ended_ = true;
        changed_.notify_all();
        return nullptr;
    }
    Task* task = tasks_.front();
    tasks_.pop_front();
    return task;
}

namespace {
Result<> done_safely(const std::function<Result<>()>& work) try {
    return work();
} catch (const std::bad_alloc&) {
    return fail(Errc::out_of_memory, "The host has no more memory.");
}
} // namespace

void Worker::run() {
    using Clock = std::chrono::steady_clock;
    while (Task* task = next()) {
        const auto start = Clock::now();
        task->outcome = done_safely(task->work);
        const std::chrono::duration<double, std::milli> took = Clock::now() - start;
        busy_ms_ = busy_ms_ + took.count();
        task->done = true;
        bell_.ring();
    }
}

} // namespace app
