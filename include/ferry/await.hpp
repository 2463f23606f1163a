// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <coroutine>
#include <exception>
#include <memory>
#include <utility>
#include <vector>

#include "ferry/ticket.hpp"

namespace ferry {

namespace detail {

/// A coroutine that waits for a ticket.
struct Waiting {
    virtual ~Waiting() = default;
    [[nodiscard]] virtual bool ready() = 0;
    std::coroutine_handle<> coroutine{};
};

struct WaitingList {
    std::vector<Waiting*> all;
    bool polling = false;
};

} // namespace detail

/// A coroutine that awaits tickets. It runs at once up to its first `co_await`, and goes on inside
/// `Awaits::poll`. Dropping it ends it where it stands, which drops the ticket that it awaits.
class [[nodiscard]] Task {
public:
    struct promise_type {
        Task get_return_object() noexcept { return Task(Handle::from_promise(*this)); }
        std::suspend_never initial_suspend() noexcept { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        void return_void() noexcept {}
        void unhandled_exception() noexcept { thrown = std::current_exception(); }
        std::exception_ptr thrown{};
    };
    using Handle = std::coroutine_handle<promise_type>;

    Task() noexcept = default;
    explicit Task(Handle handle) noexcept : handle_(handle) {}
    Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    Task& operator=(Task&& other) noexcept {
        std::swap(handle_, other.handle_);
        return *this;
    }
    ~Task() {
        if (handle_) handle_.destroy();
    }

    /// Whether it has come to its end, or is empty.
    [[nodiscard]] bool done() const noexcept { return !handle_ || handle_.done(); }
    /// What it ended with, when that was an exception; else null.
    [[nodiscard]] std::exception_ptr thrown() const noexcept {
        return handle_ && handle_.done() ? handle_.promise().thrown : nullptr;
    }

private:
    Handle handle_ = nullptr;
};

/// Where coroutines wait for tickets: `auto value = co_await awaits(device.read<float>(buffer));`
///
/// Nothing runs in the background: `poll` looks at the tickets, which processes events, and runs
/// each coroutine whose ticket is ready up to its next `co_await`. It never blocks. Use it on the
/// thread of the device. It and its tasks may be dropped in any order. Copies share their tasks.
class Awaits {
public:
    Awaits() = default;
    Awaits(const Awaits&) = default; // no move: a handle is never empty
    Awaits& operator=(const Awaits&) = default;

    /// Awaits a ticket; the expression has its outcome, a `Result<T>`. It suspends also
    /// for a ticket that is ready.
    template <class T>
    [[nodiscard]] auto operator()(Ticket<T> ticket) {
        struct Awaiter final : detail::Waiting {
            Awaiter(Ticket<T> awaited, std::shared_ptr<detail::WaitingList> where)
                : ticket(std::move(awaited)), list(std::move(where)) {}
            Awaiter(const Awaiter&) = delete;
            Awaiter& operator=(const Awaiter&) = delete;
            ~Awaiter() override { std::erase(list->all, this); }

            [[nodiscard]] bool ready() override { return ticket.ready(); }
            // Looking may run callbacks of the program's, which may drop the task: only `poll`
            // looks, while the coroutine stands still.
            [[nodiscard]] bool await_ready() const noexcept { return false; }
            void await_suspend(std::coroutine_handle<> handle) {
                coroutine = handle;
                list->all.push_back(this);
            }
            [[nodiscard]] Result<T> await_resume() { return ticket.outcome(); }

            Ticket<T> ticket;
            std::shared_ptr<detail::WaitingList> list;
        };
        return Awaiter(std::move(ticket), waiting_);
    }

    /// Goes on with every coroutine whose ticket is ready. A nested call returns at once.
    void poll() {
        const auto list = waiting_; // a coroutine may drop this object
        if (list->polling) return;
        list->polling = true;
        auto waits = [&list](const detail::Waiting* one) {
            return std::find(list->all.begin(), list->all.end(), one) != list->all.end();
        };
        const std::vector<detail::Waiting*> looked_at = list->all;
        for (detail::Waiting* one : looked_at) {
            // Looking may run callbacks of the program's, which may drop tasks.
            if (!waits(one) || !one->ready() || !waits(one)) continue;
            std::erase(list->all, one);
            one->coroutine.resume();
        }
        list->polling = false;
    }

    /// How many coroutines wait.
    [[nodiscard]] std::size_t waiting() const noexcept { return waiting_->all.size(); }

private:
    std::shared_ptr<detail::WaitingList> waiting_ = std::make_shared<detail::WaitingList>();
};

} // namespace ferry
