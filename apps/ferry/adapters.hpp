// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "common.hpp"
#include "ferry/engine.hpp"

namespace app {

/// The engines to look for: the one that the user names, else all that ferry knows.
[[nodiscard]] std::vector<std::string> engine_names(const Common& common);

/// Whether `only` (an index, a part of a name, or empty) means this adapter.
[[nodiscard]] bool wanted(const ferry::Adapter& adapter, std::string_view only);

[[nodiscard]] std::string kind_text(ferry::AdapterKind kind);
/// A limit's size, short: "2 GiB", "unlimited".
[[nodiscard]] std::string limit_text(std::uint64_t bytes);
[[nodiscard]] nlohmann::ordered_json to_json(const ferry::Adapter& adapter);

} // namespace app
