// SPDX-License-Identifier: MIT
#include "format_names.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "ferry/format.hpp"
#include "text.hpp"

namespace app {

namespace {
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// In lower case, without hyphens: "BC1RGBAUnorm" and "bc1-rgba-unorm" are the same.
std::string plain(std::string_view name) {
    std::string out;
    for (const char c : name) {
        if (c != '-' && c != '_')
            out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return out;
}

/// "rgba8unorm" of "r8g8b8a8unorm".
std::string gathered(const std::string& name) {
    std::string channels, bits;
    std::size_t at = 0;
    while (at + 1 < name.size() && std::string_view("rgba").find(name[at]) < 4 &&
           is_digit(name[at + 1])) {
        const std::size_t end = std::min(name.find_first_not_of("0123456789", at + 1), name.size());
        const std::string own = name.substr(at + 1, end - at - 1);
        if (!bits.empty() && own != bits) return name;
        channels += name[at];
        bits = own;
        at = end;
    }
    return channels + bits + name.substr(at);
}

/// As `plain` gives WebGPU's names.
std::string in_our_words(std::string_view word) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 3> older{
        {{"dxt1", "bc1rgbaunorm"}, {"dxt3", "bc2rgbaunorm"}, {"dxt5", "bc3rgbaunorm"}}};
    std::string name = gathered(plain(word));
    for (const auto& [theirs, ours] : older) {
        if (name == theirs) return std::string(ours);
    }
    if (name.ends_with("8srgb")) name.insert(name.size() - 4, "unorm");
    return name;
}

bool holds_pieces(std::string_view name, std::string_view word) {
    while (!word.empty()) {
        const auto end = std::min(word.find('-'), word.size());
        if (plain(name).find(plain(word.substr(0, end))) == std::string::npos) return false;
        word.remove_prefix(std::min(end + 1, word.size()));
    }
    return true;
}

/// The one that is spelled so elsewhere, those that hold the word's pieces, or the nearest.
std::vector<std::string> formats_like(std::string_view word) {
    std::vector<std::string> names, holding;
    for (const ferry::FormatInfo& each : ferry::all_formats) {
        names.emplace_back(each.name);
        if (plain(each.name) == in_our_words(word)) return {names.back()};
        if (holds_pieces(each.name, word)) holding.push_back(names.back());
    }
    constexpr std::size_t most = 8;
    if (!holding.empty() && holding.size() <= most) return holding;
    const std::string near = holding.empty() ? nearest(word, names) : std::string{};
    return near.empty() ? std::vector<std::string>{} : std::vector{near};
}
} // namespace

std::string with_alpha(std::string_view word) {
    std::string name = in_our_words(word);
    const auto rest = name.find_first_not_of("0123456789", 3);
    const bool packed = rest != std::string::npos && (name[rest] == 'a' || name[rest] == 'e');
    if (!name.starts_with("rgb") || name.size() < 4 || !is_digit(name[3]) || packed) return {};
    name = "rgba" + name.substr(3);
    if (rest == std::string::npos) name += name.ends_with("32") ? "float" : "unorm";
    std::vector<std::string> names;
    for (const ferry::FormatInfo& each : ferry::all_formats) {
        if (plain(each.name) == name) return std::string(each.name);
        if (each.name.starts_with("rgba")) names.emplace_back(each.name);
    }
    return nearest(name, names);
}

std::string format_advice(std::string_view word) {
    if (const std::string four = with_alpha(word); !four.empty())
        return fmt::format("There are no formats of three channels: use {}.", four);
    const auto like = formats_like(word);
    if (!like.empty()) return fmt::format("Did you mean {}?", join(like, " or "));
    return "Use a format of WebGPU's, such as rgba8unorm, depth32float, bc1-rgba-unorm, "
           "etc2-rgba8unorm or astc-4x4-unorm; ferry plan --list names them all.";
}

} // namespace app
