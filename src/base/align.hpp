// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

namespace ferry::base {

/// `value` rounded up to a multiple of `step` (a power of two); empty when it does not fit 64 bits.
[[nodiscard]] constexpr std::optional<std::uint64_t> round_up(std::uint64_t value,
                                                              std::uint64_t step) noexcept {
    const std::uint64_t rounded = (value + step - 1) & ~(step - 1);
    if (rounded < value) return std::nullopt;
    return rounded;
}

[[nodiscard]] constexpr std::uint64_t round_down(std::uint64_t value, std::uint64_t step) noexcept {
    return value & ~(step - 1);
}

/// Whether [offset, offset + size) lies inside [0, limit), without wrapping.
[[nodiscard]] constexpr bool fits(std::uint64_t offset, std::uint64_t size,
                                  std::uint64_t limit) noexcept {
    return offset <= limit && size <= limit - offset;
}

} // namespace ferry::base
