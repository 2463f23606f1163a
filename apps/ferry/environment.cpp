// SPDX-License-Identifier: MIT
#include "environment.hpp"

#include <cstdlib>
#include <string>

#include "drivers.hpp"
#include "interrupt.hpp"

namespace app {

namespace {
void add_default_drivers() {
    if (user_chose_drivers()) return;
    std::string files;
    for (const std::string& path : default_drivers()) files += (files.empty() ? "" : ":") + path;
    if (!files.empty()) ::setenv("VK_ADD_DRIVER_FILES", files.c_str(), 1);
}

void make_runtime_dir() {
    if (const char* set = std::getenv("XDG_RUNTIME_DIR"); set != nullptr && *set != '\0') return;
    const char* parent = std::getenv("TMPDIR");
    std::string path =
        std::string(parent != nullptr && *parent != '\0' ? parent : "/tmp") + "/ferry-XXXXXX";
    if (::mkdtemp(path.data()) == nullptr) return; // without it engines only grumble
    remove_at_end(path);
    ::setenv("XDG_RUNTIME_DIR", path.c_str(), 1);
}
} // namespace

void prepare_environment() {
    add_default_drivers();
    make_runtime_dir();
}

} // namespace app
