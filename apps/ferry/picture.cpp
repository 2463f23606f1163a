// SPDX-License-Identifier: MIT
#include "picture.hpp"

#include <fmt/format.h>

#include "plan.hpp"
#include "png.hpp"
#include "storage_formats.hpp"
#include "text.hpp"
#include "transfer.hpp"

namespace app {

using ferry::BindingKind;
using ferry::ShaderBinding;
using ferry::TextureAccess;
using ferry::TextureShape;

ferry::TextureOptions Picture::options(ferry::TextureUsage usage,
                                       std::string_view label) const noexcept {
    return {.format = format.format, .size = size, .usage = usage, .label = label};
}

Array Picture::array(bool with_layers) const {
    Array array{.dtype = format.dtype()};
    if (with_layers) array.shape.push_back(size.depth_or_array_layers);
    array.shape.push_back(size.height);
    array.shape.push_back(size.width);
    if (format.channels > 1) array.shape.push_back(format.channels);
    return array;
}

Layout Picture::layout() const noexcept {
    const std::uint64_t count = size.width * size.height * size.depth_or_array_layers;
    const std::uint64_t bytes = format.bytes();
    return {.runs = count,
            .run_bytes = bytes,
            .stride_bytes = bytes,
            .elements = count,
            .buffer_bytes = count * bytes};
}

bool is_texture(const ShaderBinding& binding) noexcept {
    return binding.kind == BindingKind::texture || binding.kind == BindingKind::storage_texture;
}

bool is_written(const ShaderBinding& binding) noexcept {
    return binding.kind == BindingKind::storage_texture &&
           binding.texture.access != TextureAccess::read;
}

std::string extent_text(const ferry::Extent3D& size) {
    const std::uint64_t layers = size.depth_or_array_layers;
    return layers == 1 ? fmt::format("{}x{}", size.width, size.height)
                       : fmt::format("{}x{}, {} layers", size.width, size.height, layers);
}

Result<> check_takes_picture(const ShaderBinding& binding) {
    const auto& texture = binding.texture;
    const bool flat = texture.shape == TextureShape::d2 || texture.shape == TextureShape::d2_array;
    if (is_texture(binding) && flat && !texture.depth && !texture.multisampled) {
        return binding.kind == BindingKind::storage_texture ? check_storage_format(binding)
                                                            : Result<>{};
    }
    return fail(Errc::unsupported,
                fmt::format("Binding {} is neither a buffer nor a plain 2D texture, and ferry run "
                            "fills no others.",
                            binding_text(binding)),
                is_texture(binding)
                    ? "Let the shader take the data as texture_2d<f32>, texture_2d_array<f32> or "
                      "var<storage, read> array<...>."
                    : "Read texels with textureLoad, which needs no sampler.");
}

Result<Picture> empty_picture(const ShaderBinding& binding, const ferry::Extent3D& size) {
    Picture picture{.format = texel_format(binding.texture.format), .size = size};
    if (binding.texture.shape == TextureShape::d2 && size.depth_or_array_layers != 1) {
        return fail(Errc::invalid_argument,
                    fmt::format("Binding {} has one layer, and {} were given.",
                                binding_text(binding), size.depth_or_array_layers),
                    fmt::format("Give {}x{}, or let the shader declare texture_storage_2d_array.",
                                size.width, size.height));
    }
    const auto plan = ferry::plan_write(picture.options({}, {}), {.tight = true});
    if (!plan) return std::unexpected(plan.error());
    return picture;
}

namespace {
std::string ending_of(const std::string& path) {
    const auto dot = path.rfind('.');
    const auto slash = path.rfind('/');
    if (dot == std::string::npos || (slash != std::string::npos && dot < slash)) return {};
    return path.substr(dot);
}

/// 8 and 16 bit whole numbers, and one picture.
Result<> check_fits_png(const ShaderBinding& binding, const Picture& picture,
                        const std::string& path) {
    const Dtype dtype = picture.format.dtype();
    std::string why;
    if (dtype != Dtype::u8 && dtype != Dtype::u16) {
        why = "holds whole numbers of 8 or 16 bits without sign";
    } else if (picture.format.channels == 2) {
        why = "has no files of red and green alone";
    } else if (picture.size.depth_or_array_layers != 1) {
        why = fmt::format("holds one picture, and this has {} layers",
                          picture.size.depth_or_array_layers);
    }
    if (why.empty()) return {};
    return fail(Errc::invalid_argument,
                fmt::format("Binding {} of format {} cannot be saved as {}: PNG {}.",
                            binding_text(binding), ferry::name(picture.format.format), path, why),
                stream_kind(path).empty()
                    ? fmt::format("Save it as .npy: --save {}={}npy.", binding.name,
                                  path.substr(0, path.size() - 3))
                    : fmt::format("Write --save {}=npy:-.", binding.name));
}
} // namespace

Result<PictureFile> picture_file(const ShaderBinding& binding, const Picture& picture,
                                 const std::string& path) {
    const std::string_view stream = stream_kind(path);
    const std::string ending = stream.empty() ? ending_of(path) : fmt::format(".{}", stream);
    if (path == "-" || ending == ".npy" || path.starts_with("/dev/")) return PictureFile::npy;
    if (ending == ".raw" || ending == ".bin") return PictureFile::raw;
    if (ending == ".png") {
        if (auto ok = check_fits_png(binding, picture, path); !ok)
            return std::unexpected(std::move(ok).error());
        return PictureFile::png;
    }
    return fail(Errc::invalid_argument,
                fmt::format("Textures are saved as .png, .npy or .raw (texels without a header), "
                            "and {} is none of them.",
                            path),
                fmt::format("Write --save {}={}.png.", binding.name,
                            path.substr(0, path.size() - ending.size())));
}

Result<> save_picture(Output& output, PictureFile file, const Picture& picture, const Array& array,
                      std::span<const std::byte> texels, Progress& progress) {
    switch (file) {
    case PictureFile::npy: return save_array(output, array, picture.layout(), texels, progress);
    case PictureFile::raw: return output.write(texels);
    case PictureFile::png: break;
    }
    return write_png(output,
                     {.width = static_cast<std::uint32_t>(picture.size.width),
                      .height = static_cast<std::uint32_t>(picture.size.height),
                      .channels = picture.format.channels,
                      .dtype = picture.format.dtype(),
                      .bytes = texels},
                     progress);
}

} // namespace app
