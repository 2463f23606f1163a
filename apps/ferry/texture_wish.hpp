// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "common.hpp"
#include "ferry/layout.hpp"

namespace app {

/// The command line of `ferry plan` as it was typed.
struct PlanOptions {
    std::string format{}, texture{}, dimension = "2d", mip = "0", aspect = "all", origin{}, size{};
    bool list = false;
};

/// One copy, in ferry's terms.
struct Wish {
    ferry::TextureOptions texture{};
    ferry::TextureLocation at{};
    std::optional<ferry::Extent3D> size{};
};

[[nodiscard]] Result<Wish> parse_wish(const PlanOptions& options);

} // namespace app
