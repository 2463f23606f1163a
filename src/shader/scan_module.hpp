// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "shader/wgsl_value.hpp"

namespace ferry::shader {

enum class DeclarationKind : std::uint8_t {
    function,
    variable,
    constant,
    override_constant,
    structure,
    alias,
};

/// `@name` or `@name(arguments)`.
struct Attribute {
    const Token* name = nullptr;
    Tokens arguments{};
};

/// One module-scope declaration, cut into its parts but not understood.
struct Declaration {
    DeclarationKind kind = DeclarationKind::constant;
    const Token* name = nullptr;
    std::vector<Attribute> attributes{};
    Tokens space{};   ///< variables: what stands in `var<...>`
    Tokens type{};    ///< variables, constants, aliases: the type; functions: all of the result
    Tokens value{};   ///< the initialiser
    Tokens members{}; ///< functions: the parameters; structs: the members
    Tokens body{};    ///< functions

    [[nodiscard]] const Attribute* attribute(std::string_view wanted) const;
};

/// The declarations of a text, in order. Refers to the text and to its tokens.
struct Module {
    std::string_view source{};
    std::vector<Declaration> declarations{};
    std::unordered_map<std::string_view, std::size_t> by_name{}; ///< the first of each name
    std::vector<std::string> enables{};
    std::vector<std::string> requirements{};

    [[nodiscard]] const Declaration* find(std::string_view name) const;
};

/// Cuts tokens into declarations; passes over what it does not know.
[[nodiscard]] Module read_module(std::string_view source, Tokens tokens);

/// Reads the attributes from `at` on, which moves behind them.
[[nodiscard]] std::vector<Attribute> read_attributes(Tokens tokens, std::size_t& at);

/// The type behind a name that is an alias, or an alias of one; any other type as it is.
[[nodiscard]] Tokens without_aliases(const Module& module, Tokens type);

/// The values of a module's `const` declarations. Overrides have none here.
class Constants final : public Names {
public:
    explicit Constants(const Module& module);

    std::optional<Number> value_of(std::string_view name, int depth) override;

    /// The value of the initialiser of a `const` or `override`, in its declared type.
    [[nodiscard]] std::optional<Number> value_of(const Declaration& declaration, int depth = 0);

    /// The scalar that a declared type names, aliases followed; `none` when it names no scalar.
    [[nodiscard]] ScalarKind scalar_of(Tokens type) const;

private:
    enum class State : std::uint8_t { unknown, busy, done };
    struct Entry {
        State state = State::unknown;
        std::optional<Number> value{};
    };

    const Module& module_;
    std::vector<Entry> entries_;
};

} // namespace ferry::shader
