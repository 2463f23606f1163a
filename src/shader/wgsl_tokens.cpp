// SPDX-License-Identifier: MIT
#include "shader/wgsl_tokens.hpp"

#include <algorithm>

#include "shader/wgsl_errors.hpp"

namespace ferry::shader {
namespace {

constexpr std::size_t max_source_bytes = std::size_t{4} << 20;

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

/// Bytes from 0x80 on belong to names; blanks among them are looked for first.
bool is_name_byte(char letter) {
    const char lower = static_cast<char>(letter | 0x20);
    return (lower >= 'a' && lower <= 'z') || is_digit(letter) || letter == '_' ||
           static_cast<unsigned char>(letter) >= 0x80;
}

/// Length of a blank that is no line break: space, tab, the two direction marks, byte order mark.
std::size_t blank_length(std::string_view source, std::size_t at) {
    if (source[at] == ' ' || source[at] == '\t') return 1;
    const std::string_view three = source.substr(at, 3);
    return three == "\u200e" || three == "\u200f" || three == "\ufeff" ? 3 : 0;
}

class Lexer {
public:
    explicit Lexer(std::string_view source) : source_(source) {}

    Result<std::vector<Token>> run() {
        if (source_.size() > max_source_bytes) return fail_too_long();
        while (at_ < source_.size()) {
            if (auto done = step(); !done) return std::unexpected(std::move(done.error()));
        }
        if (auto paired = pair_brackets(); !paired) {
            return std::unexpected(std::move(paired.error()));
        }
        return std::move(tokens_);
    }

private:
    [[nodiscard]] bool starts(std::string_view text) const {
        return source_.substr(at_, text.size()) == text;
    }

    [[nodiscard]] std::unexpected<Error> fail_too_long() const {
        return base::fail(Errc::limit_exceeded, {},
                          base::text("The WGSL text (", base::grouped(source_.size()),
                                     " bytes) is longer than ", base::grouped(max_source_bytes),
                                     " bytes."),
                          "Split the shader into several modules.");
    }

    Result<> step() {
        if (skip_blank()) return {};
        if (starts("//")) return skip_line_comment();
        if (starts("/*")) return skip_block_comment();
        if (auto valid = check_character(); !valid) return valid;
        const char letter = source_[at_];
        const bool fraction =
            letter == '.' && at_ + 1 < source_.size() && is_digit(source_[at_ + 1]);
        if (is_digit(letter) || fraction) {
            add(TokenKind::number, number_length());
        } else if (is_name_byte(letter)) {
            return read_name();
        } else {
            add(TokenKind::punctuation, 1);
        }
        return {};
    }

    bool skip_blank() {
        if (const std::size_t brk = line_break_length(source_, at_)) {
            at_ += brk;
            ++line_;
            return true;
        }
        const std::size_t blank = blank_length(source_, at_);
        at_ += blank;
        return blank != 0;
    }

    Result<> check_character() {
        if (source_[at_] != '\0' && utf8_length(source_, at_) != 0) return {};
        return fail_at(Errc::invalid_argument, source_, source_.substr(at_, 1),
                       "The WGSL text holds a byte that is not UTF-8 text",
                       "Save the shader as UTF-8; a file in UTF-16 or a binary file is not read.");
    }

    Result<> advance() { // one character of a comment
        if (skip_blank()) return {};
        if (auto valid = check_character(); !valid) return valid;
        at_ += utf8_length(source_, at_);
        return {};
    }

    Result<> skip_line_comment() {
        while (at_ < source_.size() && line_break_length(source_, at_) == 0) {
            if (auto done = advance(); !done) return done;
        }
        return {};
    }

    Result<> skip_block_comment() {
        const std::size_t begin = at_;
        std::size_t open = 0;
        while (at_ < source_.size()) {
            if (starts("/*")) {
                ++open;
                at_ += 2;
            } else if (starts("*/")) {
                at_ += 2;
                if (--open == 0) return {};
            } else if (auto done = advance(); !done) {
                return done;
            }
        }
        return fail_at(Errc::invalid_argument, source_, source_.substr(begin, 2),
                       "A block comment is never closed",
                       "Close it with \"*/\"; block comments nest, so each \"/*\" needs its own.");
    }

    [[nodiscard]] std::size_t number_length() const {
        const bool hex = starts("0x") || starts("0X");
        std::size_t end = at_ + 1;
        for (; end < source_.size(); ++end) {
            const char letter = source_[end];
            const char before = static_cast<char>(source_[end - 1] | 0x20);
            const bool sign = (letter == '+' || letter == '-') && before == (hex ? 'p' : 'e');
            const bool part = is_name_byte(letter) && static_cast<unsigned char>(letter) < 0x80;
            if (!part && letter != '.' && !sign) break;
        }
        return end - at_;
    }

