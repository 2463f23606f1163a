// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <expected>
#include <source_location>
#include <string>
#include <string_view>

#include "ferry/export.hpp"

namespace ferry {

/// What a program switches on. Values are only ever appended.
enum class Errc : std::uint8_t {
    invalid_argument, ///< a number, a range or a combination that no state would make legal
    wrong_state,      ///< legal in itself, but not now: mapped, pending, destroyed, closed
    not_submitted,    ///< the commands that this result depends on were never submitted
    busy,             ///< nothing free right now; try again later
    unsupported,      ///< this engine, adapter or build cannot do it
    limit_exceeded,   ///< over a limit of the device
    out_of_memory,    ///< the device or the host has no room
    timeout,          ///< the time limit passed; the operation goes on
    cancelled,        ///< ended by `cancel`, `close` or by dropping the commands
    device_lost,      ///< the device is gone; make a new one
    io,               ///< a file or a stream
    engine,           ///< the engine reported an error of its own
    internal,         ///< a defect in ferry
};

/// The code's name as it is spelled above, for logs and JSON. Never empty.
[[nodiscard]] FERRY_API std::string_view name(Errc code) noexcept;

/// Why something did not happen. Every public function that can fail returns one of these.
struct Error {
    Errc code = Errc::internal;
    std::string_view
        rule{};          ///< id of the WebGPU rule that was broken ("M-05"), or empty; static text
    std::string what{};  ///< what happened: one present-tense sentence with its values and units
    std::string fix{};   ///< what to do about it; empty where the caller cannot act
    std::string trail{}; ///< "while ..." lines, innermost first; may hold the engine's own words
    std::source_location
        where{}; ///< the line of the call that failed; line 0 where it is not known
};

/// The error as lines of text: what, fix, trail, where. For a terminal or a log.
[[nodiscard]] FERRY_API std::string to_string(const Error& error);

/// The result of everything that can fail. `value()` throws `std::bad_expected_access<Error>`;
/// `if (!result)` and `result.error()` do not.
template <class T = void>
using Result = std::expected<T, Error>;

} // namespace ferry
