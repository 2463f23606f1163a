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
