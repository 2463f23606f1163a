// SPDX-License-Identifier: MIT
#include "wgsl.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <map>

namespace ferry_fake {

namespace {

using Tokens = std::vector<std::string>;

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// Position behind a comment that starts at `i`, or `i`. Block comments nest in WGSL.
std::size_t skip_comment(std::string_view code, std::size_t i) {
    if (code.substr(i, 2) == "//") return std::min(code.find('\n', i), code.size());
    if (code.substr(i, 2) != "/*") return i;
    int depth = 0;
    while (i < code.size()) {
        if (code.substr(i, 2) == "/*")
            ++depth, i += 2;
        else if (code.substr(i, 2) == "*/") {
            i += 2;
            if (--depth == 0) return i;
        } else
            ++i;
    }
    return i;
}

Tokens tokens_of(std::string_view code) {
    Tokens tokens;
    for (std::size_t i = 0; i < code.size();) {
        std::size_t const after = skip_comment(code, i);
        if (after != i)
            i = after;
        else if (std::isspace(static_cast<unsigned char>(code[i])))
            ++i;
        else if (is_word(code[i])) {
            std::size_t end = i;
            while (end < code.size() && is_word(code[end])) ++end;
            tokens.emplace_back(code.substr(i, end - i));
            i = end;
        } else
            tokens.emplace_back(1, code[i++]);
    }
    return tokens;
}

std::string bracket_error(const Tokens& tokens) {
    std::string open;
    for (const std::string& token : tokens) {
        const char c = token[0];
        if (c == '(' || c == '[' || c == '{') open += c;
        const char partner = c == ')' ? '(' : c == ']' ? '[' : c == '}' ? '{' : '\0';
        if (partner == '\0') continue;
        if (open.empty() || open.back() != partner) return "'" + token + "' closes nothing";
        open.pop_back();
    }
    return open.empty() ? "" : std::string("'") + open.back() + "' is not closed";
}

// Walks over the declarations of a module.
class Scanner {
public:
    Scanner(const Tokens& tokens, Wgsl& out) : tokens_(tokens), out_(out) {}

    void run() {
        while (at_ < tokens_.size()) {
            const std::string& token = tokens_[at_++];
            if (token == "@")
                attribute();
            else if (token == "var")
                variable();
            else if (token == "fn")
                function();
            else if (token == "{")
                skip_block();
            else if (token == ";")
                attributes_.clear();
        }
    }

private:
    std::string next() { return at_ < tokens_.size() ? tokens_[at_++] : std::string(); }
    bool peek(const char* token) const { return at_ < tokens_.size() && tokens_[at_] == token; }

    static std::uint64_t number(const std::string& token) {
        return std::strtoull(token.c_str(), nullptr, 0);
    }

    void attribute() {
        std::string const name = next();
        Tokens arguments;
        if (peek("(")) {
            ++at_;
            for (int depth = 1; at_ < tokens_.size();) {
                std::string const token = next();
                if (token == "(") ++depth;
                if (token == ")" && --depth == 0) break;
                arguments.push_back(token);
            }
        }
        attributes_[name] = arguments;
    }

    void skip_block() {
        for (int depth = 1; at_ < tokens_.size() && depth > 0;) {
            std::string const token = next();
            depth += token == "{" ? 1 : token == "}" ? -1 : 0;
        }
        attributes_.clear();
    }

    static ResourceKind kind_of(const Tokens& space, const std::string& type) {
        if (!space.empty() && space.front() == "storage")
            return space.back() == "read_write" ? ResourceKind::storage_write
                                                : ResourceKind::storage_read;
        if (!space.empty()) return ResourceKind::uniform;
        if (type.starts_with("sampler")) return ResourceKind::sampler;
        return type.starts_with("texture_storage") ? ResourceKind::storage_texture
                                                   : ResourceKind::texture;
    }

    void variable() {
        Tokens space;
        if (peek("<"))
            for (++at_; at_ < tokens_.size() && !peek(">"); ++at_) space.push_back(tokens_[at_]);
        if (!space.empty()) ++at_;
        std::string const name = next();
        std::string const colon = next();
        std::string const type = colon == ":" ? next() : std::string();
        if (attributes_.contains("group") && attributes_.contains("binding"))
            out_.resources.push_back(
                {first("group"), first("binding"), kind_of(space, type), name});
        attributes_.clear();
    }

    std::uint32_t first(const char* name) {
        const Tokens& arguments = attributes_[name];
        return arguments.empty() ? 0 : static_cast<std::uint32_t>(number(arguments.front()));
    }

    void function() {
        WgslFunction found;
        found.name = next();
        for (const char* stage : {"compute", "vertex", "fragment"})
            if (attributes_.contains(stage)) found.stage = stage;
        for (const std::string& token : attributes_["workgroup_size"])
            if (token != ",") found.workgroup_size.push_back(number(token));
        while (at_ < tokens_.size() && !peek("{")) ++at_;
        ++at_;
        std::size_t const begin = at_;
        skip_block();
        for (std::size_t i = begin; i < at_; ++i)
            if (is_word(tokens_[i][0])) found.names.insert(tokens_[i]);
        out_.functions.push_back(std::move(found));
    }

    const Tokens& tokens_;
    Wgsl& out_;
    std::size_t at_ = 0;
    std::map<std::string, Tokens> attributes_;
};

} // namespace

const WgslFunction* Wgsl::entry_point(std::string_view stage, std::string_view name) const {
    const WgslFunction* found = nullptr;
    for (const WgslFunction& function : functions) {
        if (function.stage != stage || (!name.empty() && function.name != name)) continue;
        if (found) return nullptr;
        found = &function;
    }
    return found;
}

std::vector<Resource> Wgsl::used_by(const WgslFunction& function) const {
    std::set<std::string> reached;
    std::vector<const WgslFunction*> todo = {&function};
    std::set<const WgslFunction*> seen = {&function};
    while (!todo.empty()) {
        const WgslFunction* const current = todo.back();
        todo.pop_back();
        reached.insert(current->names.begin(), current->names.end());
        for (const WgslFunction& other : functions)
            if (current->names.contains(other.name) && seen.insert(&other).second)
                todo.push_back(&other);
    }
    std::vector<Resource> used;
    for (const Resource& resource : resources)
        if (reached.contains(resource.name)) used.push_back(resource);
    return used;
}

Wgsl scan_wgsl(std::string_view code) {
    Wgsl out;
    const Tokens tokens = tokens_of(code);
    out.error = bracket_error(tokens);
    if (out.error.empty()) Scanner(tokens, out).run();
    return out;
}

} // namespace ferry_fake
