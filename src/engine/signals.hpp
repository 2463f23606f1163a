// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "engine/table.hpp"

namespace ferry::detail {

class Signals;

/// What one asynchronous call of the engine answered. Callbacks only store here.
struct Signal {
    bool fired = false;
    std::uint32_t status = 0;
    std::uint32_t type = 0; ///< of an error scope
    void* object = nullptr; ///< adapter or device
    std::string message{};

    WGPUFuture future{};
    Signals* home = nullptr;
    std::uintptr_t generation = 0; ///< tells a late or second callback from an expected one
    bool owed = false;             ///< the engine has still to call
    bool kept = false;             ///< somebody here still looks at it
};

/// The signals of one instance. An address handed to an engine stays good until the engine has
/// called back or is gone, whatever happens to the objects on this side.
class Signals {
public:
    explicit Signals(const EngineTable& gpu) noexcept : gpu_(&gpu) {}
    Signals(const Signals&) = delete;
    Signals& operator=(const Signals&) = delete;

    [[nodiscard]] Signal* take();
    /// The call of `signal` was made and answered this future. Without one, where the engine has
    /// futures, it was refused: the signal fires at once with the status 0, which is no status.
    void asked(Signal* signal, WGPUFuture future, bool engine_has_futures) noexcept;
    /// Done looking. The signal is reused once the engine has called.
    void give_back(Signal* signal) noexcept;

    /// Futures of the calls that are owed.
    void owed(std::vector<WGPUFutureWaitInfo>& out) const;
    [[nodiscard]] std::size_t owed_count() const noexcept { return owed_; }
    /// How many callbacks have come so far.
    [[nodiscard]] std::uint64_t delivered() const noexcept { return delivered_; }

    /// For an instance that outlives us: frees this object when the last callback has come.
    static void abandon(Signals* signals) noexcept;

    template <class Info, class Callback>
    [[nodiscard]] static Info info(Signal* signal, Callback callback) noexcept {
        Info out{};
        out.mode = WGPUCallbackMode_AllowProcessEvents;
        out.callback = callback;
        out.userdata1 = signal;
        out.userdata2 = reinterpret_cast<void*>(signal->generation);
        return out;
    }

    [[nodiscard]] static WGPUBufferMapCallbackInfo map_info(Signal* signal) noexcept;
    [[nodiscard]] static WGPUPopErrorScopeCallbackInfo scope_info(Signal* signal) noexcept;
    [[nodiscard]] static WGPUQueueWorkDoneCallbackInfo done_info(Signal* signal) noexcept;
    [[nodiscard]] static WGPURequestAdapterCallbackInfo adapter_info(Signal* signal) noexcept;
    [[nodiscard]] static WGPURequestDeviceCallbackInfo device_info(Signal* signal) noexcept;

private:
    /// Says whether anybody looks at it; what nobody looks at is released by the caller.
    [[nodiscard]] static bool store(void* userdata1, void* userdata2, std::uint32_t status,
                                    WGPUStringView message, std::uint32_t type = 0,
                                    void* object = nullptr) noexcept;
    void recycle(Signal* signal) noexcept;

    [[nodiscard]] static const EngineTable& gpu_of(void* userdata1) noexcept;

    const EngineTable* gpu_;
    std::deque<Signal> all_; // stable addresses
    std::vector<Signal*> free_;
    std::size_t owed_ = 0;
    std::uint64_t delivered_ = 0;
    bool abandoned_ = false;
};

} // namespace ferry::detail
