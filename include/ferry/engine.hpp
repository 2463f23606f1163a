// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <source_location>
#include <string>
#include <string_view>
#include <vector>

#include "ferry/error.hpp"
#include "ferry/limits.hpp"

namespace ferry {

namespace detail {
struct EngineTable;
}

/// A WebGPU implementation: a library that exports `webgpu.h`, loaded at run time or linked.
///
/// A cheap value that can be copied; the library behind it stays loaded for the life of the
/// process. Several engines can be used side by side. Loading only looks up functions: no engine
/// function runs before `Device::open` or `adapters`.
class FERRY_API Engine {
public:
    using Where = std::source_location;

    /// An empty engine. `Device::open` takes it to mean `find()`.
    Engine() noexcept = default;

    /// Loads the library at `path` with local visibility.
    /// Errors: `io` (missing or unloadable), `unsupported` (not a WebGPU library, one of another
    /// ABI, or a second Dawn in a program that already links one). A library of another ABI is
    /// refused with the functions that it lacks.
    [[nodiscard]] static Result<Engine> load(const std::string& path,
                                             Where where = Where::current());

    /// Finds an engine by name: "wgpu" (wgpu-native), "dawn" or "fake" (ferry_fake).
    /// Looks at the environment variable (`FERRY_WGPU_PATH`, `FERRY_DAWN_PATH`, `FERRY_FAKE_PATH`),
    /// then at the path given at build time, then in the system's library path. A name with a '/'
    /// in it is a path for `load`. An empty name means the variable `FERRY_ENGINE`, else the first
    /// of "wgpu" and "dawn" that is there. Errors: `io` with every place that was tried.
    [[nodiscard]] static Result<Engine> find(std::string_view name = {},
                                             Where where = Where::current());

    /// Answers the address of a `webgpu.h` function, or null where it has none.
    using FindFunction = void* (*)(void* context, const char* name);

    /// An engine whose functions `find` answers; `context` is passed through and is not used after
    /// the call. `linked_engine()` in `ferry/linked.hpp` and the other two functions above end
    /// here. Errors: `unsupported`, with the missing functions named.
    [[nodiscard]] static Result<Engine> from(FindFunction find, void* context,
                                             std::string_view origin);

    /// "wgpu-native", "Dawn", "ferry_fake" or "unknown"; empty for an empty engine.
    [[nodiscard]] std::string_view name() const noexcept;
    /// The engine's own version where it tells one ("29.0.1.1"), else empty.
    [[nodiscard]] std::string_view version() const noexcept;
    /// The path it was loaded from, or what `from` was told.
    [[nodiscard]] std::string_view origin() const noexcept;

    [[nodiscard]] explicit operator bool() const noexcept { return table_ != nullptr; }

    /// For ferry's own parts.
    [[nodiscard]] const detail::EngineTable* table() const noexcept { return table_.get(); }

private:
    explicit Engine(std::shared_ptr<const detail::EngineTable> table) noexcept;
    std::shared_ptr<const detail::EngineTable> table_;
};

/// What kind of hardware an adapter is. Values are webgpu.h's.
enum class AdapterKind : std::uint32_t { discrete = 1, integrated = 2, cpu = 3, unknown = 4 };

/// One way for an engine to reach one GPU (or CPU renderer).
struct Adapter {
    std::uint32_t index = 0; ///< position in `adapters()`; what `DeviceOptions::adapter` may name
    std::string name;        ///< the device's name
    std::string vendor;
    std::string driver;  ///< the driver's own words: name, version
    std::string backend; ///< "Vulkan", "Metal", "D3D12", "OpenGL", ...
    AdapterKind kind = AdapterKind::unknown;
    Limits limits{}; ///< the most a device on this adapter may ask for
    std::vector<Feature> features;
    std::string refusal; ///< why ferry will not use it; empty when it will
};

/// The adapters that an engine offers on this machine, refused ones included; the index is the
/// position. Starts a short-lived instance; takes milliseconds. Errors: `engine` when the engine
/// cannot start at all.
[[nodiscard]] FERRY_API Result<std::vector<Adapter>> adapters(const Engine& engine);

} // namespace ferry
