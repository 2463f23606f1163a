// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace app {

/// What was probably meant by a word that is no name of a texture format, as a sentence.
[[nodiscard]] std::string format_advice(std::string_view word);

/// "rgba8unorm" of "rgb8unorm", "R8G8B8_UNORM" and other words for three channels; empty of all
/// others.
[[nodiscard]] std::string with_alpha(std::string_view word);

} // namespace app
