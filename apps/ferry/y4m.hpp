// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace app {

/// Frames per second: 30, or 30000/1001.
struct FrameRate {
    std::uint32_t frames = 30;
    std::uint32_t seconds = 1;
};

/// The line that a .y4m file starts with: planes of 8 bits, 4:2:0, limited range.
[[nodiscard]] std::string y4m_header(std::uint32_t width, std::uint32_t height, FrameRate rate);

/// One frame of it, from rows of red, green, blue and alpha of 8 bits; alpha is left out.
///
/// The values are taken as encoded for a display, as sRGB and BT.709 are, and turned into BT.709 of
/// limited range: luma is 16 to 235, chroma 16 to 240 around 128, each rounded to the nearest. One
/// chroma value stands for 2 x 2 pixels and is their mean, sited in their middle; beyond an odd
/// edge the last pixel counts twice. `frame` keeps its memory.
void y4m_frame(std::span<const std::byte> rgba, std::uint32_t width, std::uint32_t height,
               std::vector<std::byte>& frame);

} // namespace app
