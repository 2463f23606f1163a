// SPDX-License-Identifier: MIT
// Error scopes of a device: one stack per thread.
#pragma once

#include <optional>
#include <thread>
#include <vector>

#include "problem.hpp"

namespace ferry_fake {

class Scopes {
public:
    void push(WGPUErrorFilter filter);
    struct Popped {
        std::optional<Problem> problem;
    };
    // None when this thread has no open scope.
    std::optional<Popped> pop();
    // True when an open scope takes the problem.
    bool take(const Problem& problem);

private:
    struct Scope {
        std::thread::id thread;
        WGPUErrorFilter filter;
        std::optional<Problem> first; // later ones are dropped
    };
    std::vector<Scope> scopes_;
};

} // namespace ferry_fake
