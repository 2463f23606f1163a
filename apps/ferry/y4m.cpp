// SPDX-License-Identifier: MIT
#include "y4m.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>

#include <fmt/format.h>

namespace app {

namespace {
struct Rgb {
    std::int32_t r = 0, g = 0, b = 0;
    Rgb& operator+=(const Rgb& other) noexcept {
        r += other.r;
        g += other.g;
        b += other.b;
        return *this;
    }
};

struct Rows {
    const std::uint8_t* bytes;
    std::size_t width, height;

    [[nodiscard]] Rgb at(std::size_t x, std::size_t y) const noexcept {
        const std::uint8_t* texel = bytes + 4 * (y * width + x);
        return {texel[0], texel[1], texel[2]};
    }
};

// BT.709's weights times 10,000, so that every value is a fraction of whole numbers and rounds in
// one way on every machine.
constexpr std::int32_t red = 2'126, green = 7'152, blue = 722, whole = 10'000;

std::byte rounded(std::int32_t numerator, std::int32_t denominator) noexcept {
    return static_cast<std::byte>((numerator + denominator / 2) / denominator);
}

std::byte luma(const Rgb& c) noexcept {
    constexpr std::int32_t denominator = 255 * whole;
    return rounded(16 * denominator + 219 * (red * c.r + green * c.g + blue * c.b), denominator);
}

/// Of the sum of four pixels: 224 / 4 is 56. 1.8556 is 2 * (1 - 0.0722).
std::byte chroma_blue(const Rgb& sum) noexcept {
    constexpr std::int32_t denominator = 255 * 2 * (whole - blue);
    return rounded(128 * denominator + 56 * ((whole - blue) * sum.b - red * sum.r - green * sum.g),
                   denominator);
}

std::byte chroma_red(const Rgb& sum) noexcept {
    constexpr std::int32_t denominator = 255 * 2 * (whole - red);
    return rounded(128 * denominator + 56 * ((whole - red) * sum.r - green * sum.g - blue * sum.b),
                   denominator);
}

Rgb four_pixels(const Rows& rows, std::size_t x, std::size_t y) noexcept {
    const std::size_t right = std::min(2 * x + 1, rows.width - 1);
    const std::size_t below = std::min(2 * y + 1, rows.height - 1);
    Rgb sum = rows.at(2 * x, 2 * y);
    sum += rows.at(right, 2 * y);
    sum += rows.at(2 * x, below);
    sum += rows.at(right, below);
    return sum;
}
} // namespace

std::string y4m_header(std::uint32_t width, std::uint32_t height, FrameRate rate) {
    return fmt::format("YUV4MPEG2 W{} H{} F{}:{} Ip A1:1 C420jpeg XYSCSS=420JPEG "
                       "XCOLORRANGE=LIMITED XMATRIX=BT709\n",
                       width, height, rate.frames, rate.seconds);
}

void y4m_frame(std::span<const std::byte> rgba, std::uint32_t width, std::uint32_t height,
               std::vector<std::byte>& frame) {
    constexpr std::string_view mark = "FRAME\n";
    const Rows rows{reinterpret_cast<const std::uint8_t*>(rgba.data()), width, height};
    const std::size_t across = (rows.width + 1) / 2, down = (rows.height + 1) / 2;
    frame.resize(mark.size() + rows.width * rows.height + 2 * across * down);
    std::byte* out = frame.data();
    std::memcpy(out, mark.data(), mark.size());
    out += mark.size();
    for (std::size_t y = 0; y < rows.height; ++y) {
        for (std::size_t x = 0; x < rows.width; ++x) *out++ = luma(rows.at(x, y));
    }
    std::byte* out_red = out + across * down;
    for (std::size_t y = 0; y < down; ++y) {
        for (std::size_t x = 0; x < across; ++x) {
            const Rgb sum = four_pixels(rows, x, y);
            *out++ = chroma_blue(sum);
            *out_red++ = chroma_red(sum);
        }
    }
}

} // namespace app
