// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "ferry/export.hpp"
#include "ferry/mapping.hpp"
#include "ferry/texture.hpp"

namespace ferry {

/// What `UploadPath::automatic` chooses, and why.
struct UploadChoice {
    UploadPath path = UploadPath::queue_whole;
    std::uint64_t piece_bytes = 0; ///< of `queue_pieces` and `pool`
    std::string reason;            ///< in words: what was measured, and where
};

/// Where in the buffer and what of the data `write` writes.
struct WriteOptions {
    std::uint64_t offset_bytes = 0;          ///< in the buffer, in bytes
    std::size_t first = 0;                   ///< first element of the data, in elements
    std::optional<std::size_t> count{};      ///< how many elements; default: the rest
    UploadPath path = UploadPath::automatic; ///< `Device::write` alone; never `mapped_at_creation`
};

namespace detail {

/// Contiguous data of trivially copyable elements: a vector, an array, a span, a string.
template <class R>
concept Data = requires(const R& range) {
    std::data(range);
    std::size(range);
    requires Element<std::remove_cvref_t<decltype(*std::data(range))>>;
};

template <Data R>
[[nodiscard]] std::span<const std::byte> bytes_of(const R& range) noexcept {
    return std::as_bytes(std::span(std::data(range), std::size(range)));
}

template <Data R>
[[nodiscard]] constexpr ElementKind kind_of() noexcept {
    return element_kind<std::remove_cvref_t<decltype(*std::data(std::declval<const R&>()))>>();
}

} // namespace detail

} // namespace ferry
