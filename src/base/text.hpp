// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>

namespace ferry::base {

inline void append(std::string& out, std::string_view part) { out += part; }
inline void append(std::string& out, char part) { out += part; }

template <class T>
requires(std::is_arithmetic_v<T> && !std::same_as<T, char> &&
         !std::same_as<T, bool>) void append(std::string& out, T part) {
    out += std::to_string(part);
}

/// A clause of a message, put together only when it is shown: `submit "frame", which uses`.
struct Clause {
    std::string_view words;
    std::string_view label{}; ///< in quotes
    std::string_view more{};
};

inline void append(std::string& out, const Clause& clause) {
    out += clause.words;
    if (!clause.label.empty()) out.append(" \"").append(clause.label).append("\"");
    out += clause.more;
}

/// Joins strings, characters and numbers; g++ 12 has no <format>.
template <class... Parts>
[[nodiscard]] std::string text(const Parts&... parts) {
    std::string out;
    (append(out, parts), ...);
    return out;
}

/// `1234567` as `1,234,567`, for sizes in messages.
[[nodiscard]] std::string grouped(unsigned long long number);

} // namespace ferry::base
