// SPDX-License-Identifier: MIT
#pragma once

#include <source_location>
#include <utility>

#include "ferry/error.hpp"

namespace ferry::base {

/// The error as the caller's: it names the line of his call.
template <class T>
[[nodiscard]] Result<T> located(Result<T> result, std::source_location where) {
    if (!result) result.error().where = where;
    return result;
}

} // namespace ferry::base
