// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace ferry::shader {

enum class TokenKind : std::uint8_t { identifier, number, punctuation };

/// One token. Punctuation is always a single byte: `>>` is two tokens, since only its place tells
/// whether it closes two templates or shifts.
struct Token {
    std::string_view text{};
    std::uint32_t line = 0;
    std::uint32_t to_close = 0; ///< on ( [ {: how many tokens further its partner stands, else 0
    TokenKind kind = TokenKind::punctuation;

    [[nodiscard]] bool is(char mark) const noexcept {
        return kind == TokenKind::punctuation && text.front() == mark;
    }
    [[nodiscard]] bool is_name() const noexcept { return kind == TokenKind::identifier; }
    [[nodiscard]] bool is_name(std::string_view name) const noexcept {
        return is_name() && text == name;
    }
};

using Tokens = std::span<const Token>;

/// Splits a WGSL text. The tokens refer to it. Fails on a comment or bracket without its partner,
/// on bytes that are not UTF-8 and on texts over 4 MiB.
[[nodiscard]] Result<std::vector<Token>> tokenize(std::string_view source);

/// The index behind the token at `at`, or behind its partner when it opens a bracket.
[[nodiscard]] std::size_t skip(Tokens tokens, std::size_t at) noexcept;

/// Whether `<<` or `>>` stands at `at`, written without a blank between.
[[nodiscard]] bool is_shift(Tokens tokens, std::size_t at) noexcept;

/// The index of the next `mark` from `at` that stands outside brackets, or the number of tokens.
[[nodiscard]] std::size_t find_outside(Tokens tokens, std::size_t at, char mark) noexcept;

/// The same for a comma, which must stand outside template lists as well.
[[nodiscard]] std::size_t find_comma(Tokens tokens, std::size_t at) noexcept;

/// The index behind the `>` that closes the template list opened at `at`, or 0 when none does.
[[nodiscard]] std::size_t template_end(Tokens tokens, std::size_t at) noexcept;

/// The parts between commas, as `find_comma` sees them; a trailing comma ends the last part.
[[nodiscard]] std::vector<Tokens> split_at_commas(Tokens tokens);

/// The text that the tokens cover, blanks and comments shortened to one blank.
[[nodiscard]] std::string as_written(Tokens tokens);

/// The tokens as a type is usually written: "array<vec4<f32>, 16>".
[[nodiscard]] std::string as_type_name(Tokens tokens);

} // namespace ferry::shader
