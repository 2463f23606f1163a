// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "array.hpp"
#include "common.hpp"
#include "ferry/commands.hpp"

namespace app {

/// One "NAME=VALUE" of an option.
struct Named {
    std::string name;
    std::string value;
};

/// Splits at the first '='. `option` and `example` are for the error: "--load", "data=in.npy".
[[nodiscard]] Result<Named> parse_named(std::string_view option, std::string_view text,
                                        std::string_view example);

/// "4096", "64MiB", "1.5 GiB", "10kB", in bytes.
[[nodiscard]] Result<std::uint64_t> parse_size(std::string_view text);

/// "4096", "640,480", "64,64,8"; each at least 1.
[[nodiscard]] Result<ferry::Grid> parse_grid(std::string_view option, std::string_view text);

/// "640x480" or "640x480x4".
[[nodiscard]] Result<ferry::Extent3D> parse_extent(std::string_view text);

/// What `--zero` asks for: an array, or a number of bytes of the shader's own type.
struct ZeroSpec {
    std::optional<Array> array{};
    bool as_input = false; ///< "f32[]": an element for each element of the input; `array` is one
    std::uint64_t bytes = 0;
};

/// "f32", "f32[1024]", "f32[10,20]", "vec4f[100]", "vec2<u32>[8]", "f32[]", "64MiB".
[[nodiscard]] Result<ZeroSpec> parse_zero(std::string_view text);

} // namespace app
