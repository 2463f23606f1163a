// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "ferry/buffer.hpp"
#include "ferry/error.hpp"
#include "ferry/shader.hpp"
#include "ferry/texture.hpp"

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

/// Which part of a texture a binding sees. What is left out follows from the WGSL type: all levels
/// and layers for `texture_*`, one level for `texture_storage_*`, one layer for `*_2d`.
struct TextureViewRange {
    std::uint32_t mip = 0; ///< the first level
    std::optional<std::uint32_t> mip_levels{};
    std::uint32_t layer = 0; ///< the first array layer
    std::optional<std::uint32_t> layers{};
    Aspect aspect = Aspect::all;
};

/// A texture, or a part of one, as an argument. Converts from `Texture`; keeps the texture alive.
struct FERRY_API TextureView {
    TextureView(const Texture& whole) noexcept; // NOLINT: a texture is a view of itself
    TextureView(const Texture& texture, const TextureViewRange& part) noexcept;

    std::shared_ptr<detail::TextureState> texture;
    TextureViewRange range{};
};

/// A buffer or a texture for a binding: `name` is the WGSL variable's, or "group.binding".
struct Binding {
    Binding(std::string_view variable, BufferView view) : name(variable), resource(view) {}
    Binding(std::string_view variable, TextureView view) : name(variable), resource(view) {}
    Binding(std::string_view variable, const Buffer& whole)
        : Binding(variable, BufferView(whole)) {}
    Binding(std::string_view variable, const Texture& whole)
        : Binding(variable, TextureView(whole)) {}

    std::string_view name;
    std::variant<BufferView, TextureView> resource;
};

/// The bindings of a kernel, made once and used in many dispatches. Keeps its buffers and textures
/// alive.
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
