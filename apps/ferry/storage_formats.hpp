// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "common.hpp"
#include "ferry/limits.hpp"
#include "ferry/shader.hpp"

namespace app {

/// What a device needs beyond the standard for that storage texture, where it needs anything.
[[nodiscard]] std::optional<ferry::Feature> storage_feature(const ferry::ShaderBinding& binding);

/// What to write instead where a device lacks it, as a sentence.
[[nodiscard]] std::string storage_substitute(const ferry::ShaderBinding& binding);

/// Whether the program fills and saves textures of that format. Errors: `invalid_argument` for a
/// word that is none, else `unsupported`.
[[nodiscard]] Result<> check_storage_format(const ferry::ShaderBinding& binding);

} // namespace app
