// SPDX-License-Identifier: MIT
#pragma once

#include <utility>

#include "base/text.hpp"
#include "ferry/error.hpp"

namespace ferry::base {

[[nodiscard]] inline std::unexpected<Error> fail(Errc code, std::string_view rule, std::string what,
                                                 std::string fix = {},
                                                 std::source_location where = {}) {
    return std::unexpected(Error{code, rule, std::move(what), std::move(fix), {}, where});
}

/// The same error with one more "while ..." line.
[[nodiscard]] inline std::unexpected<Error> fail(Error error, std::string_view context) {
    if (!error.trail.empty()) error.trail += '\n';
    error.trail += context;
    return std::unexpected(std::move(error));
}

} // namespace ferry::base
