// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "ferry/buffer.hpp"
#include "ferry/error.hpp"
#include "ferry/layout.hpp"
#include "ferry/ticket.hpp"

namespace ferry {

namespace detail {
struct TextureState;
}

/// A handle to an image on the GPU.
///
/// Move-only. Every texel of a new texture is zero. Dropping the handle releases the texture;
/// commands that were recorded or submitted with it keep it alive. It may outlive its device.
class FERRY_API Texture {
public:
    /// An empty handle; everything on it answers `invalid_argument`.
    Texture() noexcept = default;

    [[nodiscard]] Format format() const noexcept;
    [[nodiscard]] std::uint32_t width() const noexcept;
    [[nodiscard]] std::uint32_t height() const noexcept;
    [[nodiscard]] std::uint32_t depth_or_array_layers() const noexcept;
    [[nodiscard]] std::uint32_t mip_levels() const noexcept;
    [[nodiscard]] TextureUsage usage() const noexcept;
    [[nodiscard]] std::string_view label() const noexcept;
    /// All that it was made with, for `plan_read` and its like; the label lives as long as the
    /// texture.
    [[nodiscard]] TextureOptions options() const noexcept;
    /// A texture is a size: that of its first level.
    operator Extent3D() const noexcept { // NOLINT: as in WebGPU
        return {width(), height(), depth_or_array_layers()};
    }

    /// Frees the memory now, whoever else holds a handle. Work already submitted still completes.
    /// Any number of times.
    void destroy() noexcept;

    [[nodiscard]] explicit operator bool() const noexcept { return state_ != nullptr; }

    /// For ferry's own parts.
    explicit Texture(std::shared_ptr<detail::TextureState> state) noexcept;
    [[nodiscard]] const std::shared_ptr<detail::TextureState>& state() const noexcept {
        return state_;
    }
    Texture(Texture&&) noexcept = default;
    Texture& operator=(Texture&&) noexcept = default;

private:
    std::shared_ptr<detail::TextureState> state_;
};

/// A texture, or a place in one, as an argument: `texture`, `{texture, {.mip = 1, .origin = {16,
/// 16}}}`. Keeps the texture alive.
struct FERRY_API TextureAt {
    TextureAt(const Texture& whole) noexcept; // NOLINT: a texture is a place in itself
    TextureAt(const Texture& texture, const TextureLocation& location) noexcept;

    std::shared_ptr<detail::TextureState> texture;
    TextureLocation at{};
};

/// An image in a buffer, as an argument: `{buffer, {.bytes_per_row = 512}}`. Keeps the buffer
/// alive.
struct FERRY_API BufferImage {
    BufferImage(const Buffer& buffer, const ImageLayout& layout = {}) noexcept; // NOLINT: `buffer`

    std::shared_ptr<detail::BufferState> buffer;
    ImageLayout layout{};
};

/// How a copy between a buffer and a texture was recorded. A layout that the rules forbid, such as
/// rows without padding, costs more than one copy of the engine's.
struct CopyReport {
    std::uint64_t engine_copies = 0; ///< 0: nothing to copy, or an error
    std::uint64_t staging_bytes = 0; ///< moved once more, through memory of ferry's
};

/// A pixel of four 8-bit channels, in this order. Reading it from a `bgra8unorm` texture, or
/// writing it to one, swaps red and blue, so that the colour stays; bytes (`std::uint8_t`) move as
/// they are stored.
struct Rgba8 {
    std::uint8_t r = 0, g = 0, b = 0, a = 0;
    [[nodiscard]] friend constexpr bool operator==(const Rgba8&, const Rgba8&) noexcept = default;
};

/// As `Rgba8`, in the order in which `bgra8unorm` stores it.
struct Bgra8 {
    std::uint8_t b = 0, g = 0, r = 0, a = 0;
    [[nodiscard]] friend constexpr bool operator==(const Bgra8&, const Bgra8&) noexcept = default;
};

namespace detail {

enum class PixelOrder : std::uint8_t { as_stored, rgba8, bgra8 };

/// What the elements of a read or a write are.
struct ElementKind {
    std::size_t size_bytes = 1;
    PixelOrder order = PixelOrder::as_stored;
};

template <class T>
[[nodiscard]] constexpr ElementKind element_kind() noexcept {
    ElementKind kind{sizeof(T)};
    if constexpr (std::is_same_v<T, Rgba8>) kind.order = PixelOrder::rgba8;
    if constexpr (std::is_same_v<T, Bgra8>) kind.order = PixelOrder::bgra8;
    return kind;
}

} // namespace detail

/// Texels of a read as they lie in mapped memory, rows padded to the device's alignment: nothing
/// was copied on the CPU. `plan()` says where each row is.
///
/// Move-only; dropping it gives the memory back. When the device ends, every access answers
/// `wrong_state` or `device_lost`, and spans taken before dangle.
class [[nodiscard]] FERRY_API PaddedTexels {
public:
    PaddedTexels() noexcept;
    PaddedTexels(PaddedTexels&&) noexcept;
    PaddedTexels& operator=(PaddedTexels&&) noexcept;
    ~PaddedTexels();

    /// Sizes and strides of what was read.
    [[nodiscard]] const CopyPlan& plan() const noexcept;
    /// All bytes, `plan().required_bytes` of them; valid while this object and its device live.
    [[nodiscard]] Result<std::span<const std::byte>> bytes() const;
    /// One row of blocks, without its padding. Errors: `invalid_argument` for a row or image that
    /// is not there, or a `T` that does not divide the row.
    template <detail::Element T>
    requires(alignof(T) <= 16)
        [[nodiscard]] Result<std::span<const T>> row(std::uint64_t row,
                                                     std::uint64_t image = 0) const {
        auto found = row_bytes(row, image, sizeof(T));
        if (!found) return std::unexpected(std::move(found).error());
        return std::span(reinterpret_cast<const T*>(found->data()), found->size() / sizeof(T));
    }

    /// For ferry's own parts.
    explicit PaddedTexels(detail::OperationPtr read) noexcept;

private:
    [[nodiscard]] Result<std::span<const std::byte>> row_bytes(std::uint64_t row,
                                                               std::uint64_t image,
                                                               std::size_t element_size) const;
    detail::OperationPtr read_;
};

namespace detail {
template <>
struct Outcome<PaddedTexels> {
    [[nodiscard]] FERRY_API static Result<PaddedTexels> take(Operation& operation);
};
} // namespace detail

} // namespace ferry
