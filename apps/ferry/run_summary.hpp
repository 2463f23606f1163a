// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "job.hpp"

namespace app {

/// What a run took. In rounds, loading and saving go on beside the computing.
struct RunTimes {
    double open_ms = 0; ///< shader and images read, device opened, kernel compiled
    double load_ms = 0;
    double compute_ms = 0;
    double save_ms = 0;
};

struct RunSummary {
    const Job& job;
    RunTimes times{};
    std::optional<std::uint64_t> files{}; ///< of --each
    std::uint64_t streamed_bytes = 0;
};

[[nodiscard]] nlohmann::ordered_json summary_json(const RunSummary& summary);
[[nodiscard]] std::string summary_text(const RunSummary& summary);

} // namespace app
