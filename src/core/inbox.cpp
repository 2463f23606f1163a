// SPDX-License-Identifier: MIT
#include "core/inbox.hpp"

#include <utility>

#include "base/text.hpp"

namespace ferry::detail {

using base::text;

namespace {
constexpr std::size_t most_errors = 64; // a loop that fails each frame must not fill the memory
}

void Inbox::report_loss(std::string_view reason) noexcept try {
    const std::lock_guard lock(mutex_);
    if (lost()) return;
    reason_ = reason;
    lost_.store(true, std::memory_order_release);
} catch (...) { // no memory for the reason; no exception may pass through the engine
    lost_.store(true, std::memory_order_release);
}

void Inbox::report_error(WGPUErrorType type, std::string_view message) noexcept try {
    const Errc code = type == WGPUErrorType_OutOfMemory ? Errc::out_of_memory : Errc::engine;
    const std::lock_guard lock(mutex_);
    error_count_.fetch_add(1, std::memory_order_release);
    if (errors_.size() == most_errors) {
        ++dropped_;
        return;
    }
    errors_.push_back({code,
                       {},
                       "The engine reports an error outside of any ferry call.",
                       "Look at the engine calls of your own, on raw handles.",
                       std::string(message),
                       {}});
} catch (...) {
    ++dropped_;
}

std::string Inbox::loss_reason() const {
    const std::lock_guard lock(mutex_);
    return reason_;
}

Error Inbox::take_newest() {
    const std::lock_guard lock(mutex_);
    if (errors_.empty()) return {Errc::engine, {}, "The engine reports an error.", {}, {}, {}};
    Error newest = std::move(errors_.back());
    errors_.pop_back();
    return newest;
}

std::vector<Error> Inbox::take_errors() {
    const std::lock_guard lock(mutex_);
    std::vector<Error> out = std::exchange(errors_, {});
    if (dropped_ > 0) {
        out.push_back({Errc::engine,
                       {},
                       text("The engine reported ", dropped_, " more errors."),
                       "Take the errors more often.",
                       {},
                       {}});
        dropped_ = 0;
    }
    return out;
}

void Inbox::listen(WGPUDeviceDescriptor& descriptor) noexcept {
    auto& lost = descriptor.deviceLostCallbackInfo;
    lost.mode = WGPUCallbackMode_AllowSpontaneous;
    lost.userdata1 = this;
    lost.callback = [](const WGPUDevice*, WGPUDeviceLostReason, WGPUStringView message, void* inbox,
                       void*) { static_cast<Inbox*>(inbox)->report_loss(view(message)); };
    auto& error = descriptor.uncapturedErrorCallbackInfo;
    error.userdata1 = this;
    error.callback = [](const WGPUDevice*, WGPUErrorType type, WGPUStringView message, void* inbox,
                        void*) { static_cast<Inbox*>(inbox)->report_error(type, view(message)); };
}

} // namespace ferry::detail
