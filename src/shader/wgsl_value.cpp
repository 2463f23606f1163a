// SPDX-License-Identifier: MIT
#include "shader/wgsl_value.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <locale>
#include <sstream>
#include <utility>

namespace ferry::shader {
namespace {

using Kind = Number::Kind;
using Value = std::optional<Number>;

constexpr std::array<std::pair<std::string_view, ScalarKind>, 5> scalar_names{{
    {"bool", ScalarKind::boolean},
    {"i32", ScalarKind::i32},
    {"u32", ScalarKind::u32},
    {"f32", ScalarKind::f32},
    {"f16", ScalarKind::f16},
}};

bool is_float(ScalarKind type) { return type == ScalarKind::f32 || type == ScalarKind::f16; }

double largest(ScalarKind type) {
    if (type == ScalarKind::f16) return 65504.0;
    if (type == ScalarKind::f32) return static_cast<double>(std::numeric_limits<float>::max());
    return std::numeric_limits<double>::max();
}

bool in_range(std::int64_t value, ScalarKind type) {
    if (type == ScalarKind::i32) return std::in_range<std::int32_t>(value);
    if (type == ScalarKind::u32) return std::in_range<std::uint32_t>(value);
    return true;
}

Value integer_number(std::int64_t value, ScalarKind type) {
    if (!in_range(value, type)) return std::nullopt;
    return Number{Kind::integer, type, value, 0};
}

Value floating_number(double value, ScalarKind type) {
    if (!std::isfinite(value) || std::fabs(value) > largest(type)) return std::nullopt;
    return Number{Kind::floating, type, 0, value};
}

int digit_value(char letter) {
    if (letter >= '0' && letter <= '9') return letter - '0';
    const char lower = static_cast<char>(letter | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : 99;
}

Value integer_literal(std::string_view digits, int base, ScalarKind type) {
    std::int64_t value = 0;
    for (const char letter : digits) {
        const int digit = digit_value(letter);
        if (digit >= base || __builtin_mul_overflow(value, base, &value) ||
            __builtin_add_overflow(value, digit, &value)) {
            return std::nullopt;
        }
    }
    if (digits.empty()) return std::nullopt;
    return integer_number(value, type);
}

/// A stream, since it reads the same in every locale of the program.
Value decimal_literal(std::string_view digits, ScalarKind type) {
    std::istringstream stream{std::string(digits)};
    stream.imbue(std::locale::classic());
    double value = 0;
    stream >> value;
    if (stream.fail() || stream.peek() != std::istringstream::traits_type::eof()) {
        return std::nullopt;
    }
    return floating_number(value, type);
}

/// The power of two behind the `p` of a hexadecimal float; far out values are cut short.
std::optional<int> exponent_of(std::string_view digits) {
    const bool negative = digits.starts_with('-');
    if (negative || digits.starts_with('+')) digits.remove_prefix(1);
    if (digits.empty()) return 0;
    const auto value = integer_literal(digits, 10, ScalarKind::none);
    if (!value) return std::nullopt;
    const int size = static_cast<int>(std::min<std::int64_t>(value->integer, 100'000));
    return negative ? -size : size;
}

Value hexadecimal_float(std::string_view digits, ScalarKind type) {
    const std::size_t p = std::min(digits.find_first_of("pP"), digits.size());
    const auto exponent = exponent_of(digits.substr(std::min(p + 1, digits.size())));
    double mantissa = 0;
    int shift = 0;
    bool fraction = false;
    for (const char letter : digits.substr(0, p)) {
        const int digit = digit_value(letter);
        if (letter == '.' && !std::exchange(fraction, true)) continue;
        if (digit > 15 || shift < -100'000) return std::nullopt;
        mantissa = mantissa * 16 + digit;
        if (fraction) shift -= 4;
    }
    if (!exponent) return std::nullopt;
    return floating_number(std::ldexp(mantissa, *exponent + shift), type);
}

struct Literal {
    std::string_view digits;
    char suffix = '\0';
    bool hex = false;
};

Literal take_apart(std::string_view text) {
    Literal literal{text, '\0', text.starts_with("0x") || text.starts_with("0X")};
    if (literal.hex) literal.digits.remove_prefix(2);
    const bool has_exponent = literal.digits.find_first_of("pP") != std::string_view::npos;
    const std::string_view suffixes = literal.hex && !has_exponent ? "iu" : "iufh";
    if (!literal.digits.empty() && suffixes.find(text.back()) != std::string_view::npos) {
        literal.suffix = text.back();
        literal.digits.remove_suffix(1);
    }
    return literal;
}

Value number_literal(std::string_view text) {
    const Literal literal = take_apart(text);
    const ScalarKind type = literal.suffix == 'i'   ? ScalarKind::i32
                            : literal.suffix == 'u' ? ScalarKind::u32
                            : literal.suffix == 'f' ? ScalarKind::f32
                            : literal.suffix == 'h' ? ScalarKind::f16
                                                    : ScalarKind::none;
    const std::string_view marks = literal.hex ? ".pP" : ".eE";
    const bool floating =
        is_float(type) || literal.digits.find_first_of(marks) != std::string_view::npos;
    if (!floating) return integer_literal(literal.digits, literal.hex ? 16 : 10, type);
    if (type == ScalarKind::i32 || type == ScalarKind::u32) return std::nullopt;
    return literal.hex ? hexadecimal_float(literal.digits, type)
                       : decimal_literal(literal.digits, type);
}

enum class Operator : std::uint8_t {
    none,
    bit_or,
    bit_xor,
    bit_and,
    left,
    right,
    plus,
    minus,
    times,
    divide,
    modulo
};

int strength(Operator op) {
    switch (op) {
    case Operator::none: return 0;
    case Operator::bit_or: return 1;
    case Operator::bit_xor: return 2;
    case Operator::bit_and: return 3;
    case Operator::left:
    case Operator::right: return 4;
    case Operator::plus:
    case Operator::minus: return 5;
    default: return 6;
    }
}

Value integer_result(Operator op, std::int64_t a, std::int64_t b, ScalarKind type) {
    std::int64_t out = 0;
    bool failed = false;
    const bool divisible = b != 0 && !(b == -1 && a == std::numeric_limits<std::int64_t>::min());
    const bool shiftable =
        a >= 0 && b >= 0 && b < 32 && a <= std::numeric_limits<std::uint32_t>::max();
    switch (op) {
    case Operator::plus: failed = __builtin_add_overflow(a, b, &out); break;
    case Operator::minus: failed = __builtin_sub_overflow(a, b, &out); break;
    case Operator::times: failed = __builtin_mul_overflow(a, b, &out); break;
    case Operator::divide: failed = !divisible, out = failed ? 0 : a / b; break;
    case Operator::modulo: failed = !divisible, out = failed ? 0 : a % b; break;
    case Operator::left: failed = !shiftable, out = failed ? 0 : a << b; break;
    case Operator::right: failed = !shiftable, out = failed ? 0 : a >> b; break;
    case Operator::bit_and: out = a & b; break;
    case Operator::bit_or: out = a | b; break;
    case Operator::bit_xor: out = a ^ b; break;
    case Operator::none: failed = true; break;
    }
    return failed ? std::nullopt : integer_number(out, type);
}

Value floating_result(Operator op, double a, double b, ScalarKind type) {
    switch (op) {
    case Operator::plus: return floating_number(a + b, type);
    case Operator::minus: return floating_number(a - b, type);
    case Operator::times: return floating_number(a * b, type);
    case Operator::divide: return b == 0 ? Value{} : floating_number(a / b, type);
    case Operator::modulo: return b == 0 ? Value{} : floating_number(std::fmod(a, b), type);
    default: return std::nullopt;
    }
}

Value combined(Operator op, const Number& a, const Number& b) {
    if (a.kind == Kind::boolean || b.kind == Kind::boolean) return std::nullopt;
    const bool shift = op == Operator::left || op == Operator::right; // the amount is always u32
    const ScalarKind type = a.type == ScalarKind::none && !shift ? b.type : a.type;
    if (a.kind == Kind::integer && b.kind == Kind::integer && !is_float(type)) {
        return integer_result(op, a.integer, b.integer, type);
    }
    return floating_result(op, a.as_double(), b.as_double(), type);
}

Value negated(const Number& value) {
    if (value.kind == Kind::floating) return floating_number(-value.floating, value.type);
    if (value.kind == Kind::boolean) return std::nullopt;
    return integer_result(Operator::minus, 0, value.integer, value.type);
}

class Evaluator {
public:
    Evaluator(Tokens tokens, Names& names, int depth)
        : tokens_(tokens), names_(names), depth_(depth) {}

    Value run() {
        Value value = expression(1);
        return at_ == tokens_.size() ? value : std::nullopt;
    }

private:
    [[nodiscard]] bool at_end() const { return at_ >= tokens_.size(); }

    /// The operator at the cursor and its length in tokens.
    [[nodiscard]] std::pair<Operator, std::size_t> peek() const {
        if (at_end() || tokens_[at_].kind != TokenKind::punctuation) return {Operator::none, 0};
        if (is_shift(tokens_, at_)) {
            return {tokens_[at_].is('<') ? Operator::left : Operator::right, 2};
        }
        switch (tokens_[at_].text.front()) {
        case '|': return {Operator::bit_or, 1};
        case '^': return {Operator::bit_xor, 1};
        case '&': return {Operator::bit_and, 1};
        case '+': return {Operator::plus, 1};
        case '-': return {Operator::minus, 1};
        case '*': return {Operator::times, 1};
        case '/': return {Operator::divide, 1};
        case '%': return {Operator::modulo, 1};
        default: return {Operator::none, 0};
        }
    }

    Value expression(int weakest) {
        Value left = unary();
        while (left) {
            const auto [op, length] = peek();
            if (strength(op) < weakest) break;
            at_ += length;
            const Value right = expression(strength(op) + 1);
            left = right ? combined(op, *left, *right) : std::nullopt;
        }
        return left;
    }

    Value unary() {
        if (at_end()) return std::nullopt;
        bool minus = false;
        bool flip = false;
        for (; !at_end(); ++at_) { // a loop, so that a row of signs costs no stack
            if (tokens_[at_].is('-')) {
                minus = !minus;
            } else if (tokens_[at_].is('!')) {
                flip = !flip;
            } else {
                break;
            }
        }
        Value value = primary();
        if (value && flip) {
            if (value->kind != Kind::boolean) return std::nullopt;
            value->integer = 1 - value->integer;
        }
        return value && minus ? negated(*value) : value;
    }

    Value primary() {
        if (at_end()) return std::nullopt;
        const Token& token = tokens_[at_];
        if (token.kind == TokenKind::number) {
            ++at_;
            return number_literal(token.text);
        }
        if (token.is('(')) return bracketed();
        if (!token.is_name()) return std::nullopt;
        ++at_;
        if (token.text == "true" || token.text == "false") {
            return Number{Kind::boolean, ScalarKind::boolean, token.text == "true" ? 1 : 0, 0};
        }
        if (!at_end() && tokens_[at_].is('(')) return call(token.text);
        return depth_ < max_nesting ? names_.value_of(token.text, depth_ + 1) : std::nullopt;
    }

    /// What stands between the bracket at the cursor and its partner.
    Tokens take_inside() {
        const std::size_t begin = at_ + 1;
        at_ = skip(tokens_, at_);
        return tokens_.subspan(begin, at_ - begin - 1);
    }

    Value inner(Tokens tokens) {
        if (depth_ >= max_nesting) return std::nullopt;
        return Evaluator(tokens, names_, depth_ + 1).run();
    }

    Value bracketed() { return inner(take_inside()); }

    Value call(std::string_view function) {
        const std::vector<Tokens> arguments = split_at_commas(take_inside());
        if (arguments.empty() || arguments.size() > 2) return std::nullopt;
        const Value first = inner(arguments[0]);
        const Value second = arguments.size() == 2 ? inner(arguments[1]) : first;
        if (!first || !second) return std::nullopt;
        if (arguments.size() == 1) return of_one(function, *first);
        const bool first_less = first->as_double() < second->as_double();
        const ScalarKind type = first->type == ScalarKind::none ? second->type : first->type;
        if (function == "min") return converted(first_less ? *first : *second, type);
        if (function == "max") return converted(first_less ? *second : *first, type);
        return std::nullopt;
    }

    static Value of_one(std::string_view function, const Number& value) {
        if (function == "abs") return value.as_double() < 0 ? negated(value) : Value{value};
        const ScalarKind type = scalar_named(function);
        if (type == ScalarKind::none) return std::nullopt;
        const bool cuts = value.kind == Kind::floating && !is_float(type);
        const double whole = std::trunc(value.floating);
        if (cuts && std::fabs(whole) > 9e15) return std::nullopt;
        if (cuts) return converted(Number{Kind::integer, {}, std::int64_t(whole), 0}, type);
        return converted(value, type);
    }

    Tokens tokens_;
    Names& names_;
    int depth_;
    std::size_t at_ = 0;
};

} // namespace

ScalarKind Number::concrete_type() const noexcept {
    if (type != ScalarKind::none) return type;
    if (kind == Kind::boolean) return ScalarKind::boolean;
    return kind == Kind::floating ? ScalarKind::f32 : ScalarKind::i32;
}

std::optional<std::uint32_t> Number::as_u32() const noexcept {
    if (kind != Kind::integer || !std::in_range<std::uint32_t>(integer)) return std::nullopt;
    return static_cast<std::uint32_t>(integer);
}

ScalarKind scalar_named(std::string_view name) noexcept {
    const auto same = [&](const auto& each) { return each.first == name; };
    const auto found = std::ranges::find_if(scalar_names, same);
    return found == scalar_names.end() ? ScalarKind::none : found->second;
}

std::optional<Number> converted(const Number& number, ScalarKind type) noexcept {
    if (type == ScalarKind::none) return number;
    if (is_float(type)) return floating_number(number.as_double(), type);
    if (type == ScalarKind::boolean) {
        return Number{Kind::boolean, type, number.as_double() != 0 ? 1 : 0, 0};
    }
    if (number.kind == Kind::floating) return std::nullopt;
    return integer_number(number.integer, type);
}

std::optional<Number> number_of(double value, ScalarKind type) noexcept {
    if (!std::isfinite(value)) return std::nullopt;
    const bool whole = value == std::trunc(value) && std::fabs(value) < 9e15;
    if (type == ScalarKind::boolean || is_float(type) || !whole) {
        return converted(Number{Kind::floating, {}, 0, value}, type);
    }
    return integer_number(static_cast<std::int64_t>(value), type);
}

std::optional<Number> evaluate(Tokens expression, Names& names, int depth) {
    return Evaluator(expression, names, depth).run();
}

} // namespace ferry::shader
