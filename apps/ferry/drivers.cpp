// SPDX-License-Identifier: MIT
#include "drivers.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace app {

namespace fs = std::filesystem;

namespace {
std::string variable(const char* name, std::string_view fallback = {}) {
    const char* value = std::getenv(name);
    return value != nullptr && *value != '\0' ? std::string(value) : std::string(fallback);
}

std::vector<std::string> split(std::string_view list) {
    std::vector<std::string> parts;
    while (!list.empty()) {
        const auto end = std::min(list.find(':'), list.size());
        if (end > 0) parts.emplace_back(list.substr(0, end));
        list.remove_prefix(std::min(end + 1, list.size()));
    }
    return parts;
}

/// The loader's folders, in its order.
std::vector<std::string> driver_folders() {
    const std::string home = variable("HOME");
    std::vector<std::string> roots{
        variable("XDG_CONFIG_HOME", home.empty() ? "" : home + "/.config")};
    for (const auto& each : split(variable("XDG_CONFIG_DIRS", "/etc/xdg"))) roots.push_back(each);
    roots.emplace_back("/etc");
    roots.push_back(variable("XDG_DATA_HOME", home.empty() ? "" : home + "/.local/share"));
    for (const auto& each : split(variable("XDG_DATA_DIRS", "/usr/local/share:/usr/share"))) {
        roots.push_back(each);
    }
    std::erase(roots, std::string{});
    return roots;
}

void add_folder(std::vector<std::string>& files, const fs::path& folder) {
    std::error_code ignored;
    std::vector<std::string> found;
    for (fs::directory_iterator at(folder, ignored), end; !ignored && at != end;
         at.increment(ignored)) {
        if (at->path().extension() == ".json") found.push_back(at->path().string());
    }
    std::sort(found.begin(), found.end());
    files.insert(files.end(), found.begin(), found.end());
}

/// VK_DRIVER_FILES may name files and folders.
void add_listed(std::vector<std::string>& files, const std::string& list) {
    std::error_code ignored;
    for (const std::string& each : split(list)) {
        if (fs::is_directory(each, ignored)) {
            add_folder(files, each);
        } else {
            files.push_back(each);
        }
    }
}

std::string problem_of(const std::string& path) {
    std::error_code ignored;
    if (!fs::exists(path, ignored)) return "the file does not exist";
    std::ifstream in(path);
    const auto document = nlohmann::json::parse(in, nullptr, false);
    if (!in.eof() && in.fail()) return "the file cannot be read";
    if (!document.is_object() || !document.contains("ICD") || !document["ICD"].is_object()) {
        return "it is not a Vulkan driver file";
    }
    const auto& driver = document["ICD"];
    if (!driver.contains("library_path") || !driver["library_path"].is_string()) {
        return "it names no library_path";
    }
    const fs::path library = driver["library_path"].get<std::string>();
    if (library.string().find('/') == std::string::npos) return {}; // the dynamic linker finds it
    const fs::path full = library.is_absolute() ? library : fs::path(path).parent_path() / library;
    if (!fs::exists(full, ignored)) return fmt::format("its library {} is missing", full.string());
    return {};
}
} // namespace

bool user_chose_drivers() {
    return !variable("VK_DRIVER_FILES").empty() || !variable("VK_ICD_FILENAMES").empty() ||
           !variable("VK_ADD_DRIVER_FILES").empty();
}

std::vector<std::string> default_drivers() {
    std::error_code ignored;
    std::vector<std::string> files = split(FERRY_DEFAULT_VULKAN_DRIVERS);
    std::erase_if(files, [&](const std::string& each) { return !fs::exists(each, ignored); });
    return files;
}

std::vector<DriverFile> find_drivers() {
    std::vector<std::string> files;
    const std::string only = variable("VK_DRIVER_FILES", variable("VK_ICD_FILENAMES"));
    if (!only.empty()) {
        add_listed(files, only);
    } else {
        add_listed(files, variable("VK_ADD_DRIVER_FILES"));
        for (const auto& root : driver_folders())
            add_folder(files, fs::path(root) / "vulkan/icd.d");
    }
    std::vector<DriverFile> drivers;
    for (const std::string& path : files) {
        const auto same = [&](const DriverFile& each) { return each.path == path; };
        if (std::none_of(drivers.begin(), drivers.end(), same))
            drivers.push_back({path, problem_of(path)});
    }
    return drivers;
}

} // namespace app
