// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "array.hpp"
#include "common.hpp"
#include "files.hpp"
#include "progress.hpp"
#include "texels.hpp"

namespace app {

/// Images of more are not read, whatever the file says: no WebGPU device takes them.
inline constexpr std::uint32_t most_png_side = 16'384;

/// A .png file, decoded: red, green, blue and alpha of each pixel, as stored in the file, without
/// any conversion between colour spaces. Grey is repeated, palettes are looked up, grey of 1, 2 and
/// 4 bits is spread over 8, and pixels without alpha are opaque.
struct PngImage {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    Dtype dtype = Dtype::u8; ///< or u16
    bool grey = false;       ///< opaque, and red, green and blue are equal
    Texels rgba{};
    std::vector<std::string> notes{}; ///< what the file says of its colours; what is odd in it
};

[[nodiscard]] bool is_png(std::string_view start) noexcept;

/// Reads a whole file. Errors: `io` for one that is damaged, with what is wrong in it,
/// `limit_exceeded` for one of more than 16,384 pixels in a row or column; both before memory is
/// used for it.
[[nodiscard]] Result<PngImage> read_png(Input& input);

/// What `write_png` writes: rows of 1 (grey), 2 (grey and alpha), 3 or 4 channels of u8 or u16.
struct PngRows {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::uint32_t channels = 4;
    Dtype dtype = Dtype::u8;
    std::span<const std::byte> bytes{}; ///< tight
};

/// Writes the values as they are; the file says nothing about gamma or colour space.
[[nodiscard]] Result<> write_png(Output& output, const PngRows& image, Progress& progress);

} // namespace app
