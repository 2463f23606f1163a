// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "core/core.hpp"
#include "ferry/texture.hpp"

namespace ferry::detail {

/// Behind `Texture`: the engine's texture and what ferry knows about it.
struct TextureState {
    TextureState(std::shared_ptr<Core> device_core, WGPUTexture texture) noexcept;
    TextureState(const TextureState&) = delete;
    TextureState& operator=(const TextureState&) = delete;
    ~TextureState();

    void destroy() noexcept;
    /// Whether the GPU may use it now; else why not. `doing`: "write to".
    [[nodiscard]] Result<> check_available(const base::Clause& doing, std::string_view rule) const;
    /// `texture "x"`, for messages.
    [[nodiscard]] std::string named() const;

    std::shared_ptr<Core> core;
    WGPUTexture handle;
    TextureOptions options{}; ///< its label refers to `label`
    std::string label{};
    bool destroyed = false;
};

/// Checks the rules of createTexture and asks the engine.
[[nodiscard]] Result<std::shared_ptr<TextureState>> create_texture(std::shared_ptr<Core> core,
                                                                   const TextureOptions& options);

} // namespace ferry::detail
