// SPDX-License-Identifier: MIT
#include "scopes.hpp"

#include <algorithm>

namespace ferry_fake {

namespace {

bool fits(WGPUErrorFilter filter, WGPUErrorType type) {
    switch (filter) {
    case WGPUErrorFilter_Validation: return type == WGPUErrorType_Validation;
    case WGPUErrorFilter_OutOfMemory: return type == WGPUErrorType_OutOfMemory;
    case WGPUErrorFilter_Internal: return type == WGPUErrorType_Internal;
    default: return false;
    }
}

} // namespace

void Scopes::push(WGPUErrorFilter filter) {
    scopes_.push_back({std::this_thread::get_id(), filter, {}});
}

std::optional<Scopes::Popped> Scopes::pop() {
    const auto mine = [](const Scope& scope) { return scope.thread == std::this_thread::get_id(); };
    const auto top = std::find_if(scopes_.rbegin(), scopes_.rend(), mine);
    if (top == scopes_.rend()) return std::nullopt;
    Popped popped{std::move(top->first)};
    scopes_.erase(std::next(top).base());
    return popped;
}

bool Scopes::take(const Problem& problem) {
    const auto takes = [&](const Scope& scope) {
        return scope.thread == std::this_thread::get_id() && fits(scope.filter, problem.type);
    };
    const auto scope = std::find_if(scopes_.rbegin(), scopes_.rend(), takes);
    if (scope == scopes_.rend()) return false;
    if (!scope->first) scope->first = problem;
    return true;
}

} // namespace ferry_fake
