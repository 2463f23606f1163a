// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace ferry::shader {

/// What an engine counts columns in. naga counts characters, Tint counts bytes.
enum class ColumnUnit : std::uint8_t { characters, bytes };

/// The first fault of an engine's message about a WGSL text. Line and column count from 1.
struct WgslErrorLocation {
    std::uint32_t line = 0;
    std::uint32_t column = 0;
    std::string message; ///< what is wrong, without location, label or source lines
    ColumnUnit unit = ColumnUnit::characters;
};

/// Reads the message of naga (wgpu-native) or Tint (Dawn); empty when it names no place.
[[nodiscard]] std::optional<WgslErrorLocation> locate_wgsl_error(std::string_view engine_message);

/// Length in bytes of the line break that starts at `at`, or 0. WGSL has eight kinds of them.
[[nodiscard]] std::size_t line_break_length(std::string_view source, std::size_t at) noexcept;

/// Length in bytes of the valid UTF-8 sequence that starts at `at`, or 0.
[[nodiscard]] std::size_t utf8_length(std::string_view text, std::size_t at) noexcept;

/// The source line with a mark under the column (in characters), ready for a terminal:
///
///       3 |     let a = x + 1;
///         |             ^
///
/// A long line is cut around the mark. Empty when the text has no such line.
[[nodiscard]] std::string quote_source_line(std::string_view source, std::uint32_t line,
                                            std::uint32_t column);

/// The same for an engine's fault, whatever it counts columns in.
[[nodiscard]] std::string quote_source_line(std::string_view source,
                                            const WgslErrorLocation& location);

/// A name or an expression of the source as it may stand in a message: shortened when long.
[[nodiscard]] std::string shown(std::string_view name);

/// A fault of the WGSL text. `at` is a part of `source`; its line and column end the sentence
/// `what`, which comes without a period, and its source line goes into the trail.
[[nodiscard]] std::unexpected<Error> fail_at(Errc code, std::string_view source,
                                             std::string_view at, std::string_view what,
                                             std::string fix, std::source_location where = {});

} // namespace ferry::shader
