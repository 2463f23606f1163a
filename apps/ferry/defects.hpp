// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace app {

/// Something that an engine does wrong, and that ferry's users do not meet.
struct Defect {
    std::string_view engine;  ///< as `Engine::name` says it
    std::string_view version; ///< how its version starts; empty: all that were seen
    std::string_view symptom;
};

/// Those of an engine of this version.
[[nodiscard]] std::vector<std::string_view> defects_of(std::string_view engine,
                                                       std::string_view version);

/// Why an engine refuses a driver, where it is known from what the engine prints.
struct KnownRefusal {
    std::string_view engine;
    std::string_view printed; ///< on standard error
    std::string_view reason;
    std::string_view cure;
};
[[nodiscard]] const KnownRefusal* known_refusal(std::string_view engine, std::string_view printed);

} // namespace app
