// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace app {

/// A Vulkan driver's description file, as the Vulkan loader finds it.
struct DriverFile {
    std::string path;    ///< of the JSON file
    std::string problem; ///< why it cannot be used ("the library ... is missing"); empty when
                         ///< nothing is wrong
};

/// Whether one of the Vulkan loader's variables names drivers.
[[nodiscard]] bool user_chose_drivers();

/// The driver files that this build of ferry knows of and that exist.
[[nodiscard]] std::vector<std::string> default_drivers();

/// The drivers that the loader would try: those of VK_DRIVER_FILES or VK_ICD_FILENAMES, or else all
/// in its folders, and those of VK_ADD_DRIVER_FILES.
[[nodiscard]] std::vector<DriverFile> find_drivers();

} // namespace app
