// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "common.hpp"
#include "drivers.hpp"

namespace app {

/// What came of one engine on one driver.
struct Finding {
    std::string driver{};  ///< path of the driver file
    std::string adapter{}; ///< that was used
    /// "works", "refused", "no device", "failed", "crashed", "hung" or "broken" (the file itself)
    std::string verdict{};
    std::string detail{};
    std::string cure{};
    std::string remark{}; ///< what it does not do right, though it works
    double seconds = 0;
};

/// An engine that can be loaded.
struct Identity {
    std::string name{};
    std::string version{};
    std::string path{};
};

struct Checkup {
    std::string asked{};
    Result<Identity> engine{};
    std::vector<Finding> findings{};
    std::vector<std::string_view> defects{};
};

struct Health {
    bool loader = false; ///< the Vulkan loader is there
    std::vector<DriverFile> drivers{};
    std::vector<Checkup> engines{};
};

/// Tries each engine on each driver, in processes of their own; one that takes longer than `limit`
/// hangs.
[[nodiscard]] Health examine(const Common& common, std::chrono::seconds limit);

/// "wgpu-native on llvmpipe", "Dawn on SwiftShader": what can be used.
[[nodiscard]] std::vector<std::string> working(const Health& health);

/// Whether anything works; the error says what to install.
[[nodiscard]] Result<> verdict(const Health& health);

} // namespace app
