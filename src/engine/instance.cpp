// SPDX-License-Identifier: MIT
#include "engine/instance.hpp"

#include <algorithm>

#include "base/backoff.hpp"
#include "base/error.hpp"
#include "base/raised.hpp"

namespace ferry::detail {

using base::fail;
using base::text;

Result<std::shared_ptr<Instance>> Instance::create(const Engine& engine) {
    const WGPUInstanceDescriptor descriptor = WGPU_INSTANCE_DESCRIPTOR_INIT;
    WGPUInstance handle = engine.table()->CreateInstance(&descriptor);
    if (handle == nullptr) {
        return fail(
            Errc::engine, {},
            text("The engine ", engine.name(), " (", engine.origin(), ") makes no instance."),
            "Run `ferry doctor` to see what this machine lacks.");
    }
    return std::make_shared<Instance>(engine, handle, Owner::ferry);
}

Instance::Instance(Engine engine, WGPUInstance handle, Owner owner)
    : engine_(std::move(engine)), handle_(handle), owner_(owner), signals_(new Signals(gpu())) {}

Instance::~Instance() {
    pumping_ = true; // callbacks may come inside the release
    gpu().InstanceRelease(handle_);
    if (owner_ == Owner::ferry) {
        delete signals_;
    } else {
        Signals::abandon(signals_);
    }
}

void Instance::pump() {
    if (pumping_ || signals_->owed_count() == 0) return;
    const base::Raised pumping(pumping_);
    if (gpu().quirks.pump_by_process_events) {
        gpu().InstanceProcessEvents(handle_);
    } else {
        wait_for_nothing();
    }
}

/// A wait of zero over our own futures runs our callbacks and nobody else's.
void Instance::wait_for_nothing() {
    constexpr std::size_t most_per_call = 64; // an engine's default maximum
    signals_->owed(waits_);
    for (std::size_t first = 0; first < waits_.size(); first += most_per_call) {
        const std::size_t count = std::min(most_per_call, waits_.size() - first);
        gpu().InstanceWaitAny(handle_, count, waits_.data() + first, 0);
    }
}

/// Inside a callback of the program's that runs in a pump, that one future can still be asked for.
void Instance::look_for(const Signal& signal) {
    if (!pumping_ || gpu().quirks.pump_by_process_events || signal.future.id == 0) return pump();
    WGPUFutureWaitInfo wait{signal.future, 0};
    gpu().InstanceWaitAny(handle_, 1, &wait, 0);
}

bool Instance::await(const Signal& signal, std::chrono::nanoseconds limit) {
    base::Backoff backoff(limit);
    while (!signal.fired) {
        look_for(signal);
        if (!signal.fired && !backoff.pause()) return false;
    }
    return true;
}

} // namespace ferry::detail
