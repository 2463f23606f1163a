// SPDX-License-Identifier: MIT
#pragma once

#include "core/operation.hpp"

namespace ferry::detail {

/// "The GPU is done with everything up to here" (onSubmittedWorkDone).
class DoneOperation final : public Operation {
public:
    explicit DoneOperation(std::shared_ptr<Core> core);
    ~DoneOperation() override;

    void settle() override;
    [[nodiscard]] Submission submission() const noexcept { return submission_; }

private:
    void let_go() noexcept override;

    Submission submission_{};
    Signal* signal_ = nullptr;
};

} // namespace ferry::detail
