// SPDX-License-Identifier: MIT
#include "core/operation.hpp"

#include <utility>

#include "base/backoff.hpp"
#include "base/error.hpp"

namespace ferry::detail {

using base::text;

Operation::Operation(std::shared_ptr<Core> core, std::string name)
    : core_(std::move(core)), name_(std::move(name)) {
    if (!core_) return;
    core_->watch(*this);
    note_submission();
}

void Operation::note_submission() noexcept { submission_ = core_->last_submission(); }

Operation::~Operation() {
    if (core_) core_->unwatch(*this);
}

OperationPtr Operation::failed(Error error) {
    auto operation = std::make_shared<Operation>(nullptr, std::string());
    operation->fail(std::move(error));
    return operation;
}

void Operation::fail(Error error) noexcept {
    if (!done_) end(std::move(error));
}

void Operation::end_with_device(const Error& reason) noexcept {
    if (!error_) end(reason);
}

void Operation::end(Error error) noexcept {
    error_ = std::move(error);
    done_ = true;
    let_go();
}

std::optional<Error> map_error(Core& core, const Signal& signal, std::string_view name) {
    if (auto lost = core.loss()) return lost;
    if (signal.status == WGPUMapAsyncStatus_Success) return std::nullopt;
    const bool aborted = signal.status == WGPUMapAsyncStatus_Aborted ||
                         signal.status == WGPUMapAsyncStatus_CallbackCancelled;
    Error error{aborted ? Errc::cancelled : Errc::engine,
                {},
                text(name, aborted ? " was cancelled by the engine." : " failed in the engine."),
                {},
                signal.message,
                {}};
    return error;
}

bool ready(const OperationPtr& waited) {
    const OperationPtr operation = waited; // a callback of the user's may drop the ticket
    if (Core* core = operation->core().get()) {
        core->pump();
        if (operation->done()) core->probe_loss(); // a result lives in the device's memory
        core->notice_loss();
    }
    return operation->done();
}

bool failed(const Operation& operation) noexcept { return operation.error().has_value(); }

Result<> wait(const OperationPtr& waited, std::chrono::nanoseconds limit,
              std::source_location where) {
    const OperationPtr operation = waited;
    base::Backoff backoff(limit);
    bool blocked = false;
    while (!ready(operation)) {
        if (!operation->submitted()) {
            return base::fail(
                Errc::not_submitted, "M-10",
                text(operation->name(), " waits for commands that were not submitted."),
                "Call Device::submit with the commands first, then wait.", where);
        }
        const bool newest = operation->submission() == operation->core()->last_submission();
        if (!std::exchange(blocked, true) && limit.count() > 0 && newest)
            operation->core()->note_wait();
        if (!backoff.pause()) {
            return base::fail(Errc::timeout, {},
                              text(operation->name(), " is not ready after ", limit.count() / 1000,
                                   " us; it goes on."),
                              "Wait longer, or ask again later with take().", where);
        }
    }
    return {};
}

void cancel(Operation* operation) noexcept {
    if (operation->done()) return;
    operation->fail(
        Error{Errc::cancelled, {}, text(operation->name(), " was cancelled."), {}, {}, {}});
}

Error too_small(std::size_t have_bytes, std::size_t need_bytes) {
    return {
        Errc::invalid_argument,
        {},
        text("The target holds (", have_bytes, ") bytes and the source has (", need_bytes, ")."),
        text("Give memory of at least ", need_bytes, " bytes."),
        {},
        {}};
}

Error no_outcome() {
    return {Errc::wrong_state,
            {},
            "The ticket is empty: its outcome was taken, or it never had one.",
            "Take the outcome of a ticket once.",
            {},
            {}};
}

} // namespace ferry::detail
