// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "ferry/shader.hpp"
#include "shader/wgsl_tokens.hpp"

namespace ferry::shader {

/// How deep types, expressions and chains of names may nest.
inline constexpr int max_nesting = 64;

/// A number that the scan has worked out. `type` is `none` while WGSL calls it abstract.
struct Number {
    enum class Kind : std::uint8_t { integer, floating, boolean };

    Kind kind = Kind::integer;
    ScalarKind type = ScalarKind::none;
    std::int64_t integer = 0; ///< integers; booleans as 0 and 1
    double floating = 0;

    [[nodiscard]] double as_double() const noexcept {
        return kind == Kind::floating ? floating : static_cast<double>(integer);
    }
    /// The type that a declaration without one takes from this value.
    [[nodiscard]] ScalarKind concrete_type() const noexcept;
    /// The value as an integer that fits 32 bits without sign.
    [[nodiscard]] std::optional<std::uint32_t> as_u32() const noexcept;
};

/// What the names in an expression stand for.
class Names {
public:
    virtual ~Names() = default;
    /// Empty when the name has no value that the scan can tell. `depth` counts nesting so far.
    virtual std::optional<Number> value_of(std::string_view name, int depth) = 0;
};

/// The scalar type of that name; `none` when it is not one.
[[nodiscard]] ScalarKind scalar_named(std::string_view name) noexcept;

/// The value in the range of a scalar type; empty when it does not fit. `type` none changes
/// nothing.
[[nodiscard]] std::optional<Number> converted(const Number& number, ScalarKind type) noexcept;

/// A host value for a constant of that type; empty when the type cannot hold it exactly enough.
[[nodiscard]] std::optional<Number> number_of(double value, ScalarKind type) noexcept;

/// Works out an expression of numbers, names, + - * / % << >> & | ^, unary - and !, parentheses,
/// scalar conversions, min, max and abs. Empty for all else, on overflow and on nesting too deep.
[[nodiscard]] std::optional<Number> evaluate(Tokens expression, Names& names, int depth = 0);

} // namespace ferry::shader
