// SPDX-License-Identifier: MIT
#include "shader/scan_module.hpp"

#include <algorithm>

namespace ferry::shader {
namespace {

constexpr std::size_t longest_space = 16; // tokens of `<storage, read_write>`

class Reader {
public:
    Reader(std::string_view source, Tokens tokens) : tokens_(tokens) { module_.source = source; }

    Module run() {
        while (!at_end()) step();
        return std::move(module_);
    }

private:
    [[nodiscard]] bool at_end() const { return at_ >= tokens_.size(); }
    [[nodiscard]] bool here(char mark) const { return !at_end() && tokens_[at_].is(mark); }
    [[nodiscard]] bool name_here() const { return !at_end() && tokens_[at_].is_name(); }

    /// The tokens up to `end`; the cursor moves behind `end` itself.
    Tokens take_until(std::size_t end) {
        const std::size_t begin = std::min(at_, end);
        at_ = std::min(tokens_.size(), end + 1);
        return tokens_.subspan(begin, end - begin);
    }

    Tokens take_statement() { return take_until(find_outside(tokens_, at_, ';')); }

    /// What stands between the bracket at the cursor and its partner.
    Tokens take_inside() {
        const std::size_t begin = at_ + 1;
        at_ = skip(tokens_, at_);
        return tokens_.subspan(begin, at_ - begin - 1);
    }

    void step() {
        Declaration next;
        next.attributes = read_attributes(tokens_, at_);
        if (at_end()) return;
        const Token& keyword = tokens_[at_];
        if (!keyword.is_name()) {
            at_ = skip(tokens_, at_);
            return;
        }
        ++at_;
        if (keyword.text == "enable") return read_words(module_.enables);
        if (keyword.text == "requires") return read_words(module_.requirements);
        if (keyword.text == "fn") return read_function(std::move(next));
        if (keyword.text == "struct") return read_structure(std::move(next));
        if (keyword.text == "alias") return read_value(std::move(next), DeclarationKind::alias);
        if (keyword.text == "const") return read_value(std::move(next), DeclarationKind::constant);
        if (keyword.text == "var") return read_variable(std::move(next));
        if (keyword.text == "override") {
            return read_value(std::move(next), DeclarationKind::override_constant);
        }
        // diagnostic, const_assert and whatever comes next are passed over token by token.
    }

    void read_words(std::vector<std::string>& out) {
        for (const Token& token : take_statement()) {
            if (token.is_name()) out.emplace_back(token.text);
        }
    }

    void read_function(Declaration next) {
        next.kind = DeclarationKind::function;
        if (!name_here()) return;
        next.name = &tokens_[at_++];
        if (!here('(')) return;
        next.members = take_inside();
        const std::size_t body = find_outside(tokens_, at_, '{');
        next.type = tokens_.subspan(at_, body - at_);
        at_ = body;
        if (!at_end()) next.body = take_inside();
        add(std::move(next));
    }

    void read_structure(Declaration next) {
        next.kind = DeclarationKind::structure;
        if (!name_here()) return;
        next.name = &tokens_[at_++];
        if (!here('{')) return;
        next.members = take_inside();
        add(std::move(next));
    }

    void read_variable(Declaration next) {
        const Tokens near = tokens_.first(std::min(tokens_.size(), at_ + longest_space));
        if (const std::size_t end = template_end(near, at_)) {
            next.space = tokens_.subspan(at_ + 1, end - at_ - 2);
            at_ = end;
        }
        read_value(std::move(next), DeclarationKind::variable);
    }

    /// NAME [: TYPE] [= VALUE] ;   and for an alias   NAME = TYPE ;
    void read_value(Declaration next, DeclarationKind kind) {
        next.kind = kind;
        if (!name_here()) return;
        next.name = &tokens_[at_++];
        const Tokens rest = take_statement();
        const std::size_t equals = find_outside(rest, 0, '=');
        if (!rest.empty() && rest[0].is(':')) next.type = rest.subspan(1, equals - 1);
        if (equals < rest.size()) next.value = rest.subspan(equals + 1);
        if (kind == DeclarationKind::alias) next.type = next.value;
        add(std::move(next));
    }

    void add(Declaration next) {
        module_.by_name.try_emplace(next.name->text, module_.declarations.size());
        module_.declarations.push_back(std::move(next));
    }

    Tokens tokens_;
    std::size_t at_ = 0;
    Module module_;
};

bool has_value(const Declaration& declaration) {
    return declaration.kind == DeclarationKind::constant ||
           declaration.kind == DeclarationKind::override_constant;
}

} // namespace

const Attribute* Declaration::attribute(std::string_view wanted) const {
    const auto same = [&](const Attribute& each) { return each.name->text == wanted; };
    const auto found = std::ranges::find_if(attributes, same);
    return found == attributes.end() ? nullptr : &*found;
}

const Declaration* Module::find(std::string_view name) const {
    const auto found = by_name.find(name);
    return found == by_name.end() ? nullptr : &declarations[found->second];
}

Module read_module(std::string_view source, Tokens tokens) { return Reader(source, tokens).run(); }

std::vector<Attribute> read_attributes(Tokens tokens, std::size_t& at) {
    std::vector<Attribute> attributes;
    while (at + 1 < tokens.size() && tokens[at].is('@') && tokens[at + 1].is_name()) {
        Attribute next{&tokens[at + 1], {}};
        at += 2;
        if (at < tokens.size() && tokens[at].is('(')) {
            const std::size_t end = skip(tokens, at);
            next.arguments = tokens.subspan(at + 1, end - at - 2);
            at = end;
        }
        attributes.push_back(next);
    }
    return attributes;
}

Tokens without_aliases(const Module& module, Tokens type) {
    for (int depth = 0; depth < max_nesting && type.size() == 1; ++depth) {
        const Declaration* alias = module.find(type[0].text);
        if (alias == nullptr || alias->kind != DeclarationKind::alias) break;
        type = alias->type;
    }
    return type;
}

/// In order, so that a long chain of constants that build on each other nests by one level only.
Constants::Constants(const Module& module) : module_(module), entries_(module.declarations.size()) {
    for (const Declaration& each : module_.declarations) {
        if (each.kind == DeclarationKind::constant) (void)value_of(each.name->text, 0);
    }
}

std::optional<Number> Constants::value_of(std::string_view name, int depth) {
    const auto found = module_.by_name.find(name);
    if (found == module_.by_name.end() || depth > max_nesting) return std::nullopt;
    const Declaration& declaration = module_.declarations[found->second];
    if (declaration.kind != DeclarationKind::constant) return std::nullopt;
    Entry& entry = entries_[found->second];
    if (entry.state == State::unknown) {
        entry.state = State::busy; // a constant that needs itself has no value
        entry.value = value_of(declaration, depth);
        entry.state = State::done;
    }
    return entry.value;
}

std::optional<Number> Constants::value_of(const Declaration& declaration, int depth) {
    if (!has_value(declaration) || declaration.value.empty()) return std::nullopt;
    const auto value = evaluate(declaration.value, *this, depth);
    if (!value || declaration.type.empty()) return value;
    const ScalarKind type = scalar_of(declaration.type);
    return type == ScalarKind::none ? std::nullopt : converted(*value, type);
}

ScalarKind Constants::scalar_of(Tokens type) const {
    type = without_aliases(module_, type);
    const bool predeclared = type.size() == 1 && module_.find(type[0].text) == nullptr;
    return predeclared ? scalar_named(type[0].text) : ScalarKind::none;
}

} // namespace ferry::shader
