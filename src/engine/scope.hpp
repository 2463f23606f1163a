// SPDX-License-Identifier: MIT
#pragma once

#include "base/text.hpp"
#include "engine/instance.hpp"

namespace ferry::detail {

/// Catches the errors of engine calls made while it is open: validation, and out-of-memory when
/// `memory` is asked for. Opened and closed inside one call, on one thread (rule A-11).
class Scope {
public:
    enum class Catch : bool { validation, validation_and_memory };

    Scope(Instance& instance, WGPUDevice device, Catch what);
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
    ~Scope();

    /// The verdict, read before this returns. `doing` is a clause: "creating buffer \"x\"".
    /// Errors: `engine`, `out_of_memory`, `device_lost`, with the engine's words in the trail.
    [[nodiscard]] Result<> close(const base::Clause& doing);
    /// As `close`, for a call that makes something: null without an error is an error, too.
    template <class Held>
    [[nodiscard]] Result<> close(const base::Clause& doing, const Held& made) {
        auto verdict = close(doing);
        return verdict && !made ? nothing_made(doing) : verdict;
    }

private:
    [[nodiscard]] static Result<> nothing_made(const base::Clause& doing);
    [[nodiscard]] Result<> pop(const base::Clause& doing);

    Instance& instance_;
    WGPUDevice device_;
    int open_;
};

} // namespace ferry::detail