    Result<> read_name() {
        const std::size_t begin = at_;
        while (at_ < source_.size() && is_name_byte(source_[at_])) {
            if (line_break_length(source_, at_) != 0 || blank_length(source_, at_) != 0) break;
            if (auto valid = check_character(); !valid) return valid;
            at_ += utf8_length(source_, at_);
        }
        const std::size_t length = at_ - begin;
        at_ = begin;
        add(TokenKind::identifier, length);
        return {};
    }

    void add(TokenKind kind, std::size_t length) {
        tokens_.push_back({source_.substr(at_, length), line_, 0, kind});
        at_ += length;
    }

    Result<> pair_brackets() {
        std::vector<std::size_t> open;
        for (std::size_t at = 0; at < tokens_.size(); ++at) {
            const Token& token = tokens_[at];
            if (token.is('(') || token.is('[') || token.is('{')) open.push_back(at);
            const char want = token.is(')')   ? '('
                              : token.is(']') ? '['
                              : token.is('}') ? '{'
                                              : '\0';
            if (want == '\0') continue;
            if (open.empty()) return fail_bracket(token, "closes nothing");
            if (!tokens_[open.back()].is(want)) {
                return fail_bracket(tokens_[open.back()], "is closed by another kind of bracket");
            }
            tokens_[open.back()].to_close = static_cast<std::uint32_t>(at - open.back());
            open.pop_back();
        }
        if (!open.empty()) return fail_bracket(tokens_[open.back()], "is never closed");
        return {};
    }

    [[nodiscard]] std::unexpected<Error> fail_bracket(const Token& token,
                                                      std::string_view fault) const {
        return fail_at(Errc::invalid_argument, source_, token.text,
                       base::text("The bracket \"", token.text, "\" ", fault),
                       "Balance the brackets of the WGSL text.");
    }

    std::string_view source_;
    std::size_t at_ = 0;
    std::uint32_t line_ = 1;
    std::vector<Token> tokens_;
};

bool touches(const Token& first, const Token& second) {
    return first.text.data() + first.text.size() == second.text.data();
}

/// Follows `<` and `>` from token to token, leaving shifts out.
struct TemplateDepth {
    std::size_t depth = 0;

    std::size_t step(Tokens tokens, std::size_t at) {
        const bool opens = tokens[at].is('<');
        if (opens && is_shift(tokens, at)) return at + 2;
        if (opens) ++depth;
        if (tokens[at].is('>') && depth > 0) --depth;
        return skip(tokens, at);
    }
};

} // namespace

Result<std::vector<Token>> tokenize(std::string_view source) { return Lexer(source).run(); }

std::size_t skip(Tokens tokens, std::size_t at) noexcept {
    return std::min(tokens.size(), at + tokens[at].to_close + 1);
}

bool is_shift(Tokens tokens, std::size_t at) noexcept {
    if (at + 1 >= tokens.size()) return false;
    const Token& first = tokens[at];
    const Token& second = tokens[at + 1];
    const bool same = (first.is('<') && second.is('<')) || (first.is('>') && second.is('>'));
    return same && touches(first, second);
}

std::size_t find_outside(Tokens tokens, std::size_t at, char mark) noexcept {
    while (at < tokens.size() && !tokens[at].is(mark)) at = skip(tokens, at);
    return at;
}

std::size_t find_comma(Tokens tokens, std::size_t at) noexcept {
    TemplateDepth list;
    while (at < tokens.size() && (list.depth != 0 || !tokens[at].is(','))) {
        at = list.step(tokens, at);
    }
    return std::min(at, tokens.size());
}

std::size_t template_end(Tokens tokens, std::size_t at) noexcept {
    if (at >= tokens.size() || !tokens[at].is('<')) return 0;
    TemplateDepth list;
    do {
        at = list.step(tokens, at);
        if (list.depth == 0) return at;
    } while (at < tokens.size() && !tokens[at].is(';') && !tokens[at].is('{'));
    return 0;
}

std::vector<Tokens> split_at_commas(Tokens tokens) {
    std::vector<Tokens> parts;
    for (std::size_t begin = 0; begin < tokens.size();) {
        const std::size_t end = find_comma(tokens, begin);
        parts.push_back(tokens.subspan(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

std::string as_written(Tokens tokens) {
    std::string out;
    for (std::size_t at = 0; at < tokens.size(); ++at) {
        if (at > 0 && !touches(tokens[at - 1], tokens[at])) out += ' ';
        out += tokens[at].text;
    }
    return out;
}

std::string as_type_name(Tokens tokens) {
    std::string out;
    for (std::size_t at = 0; at < tokens.size(); ++at) {
        const bool last = at + 1 == tokens.size();
        if (tokens[at].is(',') && !last && tokens[at + 1].is('>')) continue; // trailing comma
        out += tokens[at].text;
        if (tokens[at].is(',') && !last) out += ' ';
    }
    return out;
}

} // namespace ferry::shader
