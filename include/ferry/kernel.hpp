// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "ferry/buffer.hpp"
#include "ferry/error.hpp"
#include "ferry/shader.hpp"

namespace ferry {

namespace detail {
struct KernelState;
struct BindingsState;
} // namespace detail

/// The value of a WGSL `override`, by its name or by its `@id` number as text.
struct Constant {
    std::string_view name;
    double value = 0;
};

/// How a kernel is made from WGSL.
struct KernelOptions {
    std::string_view
        entry{}; ///< the entry point; may be left out when there is one compute entry point
    std::vector<Constant> constants{}; ///< values for `override`s
    std::string_view label{};          ///< shown in errors; default: the entry point's name
};

/// A compute shader, ready to dispatch. Move-only handle; may outlive its device.
class FERRY_API Kernel {
public:
    Kernel() noexcept = default;

    /// What the scan of its WGSL found: bindings, overrides, entry points.
    [[nodiscard]] const ShaderInfo& shader() const noexcept;
    [[nodiscard]] const EntryPoint& entry() const noexcept;
    /// Threads per workgroup, with the constants applied.
    [[nodiscard]] std::array<std::uint32_t, 3> workgroup_size() const noexcept;
    [[nodiscard]] std::string_view label() const noexcept;

    [[nodiscard]] explicit operator bool() const noexcept { return state_ != nullptr; }

    /// For ferry's own parts.
    explicit Kernel(std::shared_ptr<detail::KernelState> state) noexcept;
    [[nodiscard]] const std::shared_ptr<detail::KernelState>& state() const noexcept {
        return state_;
    }
    Kernel(Kernel&&) noexcept = default;
    Kernel& operator=(Kernel&&) noexcept = default;

private:
    std::shared_ptr<detail::KernelState> state_;
};

/// A buffer for a binding: `name` is the WGSL variable's, or "group.binding".
struct Binding {
    std::string_view name;
    BufferView buffer;
};

/// The bindings of a kernel, made once and used in many dispatches. Keeps its buffers alive.
class FERRY_API Bindings {
public:
    Bindings() noexcept = default;
    [[nodiscard]] explicit operator bool() const noexcept { return state_ != nullptr; }

    /// For ferry's own parts.
    explicit Bindings(std::shared_ptr<detail::BindingsState> state) noexcept;
    [[nodiscard]] const std::shared_ptr<detail::BindingsState>& state() const noexcept {
        return state_;
    }
    Bindings(Bindings&&) noexcept = default;
    Bindings& operator=(Bindings&&) noexcept = default;

private:
    std::shared_ptr<detail::BindingsState> state_;
};

} // namespace ferry
