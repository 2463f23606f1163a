// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/core.hpp"
#include "ferry/ticket.hpp"

namespace ferry::detail {

/// One asynchronous result on its way. It has exactly one outcome, set once by `finish` or `fail`.
class Operation : public std::enable_shared_from_this<Operation> {
public:
    /// `name`: a noun phrase for messages, "The read of 4 bytes of buffer \"x\"".
    Operation(std::shared_ptr<Core> core, std::string name);
    Operation(const Operation&) = delete;
    Operation& operator=(const Operation&) = delete;
    virtual ~Operation();

    /// An operation that ended before it began.
    [[nodiscard]] static OperationPtr failed(Error error);

    /// Looks whether the engine has answered.
    virtual void settle() {}
    /// Whether the commands that it depends on were sent.
    [[nodiscard]] virtual bool submitted() const { return true; }

    void fail(Error error) noexcept;
    /// The device is gone: memory that waited to be taken is gone as well.
    void end_with_device(const Error& reason) noexcept;

    /// The newest submission that it waits for; waiting for the newest of all empties the queue.
    [[nodiscard]] std::uint64_t submission() const noexcept { return submission_; }

    [[nodiscard]] bool done() const noexcept { return done_; }
    [[nodiscard]] const std::optional<Error>& error() const noexcept { return error_; }
    [[nodiscard]] const std::string& name() const noexcept { return name_; }
    [[nodiscard]] const std::shared_ptr<Core>& core() const noexcept { return core_; }

protected:
    /// What it depends on was sent just now.
    void note_submission() noexcept;
    void finish() noexcept { done_ = true; }
    /// The operation ended without a value: let go of what it holds on the GPU.
    virtual void let_go() noexcept {}

private:
    void end(Error error) noexcept;

    friend class Core;
    std::size_t place_ = 0; ///< in the core's list
    std::shared_ptr<Core> core_;
    std::string name_;
    std::optional<Error> error_;
    std::uint64_t submission_ = 0;
    bool done_ = false;
};

/// The answer of a map request as an error, if it is one: "success" after a loss is none (rule
/// M-13).
[[nodiscard]] std::optional<Error> map_error(Core& core, const Signal& signal,
                                             std::string_view name);

} // namespace ferry::detail
