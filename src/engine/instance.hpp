// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <memory>
#include <vector>

#include "engine/signals.hpp"
#include "engine/table.hpp"
#include "ferry/engine.hpp"

namespace ferry::detail {

enum class Owner : bool { ferry, user };

/// An engine's instance with its pending callbacks.
class Instance {
public:
    /// Errors: `engine` when the engine makes none.
    [[nodiscard]] static Result<std::shared_ptr<Instance>> create(const Engine& engine);

    /// Takes over one reference of `handle`.
    Instance(Engine engine, WGPUInstance handle, Owner owner);
    Instance(const Instance&) = delete;
    Instance& operator=(const Instance&) = delete;
    /// Comes after everything made from the instance was released.
    ~Instance();

    /// Lets callbacks run, once, without blocking. A nested call returns at once.
    void pump();
    /// Pumps until the signal has fired or the limit has passed; says whether it has.
    [[nodiscard]] bool await(const Signal& signal, std::chrono::nanoseconds limit);

    /// Keeps something that the engine may call back until the instance is gone.
    void keep(std::shared_ptr<void> callee) { kept_.push_back(std::move(callee)); }

    /// Notes what an asynchronous call answered; comes right after each.
    void asked(Signal* signal, WGPUFuture future) noexcept {
        signals_->asked(signal, future, !gpu().quirks.pump_by_process_events);
    }

    [[nodiscard]] const EngineTable& gpu() const noexcept { return *engine_.table(); }
    [[nodiscard]] const Engine& engine() const noexcept { return engine_; }
    [[nodiscard]] WGPUInstance handle() const noexcept { return handle_; }
    [[nodiscard]] Signals& signals() noexcept { return *signals_; }

private:
    void wait_for_nothing();
    void look_for(const Signal& signal);

    Engine engine_;
    WGPUInstance handle_;
    Owner owner_;
    Signals* signals_;
    std::vector<WGPUFutureWaitInfo> waits_;
    std::vector<std::shared_ptr<void>> kept_;
    bool pumping_ = false;
};

} // namespace ferry::detail
