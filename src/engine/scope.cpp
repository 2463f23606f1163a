// SPDX-License-Identifier: MIT
#include "engine/scope.hpp"

#include "base/error.hpp"

namespace ferry::detail {

using base::fail;
using base::text;

namespace {

/// Dawn answers a wait of zero, wgpu-native inside the pop; more than this means that it never
/// will.
constexpr std::chrono::seconds patience{5};

Error from_engine(const Signal& signal, const base::Clause& doing) {
    // wgpu-native reports a dead device, and some lack of memory, as a validation error.
    const bool lost = signal.message.find("device is lost") != std::string::npos ||
                      signal.message.find("Device is lost") != std::string::npos;
    Error error;
    if (lost) {
        error = {Errc::device_lost,
                 {},
                 text("The device is lost while ", doing, '.'),
                 "Open a new device and make its objects again.",
                 {},
                 {}};
    } else if (signal.type == WGPUErrorType_OutOfMemory ||
               signal.message.find("Not enough memory left") != std::string::npos) {
        error = {Errc::out_of_memory,
                 {},
                 text("The device is out of memory while ", doing, '.'),
                 "Free buffers with destroy(), or work in smaller pieces.",
                 {},
                 {}};
    } else {
        error = {Errc::engine, {}, text("The engine refuses ", doing, '.'), {}, {}, {}};
    }
    error.trail = signal.message;
    return error;
}

} // namespace

Scope::Scope(Instance& instance, WGPUDevice device, Catch what)
    : instance_(instance), device_(device), open_(what == Catch::validation ? 1 : 2) {
    if (open_ == 2) instance_.gpu().DevicePushErrorScope(device_, WGPUErrorFilter_OutOfMemory);
    instance_.gpu().DevicePushErrorScope(device_, WGPUErrorFilter_Validation);
}

Scope::~Scope() {
    while (open_ > 0) {
        (void)pop({"an abandoned step"});
    }
}

Result<> Scope::close(const base::Clause& doing) {
    Result<> first;
    while (open_ > 0) {
        auto verdict = pop(doing);
        if (first && !verdict) first = std::move(verdict);
    }
    return first;
}

Result<> Scope::nothing_made(const base::Clause& doing) {
    return fail(Errc::engine, {}, text("The engine gives nothing and no reason while ", doing, '.'),
                "Try again; if it stays so, use another engine or driver.");
}

Result<> Scope::pop(const base::Clause& doing) {
    --open_;
    Signal* signal = instance_.signals().take();
    instance_.asked(signal,
                    instance_.gpu().DevicePopErrorScope(device_, Signals::scope_info(signal)));
    Result<> verdict;
    if (!signal->fired && !instance_.await(*signal, patience)) {
        verdict = fail(Errc::engine, {}, text("The engine does not answer after ", doing, '.'),
                       "The engine is stuck; end the process.");
    } else if (signal->status == 0) {
        verdict =
            fail(Errc::engine, {}, text("The engine refuses to say how it went: ", doing, '.'));
    } else if (signal->status != WGPUPopErrorScopeStatus_Success) {
        verdict = fail(Errc::device_lost, "A-11",
                       text("The engine's error scope is gone after ", doing, '.'),
                       "Open a new device and make its objects again.");
    } else if (signal->type != WGPUErrorType_NoError) {
        verdict = std::unexpected(from_engine(*signal, doing));
    }
    instance_.signals().give_back(signal);
    return verdict;
}

} // namespace ferry::detail
