// SPDX-License-Identifier: MIT
#include "core/done.hpp"

#include "base/error.hpp"

namespace ferry::detail {

using base::text;

DoneOperation::DoneOperation(std::shared_ptr<Core> core)
    : Operation(std::move(core), "The end of the work submitted so far"),
      submission_{this->core()->last_submission()} {
    signal_ = this->core()->instance().signals().take();
    this->core()->instance().asked(
        signal_, this->core()->gpu().QueueOnSubmittedWorkDone(this->core()->queue(),
                                                              Signals::done_info(signal_)));
}

DoneOperation::~DoneOperation() { let_go(); }

void DoneOperation::settle() {
    if (signal_ == nullptr || !signal_->fired) return;
    const bool success = signal_->status == WGPUQueueWorkDoneStatus_Success;
    Error error{
        Errc::engine,     {}, text(name(), " is not known: the engine reports an error."), {},
        signal_->message, {}};
    let_go();
    if (auto lost = core()->loss())
        return fail(*std::move(lost)); // engines report success here
    if (!success) return fail(std::move(error));
    finish();
}

void DoneOperation::let_go() noexcept {
    if (signal_ != nullptr) core()->instance().signals().give_back(std::exchange(signal_, nullptr));
}

Result<Submission> Outcome<Submission>::take(Operation& operation) {
    if (operation.error()) return std::unexpected(*operation.error());
    return static_cast<DoneOperation&>(operation).submission();
}

} // namespace ferry::detail
