// SPDX-License-Identifier: MIT
#include "shader/scan_uses.hpp"

#include <algorithm>
#include <optional>

namespace ferry::shader {
namespace {

constexpr std::size_t longest_space = 16; // tokens of `<function, read_write>`

/// Collects the declarations that one declaration mentions, with the scopes of its function body.
class Mentions {
public:
    Mentions(const Module& module, std::vector<std::uint32_t>& out)
        : module_(module), out_(out), hidden_(module.declarations.size()),
          mentioned_by_(module.declarations.size()) {}

    void collect(const Declaration& declaration) {
        ++number_;
        for (const Attribute& each : declaration.attributes) names_of(each.arguments);
        names_of(declaration.type);
        names_of(declaration.value);
        names_of(declaration.members);
        if (declaration.kind != DeclarationKind::function) return;
        hide_parameters(declaration.members);
        body(declaration.body);
        while (!locals_.empty()) drop_local();
        scopes_.clear();
        pending_.clear();
    }

private:
    struct Scope {
        std::size_t locals = 0; ///< how many there were when it opened
        bool loop_header = false;
    };

    [[nodiscard]] std::optional<std::uint32_t> global(const Token& token) const {
        if (!token.is_name()) return std::nullopt;
        const auto found = module_.by_name.find(token.text);
        if (found == module_.by_name.end()) return std::nullopt;
        return static_cast<std::uint32_t>(found->second);
    }

    void mention(const Token& token) {
        const auto index = global(token);
        if (!index || hidden_[*index] != 0 || mentioned_by_[*index] == number_) return;
        mentioned_by_[*index] = number_;
        out_.push_back(*index);
    }

    /// `name :` is the name of a parameter or member, not a mention.
    static bool names_itself(Tokens tokens, std::size_t at) {
        return at + 1 < tokens.size() && tokens[at].is_name() && tokens[at + 1].is(':');
    }

    static bool follows_mark(Tokens tokens, std::size_t at) {
        return at > 0 && (tokens[at - 1].is('.') || tokens[at - 1].is('@'));
    }

    void names_of(Tokens tokens) {
        for (std::size_t at = 0; at < tokens.size(); ++at) {
            if (!names_itself(tokens, at) && !follows_mark(tokens, at)) mention(tokens[at]);
        }
    }

    void hide_parameters(Tokens parameters) {
        for (std::size_t at = 0; at < parameters.size(); ++at) {
            if (!names_itself(parameters, at)) continue;
            if (const auto index = global(parameters[at])) hide(*index);
        }
    }

    void hide(std::uint32_t index) {
        locals_.push_back(index);
        ++hidden_[index];
    }

    void drop_local() {
        --hidden_[locals_.back()];
        locals_.pop_back();
    }

    void close_scope() {
        while (locals_.size() > scopes_.back().locals) drop_local();
        scopes_.pop_back();
    }

    /// The header of a `for` ends with the body behind it.
    void close_block() {
        while (!scopes_.empty() && scopes_.back().loop_header) close_scope();
        if (!scopes_.empty()) close_scope();
        while (!scopes_.empty() && scopes_.back().loop_header) close_scope();
    }

    void body(Tokens tokens) {
        for (std::size_t at = 0; at < tokens.size(); ++at) {
            const Token& token = tokens[at];
            if (token.is('{')) scopes_.push_back({locals_.size(), false});
            if (token.is('}')) close_block();
            if (token.is(';')) declare_pending();
            if (!token.is_name() || follows_mark(tokens, at)) continue;
            if (token.text == "for") scopes_.push_back({locals_.size(), true});
            const bool declares =
                token.text == "let" || token.text == "var" || token.text == "const";
            if (declares) at = declare(tokens, at + 1) - 1;
            if (!declares) mention(token);
        }
    }

    /// A local name holds from the end of its statement on: `let data = data[0];` mentions the
    /// module's `data`. Returns the index behind the name.
    std::size_t declare(Tokens tokens, std::size_t at) {
        const Tokens near = tokens.first(std::min(tokens.size(), at + longest_space));
        if (const std::size_t end = template_end(near, at)) at = end;
        if (at >= tokens.size() || !tokens[at].is_name()) return at;
        if (const auto index = global(tokens[at])) pending_.push_back(*index);
        return at + 1;
    }

    void declare_pending() {
        for (const std::uint32_t index : pending_) hide(index);
        pending_.clear();
    }

    const Module& module_;
    std::vector<std::uint32_t>& out_;
    std::vector<std::uint32_t> hidden_;     ///< by how many local declarations
    std::vector<std::size_t> mentioned_by_; ///< the number of the declaration that did so last
    std::vector<std::uint32_t> locals_;     ///< in order of declaration
    std::vector<std::uint32_t> pending_;    ///< declared by the statement being read
    std::vector<Scope> scopes_;
    std::size_t number_ = 0;
};

} // namespace

Uses::Uses(const Module& module) : seen_by_(module.declarations.size()) {
    Mentions mentions(module, edges_);
    for (const Declaration& each : module.declarations) {
        first_edge_.push_back(edges_.size());
        mentions.collect(each);
    }
    first_edge_.push_back(edges_.size());
}

std::vector<std::size_t> Uses::reached_from(std::size_t start) {
    ++searches_;
    std::vector<std::size_t> reached{start};
    seen_by_[start] = searches_;
    for (std::size_t next = 0; next < reached.size(); ++next) {
        const std::size_t from = reached[next];
        for (std::size_t edge = first_edge_[from]; edge < first_edge_[from + 1]; ++edge) {
            if (std::exchange(seen_by_[edges_[edge]], searches_) == searches_) continue;
            reached.push_back(edges_[edge]);
        }
    }
    std::ranges::sort(reached);
    return reached;
}

} // namespace ferry::shader
