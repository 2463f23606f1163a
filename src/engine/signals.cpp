// SPDX-License-Identifier: MIT
#include "engine/signals.hpp"

namespace ferry::detail {

Signal* Signals::take() {
    if (free_.empty()) {
        free_.push_back(&all_.emplace_back());
        if (free_.capacity() < all_.size())
            free_.reserve(2 * all_.size()); // recycle never allocates
        free_.back()->home = this;
    }
    Signal* signal = free_.back();
    free_.pop_back();
    signal->fired = false;
    signal->object = nullptr;
    signal->message.clear();
    signal->future = {};
    signal->owed = true;
    signal->kept = true;
    ++owed_;
    return signal;
}

void Signals::recycle(Signal* signal) noexcept {
    if (signal->owed || signal->kept) return;
    ++signal->generation;
    free_.push_back(signal);
}

void Signals::asked(Signal* signal, WGPUFuture future, bool engine_has_futures) noexcept {
    signal->future = future;
    if (future.id != 0 || signal->fired || !engine_has_futures) return;
    signal->status = 0;
    signal->fired = true;
    signal->owed = false;
    ++delivered_;
    --owed_;
}

void Signals::give_back(Signal* signal) noexcept {
    signal->kept = false;
    recycle(signal);
}

void Signals::owed(std::vector<WGPUFutureWaitInfo>& out) const {
    out.clear();
    for (const Signal& signal : all_) {
        if (signal.owed && signal.future.id != 0) out.push_back({signal.future, false});
    }
}

void Signals::abandon(Signals* signals) noexcept {
    signals->abandoned_ = true;
    if (signals->owed_ == 0) delete signals;
}

bool Signals::store(void* userdata1, void* userdata2, std::uint32_t status, WGPUStringView message,
                    std::uint32_t type, void* object) noexcept {
    auto* signal = static_cast<Signal*>(userdata1);
    if (!signal->owed || signal->generation != reinterpret_cast<std::uintptr_t>(userdata2))
        return false;
    signal->status = status;
    signal->type = type;
    signal->object = object;
    try {
        signal->message = view(message);
    } catch (...) {
        signal->message.clear(); // no exception may pass through the engine
    }
    signal->fired = true;
    signal->owed = false;
    const bool looked_at = signal->kept;
    Signals* home = signal->home;
    ++home->delivered_;
    --home->owed_;
    home->recycle(signal);
    if (home->abandoned_ && home->owed_ == 0) delete home;
    return looked_at;
}

const EngineTable& Signals::gpu_of(void* userdata1) noexcept {
    return *static_cast<Signal*>(userdata1)->home->gpu_;
}

WGPUBufferMapCallbackInfo Signals::map_info(Signal* signal) noexcept {
    return info<WGPUBufferMapCallbackInfo>(
        signal, [](WGPUMapAsyncStatus status, WGPUStringView message, void* one, void* two) {
            (void)store(one, two, status, message);
        });
}

WGPUPopErrorScopeCallbackInfo Signals::scope_info(Signal* signal) noexcept {
    return info<WGPUPopErrorScopeCallbackInfo>(
        signal, [](WGPUPopErrorScopeStatus status, WGPUErrorType type, WGPUStringView message,
                   void* one, void* two) { (void)store(one, two, status, message, type); });
}

WGPUQueueWorkDoneCallbackInfo Signals::done_info(Signal* signal) noexcept {
    return info<WGPUQueueWorkDoneCallbackInfo>(
        signal, [](WGPUQueueWorkDoneStatus status, WGPUStringView message, void* one, void* two) {
            (void)store(one, two, status, message);
        });
}

WGPURequestAdapterCallbackInfo Signals::adapter_info(Signal* signal) noexcept {
    return info<WGPURequestAdapterCallbackInfo>(
        signal, [](WGPURequestAdapterStatus status, WGPUAdapter adapter, WGPUStringView message,
                   void* one, void* two) {
            const EngineTable& gpu = gpu_of(one);
            if (!store(one, two, status, message, 0, adapter) && adapter != nullptr)
                gpu.AdapterRelease(adapter);
        });
}

WGPURequestDeviceCallbackInfo Signals::device_info(Signal* signal) noexcept {
    return info<WGPURequestDeviceCallbackInfo>(signal, [](WGPURequestDeviceStatus status,
                                                          WGPUDevice device, WGPUStringView message,
                                                          void* one, void* two) {
        const EngineTable& gpu = gpu_of(one);
        if (!store(one, two, status, message, 0, device) && device != nullptr)
            gpu.DeviceRelease(device);
    });
}

} // namespace ferry::detail
