// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "array.hpp"
#include "common.hpp"
#include "ferry/layout.hpp"
#include "ferry/shader.hpp"
#include "files.hpp"
#include "layout.hpp"
#include "progress.hpp"
#include "texels.hpp"

namespace app {

/// What is in a texture: one level, its layers behind each other.
struct Picture {
    TexelFormat format{};
    ferry::Extent3D size{};
    Texels texels{}; ///< tight, in the order of `format`; none: zeros

    [[nodiscard]] ferry::TextureOptions options(ferry::TextureUsage usage,
                                                std::string_view label) const noexcept;
    /// As a NumPy array: (height, width), with layers before and channels behind where there are
    /// several.
    [[nodiscard]] Array array(bool with_layers) const;
    [[nodiscard]] Layout layout() const noexcept;
};

[[nodiscard]] bool is_texture(const ferry::ShaderBinding& binding) noexcept;
/// Of a storage texture: the shader writes it.
[[nodiscard]] bool is_written(const ferry::ShaderBinding& binding) noexcept;
/// "640x480", or "640x480, 8 layers".
[[nodiscard]] std::string extent_text(const ferry::Extent3D& size);

/// Whether the program can fill such a texture at all. Error: `unsupported`.
[[nodiscard]] Result<> check_takes_picture(const ferry::ShaderBinding& binding);

/// Reads a .png or .npy file for a texture of the shader. The format is the storage texture's own;
/// for a sampled one it follows from the file. What was changed on the way is said in `notes`.
[[nodiscard]] Result<Picture> load_picture(const ferry::ShaderBinding& binding, Input& input,
                                           std::vector<std::string>& notes);

/// Zeros for a storage texture.
[[nodiscard]] Result<Picture> empty_picture(const ferry::ShaderBinding& binding,
                                            const ferry::Extent3D& size);

/// How an image lies in a file, which the end of its name says.
enum class PictureFile : std::uint8_t { png, npy, raw };

/// Before anything is computed: whether the texture fits into a file of that name.
[[nodiscard]] Result<PictureFile> picture_file(const ferry::ShaderBinding& binding,
                                               const Picture& picture, const std::string& path);

/// Writes what a texture came out with, red first.
[[nodiscard]] Result<> save_picture(Output& output, PictureFile file, const Picture& picture,
                                    const Array& array, std::span<const std::byte> texels,
                                    Progress& progress);

} // namespace app
