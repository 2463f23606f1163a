// SPDX-License-Identifier: MIT
#include "ferry/engine.hpp"

#include <array>
#include <dlfcn.h>
#include <sys/stat.h>

#include "base/error.hpp"
#include "engine/table.hpp"
#include "ferry/interop.hpp"

namespace ferry {

using base::fail;
using base::text;
using detail::EngineKind;
using detail::EngineTable;

namespace {

/// Fills the table; returns the names that are missing, joined.
std::string fill(EngineTable& table, Engine::FindFunction find, void* context) {
    std::string missing;
    auto look_up = [&](auto& slot, const char* name) {
        slot = reinterpret_cast<std::remove_reference_t<decltype(slot)>>(find(context, name));
        if (slot != nullptr) return;
        if (!missing.empty()) missing += ", ";
        missing += name;
    };
#define FERRY_ENGINE_FUNCTION(function) look_up(table.function, "wgpu" #function);
#include "ferry/engine_functions.inc"
    return missing;
}

/// Each engine exports one function that no other has.
void identify(EngineTable& table, Engine::FindFunction find, void* context) {
    if (void* version = find(context, "wgpuGetVersion")) {
        const std::uint32_t packed = reinterpret_cast<std::uint32_t (*)()>(version)();
        table.kind = EngineKind::wgpu_native;
        table.name = "wgpu-native";
        table.version = text(packed >> 24, '.', (packed >> 16) & 0xFF, '.', (packed >> 8) & 0xFF,
                             '.', packed & 0xFF);
        table.enumerate_adapters = reinterpret_cast<EngineTable::EnumerateAdapters>(
            find(context, "wgpuInstanceEnumerateAdapters"));
    } else if (find(context, "wgpuDeviceTick") != nullptr) {
        table.kind = EngineKind::dawn;
        table.name = "Dawn";
    } else if (find(context, "ferry_fake_version") != nullptr) {
        table.kind = EngineKind::fake;
        table.name = "ferry_fake";
    } else {
        table.name = "unknown";
    }
    table.quirks = detail::quirks_of(table.kind);
}

void* from_library(void* library, const char* name) { return dlsym(library, name); }

/// Dawn looks its own functions up globally: a second one would run the first one's code.
bool links_another_dawn(void* library) {
    void* linked = dlsym(RTLD_DEFAULT, "wgpuDeviceTick");
    void* loaded = dlsym(library, "wgpuDeviceTick");
    return linked != nullptr && loaded != nullptr && linked != loaded;
}

Result<void*> open_library(const std::string& path) {
    if (path.empty()) {
        return fail(Errc::invalid_argument, {}, "The path of the engine library is empty.",
                    "Give the path of a library that exports webgpu.h, such as libwgpu_native.so.");
    }
    struct stat info {};
    if (path.find('/') != std::string::npos && stat(path.c_str(), &info) != 0) {
        return fail(Errc::io, {}, text("The engine library (", path, ") does not exist."),
                    "Give the path of a library that exports webgpu.h, such as libwgpu_native.so.");
    }
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        const char* reason = dlerror();
        return fail(Errc::io, {},
                    text("The engine library (", path, ") cannot be loaded: ",
                         reason != nullptr ? reason : "unknown reason", '.'),
                    "Give a library built for this system and architecture.");
    }
    return library;
}

Result<std::shared_ptr<EngineTable>> make_table(Engine::FindFunction find, void* context,
                                                std::string_view origin, void* library) {
    auto table = std::make_shared<EngineTable>();
    if (std::string missing = fill(*table, find, context); !missing.empty()) {
        const bool none = table->CreateInstance == nullptr;
        return fail(Errc::unsupported, {},
                    none ? text("The library (", origin,
                                ") is not a WebGPU engine: it has no wgpuCreateInstance.")
                         : text("The engine (", origin,
                                ") has an older ABI than ferry's webgpu.h; it lacks: ", missing,
                                '.'),
                    none ? "Give a library that exports webgpu.h: wgpu-native or Dawn."
                         : "Use an engine of 2026: wgpu-native v29, or a Dawn with "
                           "wgpuBufferReadMappedRange.");
    }
    table->origin = origin;
    table->library = library;
    identify(*table, find, context);
    return table;
}

Result<std::shared_ptr<EngineTable>> load_library(const std::string& path) {
    auto library = open_library(path);
    if (!library) return std::unexpected(std::move(library).error());
    if (links_another_dawn(*library)) {
        return fail(Errc::unsupported, {},
                    text("This program already links a Dawn, and the library (", path,
                         ") is a second one; their functions would mix."),
                    "Use linked_engine() of ferry/linked.hpp, or do not link Dawn.");
    }
    return make_table(&from_library, *library, path, *library);
}

} // namespace

Engine::Engine(std::shared_ptr<const EngineTable> table) noexcept : table_(std::move(table)) {}

Result<Engine> Engine::from(FindFunction find, void* context, std::string_view origin) {
    if (find == nullptr) {
        return fail(Errc::invalid_argument, {},
                    "Engine::from has no function to find symbols with.",
                    "Pass a function that answers addresses by name.");
    }
    auto table = make_table(find, context, origin, nullptr);
    if (!table) return std::unexpected(std::move(table).error());
    return Engine(*std::move(table));
}

Result<Engine> Engine::load(const std::string& path, Where where) {
    auto table = load_library(path);
    if (table) return Engine(*std::move(table));
    table.error().where = where;
    return std::unexpected(std::move(table).error());
}

void* interop::function(const Engine& engine, const char* name) noexcept {
    if (!engine || engine.table()->library == nullptr) return nullptr;
    return dlsym(engine.table()->library, name);
}

std::string_view Engine::name() const noexcept {
    return table_ ? table_->name : std::string_view();
}
std::string_view Engine::version() const noexcept {
    return table_ ? table_->version : std::string_view();
}
std::string_view Engine::origin() const noexcept {
    return table_ ? table_->origin : std::string_view();
}

} // namespace ferry
