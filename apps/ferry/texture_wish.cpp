// SPDX-License-Identifier: MIT
#include "texture_wish.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

#include <fmt/format.h>

#include "format_names.hpp"
#include "text.hpp"

namespace app {

namespace {
using ferry::Aspect;
using ferry::Extent3D;
using ferry::Origin3D;
using ferry::TextureDimension;

/// One to three numbers.
std::optional<std::vector<std::uint64_t>> parse_numbers(std::string_view text, char separator) {
    std::vector<std::uint64_t> numbers;
    while (numbers.size() < 3) {
        std::uint64_t number = 0;
        const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (failed != std::errc{}) return std::nullopt;
        numbers.push_back(number);
        text.remove_prefix(static_cast<std::size_t>(end - text.data()));
        if (text.empty()) return numbers;
        if (text.front() != separator) return std::nullopt;
        text.remove_prefix(1);
    }
    return std::nullopt;
}

Result<Extent3D> parse_texels(std::string_view what, std::string_view text) {
    const auto numbers = parse_numbers(text, 'x');
    if (!numbers) {
        return fail(Errc::invalid_argument, fmt::format("{} \"{}\" is not a size.", what, text),
                    "Write WIDTHxHEIGHT, such as 640x480, or 640x480x4 for 4 layers or slices.");
    }
    Extent3D size{(*numbers)[0]};
    if (numbers->size() > 1) size.height = (*numbers)[1];
    if (numbers->size() > 2) size.depth_or_array_layers = (*numbers)[2];
    return size;
}

Result<Origin3D> parse_origin(std::string_view text) {
    const auto numbers = parse_numbers(text, ',');
    if (!numbers) {
        return fail(Errc::invalid_argument, fmt::format("--origin \"{}\" is not a place.", text),
                    "Write X,Y or X,Y,Z, such as --origin 64,32.");
    }
    Origin3D origin{(*numbers)[0]};
    if (numbers->size() > 1) origin.y = (*numbers)[1];
    if (numbers->size() > 2) origin.z = (*numbers)[2];
    return origin;
}

/// The place of `word` in `words`; `what`: "aspect".
Result<std::size_t> parse_word(std::string_view what, const std::string& word,
                               const std::vector<std::string>& words) {
    const auto found = std::find(words.begin(), words.end(), word);
    if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
    return fail(Errc::invalid_argument, fmt::format("\"{}\" is no {}.", word, what),
                fmt::format("Use one of {}.", join(words, ", ")));
}

Result<ferry::Format> parse_format(const std::string& word) {
    if (const auto format = ferry::format_named(word)) return *format;
    return fail(Errc::invalid_argument, fmt::format("\"{}\" is no texture format.", word),
                format_advice(word));
}

Result<std::uint32_t> parse_mip(std::string_view text) {
    std::uint32_t mip = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), mip);
    if (failed == std::errc{} && end == text.data() + text.size()) return mip;
    return fail(Errc::invalid_argument, fmt::format("--mip \"{}\" is not a level.", text),
                "Write a whole number; 0 is the largest level.");
}
} // namespace

Result<Wish> parse_wish(const PlanOptions& options) {
    if (options.format.empty() || options.texture.empty()) {
        return fail(Errc::invalid_argument, "A format and the size of a texture are to be given.",
                    "Write for example ferry plan rgba8unorm 640x480; ferry plan --list names the "
                    "formats.");
    }
    constexpr std::array aspects{Aspect::all, Aspect::depth_only, Aspect::stencil_only,
                                 Aspect::depth_only, Aspect::stencil_only};
    const auto format = parse_format(options.format);
    if (!format) return std::unexpected(format.error());
    const auto texture = parse_texels("The texture", options.texture);
    if (!texture) return std::unexpected(texture.error());
    const auto dimension = parse_word("dimension", options.dimension, {"1d", "2d", "3d"});
    if (!dimension) return std::unexpected(dimension.error());
    const auto aspect = parse_word("aspect", options.aspect,
                                   {"all", "depth-only", "stencil-only", "depth", "stencil"});
    if (!aspect) return std::unexpected(aspect.error());
    const auto mip = parse_mip(options.mip);
    if (!mip) return std::unexpected(mip.error());
    Wish wish{
        .texture = {.format = *format,
                    .size = *texture,
                    .dimension = TextureDimension{static_cast<std::uint32_t>(*dimension) + 1}},
        .at = {.mip = *mip, .aspect = aspects[*aspect]}};
    wish.texture.mip_levels = full_mip_levels(wish.texture.size, wish.texture.dimension);
    if (!options.origin.empty()) {
        const auto origin = parse_origin(options.origin);
        if (!origin) return std::unexpected(origin.error());
        wish.at.origin = *origin;
    }
    if (!options.size.empty()) {
        const auto size = parse_texels("--size", options.size);
        if (!size) return std::unexpected(size.error());
        wish.size = *size;
    }
    return wish;
}

} // namespace app
