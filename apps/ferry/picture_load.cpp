// SPDX-License-Identifier: MIT
// From the values of a file to the texels of a texture.
#include <algorithm>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "npy.hpp"
#include "picture.hpp"
#include "plan.hpp"
#include "png.hpp"
#include "text.hpp"
#include "transfer.hpp"

namespace app {

using ferry::ShaderBinding;
using ferry::TextureShape;

namespace {
/// An image in a file.
struct Source {
    std::string name{};
    Dtype dtype = Dtype::none;
    std::uint32_t channels = 0;
    ferry::Extent3D size{};
    bool grey_png = false; ///< its first channel says all
};

std::string source_text(const Source& source) {
    return fmt::format("The image {} ({}, {} channel{}, {})", source.name, extent_text(source.size),
                       source.channels, source.channels == 1 ? "" : "s", numpy_name(source.dtype));
}

/// What a sampled texture takes, and the one of them that holds most values.
struct Taken {
    const char* dtypes;
    Dtype widest;
};
Taken taken_by(ScalarKind sample) {
    switch (sample) {
    case ScalarKind::u32: return {"u1, u2 or u4", Dtype::u32};
    case ScalarKind::i32: return {"i1, i2 or i4", Dtype::i32};
    default: return {"u1, i1, u2, f2 or f4", Dtype::f32};
    }
}

/// What to convert arrays to that hold no dtype of any image.
Dtype suiting(const ShaderBinding& binding) {
    return binding.kind == ferry::BindingKind::storage_texture
               ? texel_format(binding.texture.format).dtype()
               : taken_by(binding.texture.sample).widest;
}

/// The shader's texture with another type of texel, one that takes the dtype.
std::string texture_for(const ShaderBinding& binding, Dtype dtype) {
    const char letter = numpy_name(dtype)[0];
    return fmt::format("texture_2d{}<{}32>",
                       binding.texture.shape == TextureShape::d2_array ? "_array" : "", letter);
}

std::optional<ChannelKind> sampled_kind(ScalarKind sample, Dtype dtype) {
    const char letter = numpy_name(dtype)[0];
    switch (sample) {
    case ScalarKind::u32: return letter == 'u' ? std::optional(ChannelKind::uint) : std::nullopt;
    case ScalarKind::i32: return letter == 'i' ? std::optional(ChannelKind::sint) : std::nullopt;
    default: break;
    }
    if (letter == 'f' || dtype == Dtype::u16) return ChannelKind::floating;
    if (dtype == Dtype::u8) return ChannelKind::unorm;
    if (dtype == Dtype::i8) return ChannelKind::snorm;
    return std::nullopt;
}

std::unexpected<Error> misfit(const ShaderBinding& binding, const Source& source, std::string why,
                              std::string fix) {
    return fail(Errc::invalid_argument,
                fmt::format("{} does not fit binding {}: {}.", source_text(source),
                            binding_text(binding), why),
                std::move(fix));
}

Result<TexelFormat> sampled_format(const ShaderBinding& binding, const Source& source) {
    const ScalarKind sample = binding.texture.sample;
    const auto kind = sampled_kind(sample, source.dtype);
    if (!kind) {
        const auto [dtypes, widest] = taken_by(sample);
        return misfit(binding, source, fmt::format("it takes {}", dtypes),
                      fmt::format("Declare {}, or convert the image, arr.astype('{}').",
                                  texture_for(binding, source.dtype), numpy_name(widest)));
    }
    // WebGPU's own 16-bit unorm formats need a feature that few devices have.
    const bool spread = *kind == ChannelKind::floating && source.dtype == Dtype::u16;
    const std::uint32_t channels = source.channels == 3 ? 4 : source.channels;
    return texel_format(channels, spread ? 4 : value_bytes(source.dtype), *kind);
}

/// Whether values of the file become values of that format by a division.
bool is_normalised(Dtype from, Dtype to) {
    return to == Dtype::f32 && (from == Dtype::u8 || from == Dtype::u16);
}

Result<TexelFormat> storage_format(const ShaderBinding& binding, const Source& source) {
    const TexelFormat format = texel_format(binding.texture.format);
    const Dtype wanted = format.dtype();
    if (source.dtype != wanted && !is_normalised(source.dtype, wanted)) {
        return misfit(
            binding, source, fmt::format("its texels are of {}", numpy_name(wanted)),
            fmt::format("Convert it, arr.astype('{}'), and give it as .npy.", numpy_name(wanted)));
    }
    const std::uint32_t channels = source.channels == 3 ? 4 : source.channels;
    if (channels == format.channels || (source.grey_png && format.channels == 1)) return format;
    return misfit(binding, source, fmt::format("its texels have {} channel(s)", format.channels),
                  "Give as many channels as the format has; a grey image fits one channel.");
}

Result<TexelFormat> choose_format(const ShaderBinding& binding, const Source& source) {
    return binding.kind == ferry::BindingKind::storage_texture ? storage_format(binding, source)
                                                               : sampled_format(binding, source);
}

/// Bytes of the value that stands for opaque, and the number for the user.
struct Opaque {
    std::uint32_t bits;
    const char* text;
};
Opaque opaque_value(Dtype dtype) {
    switch (dtype) {
    case Dtype::u8: return {0xff, "255"};
    case Dtype::u16: return {0xffff, "65535"};
    case Dtype::i8: return {0x7f, "127"};
    case Dtype::f16: return {0x3c00, "1"};
    case Dtype::f32: return {0x3f80'0000, "1"};
    default: return {1, "1"};
    }
}

void fill_alpha(std::span<std::byte> texels, Dtype dtype) {
    const std::uint64_t value = value_bytes(dtype);
    const std::uint32_t bits = opaque_value(dtype).bits;
    for (std::size_t at = 3 * value; at < texels.size(); at += 4 * value)
        std::memcpy(&texels[at], &bits, value); // little-endian, as `npy_header` asserts
}

template <class Value>
Texels normalised(const Texels& from) {
    constexpr auto most = static_cast<float>(std::numeric_limits<Value>::max());
    const std::size_t count = from.size_bytes / sizeof(Value);
    Texels out(count * sizeof(float));
    for (std::size_t i = 0; i < count; ++i) {
        Value value;
        std::memcpy(&value, from.memory.get() + i * sizeof(Value), sizeof(Value));
        const float share = static_cast<float>(value) / most;
        std::memcpy(out.memory.get() + i * sizeof(float), &share, sizeof(float));
    }
    return out;
}

/// Of four channels, the first.
Texels first_channel(const Texels& from, std::uint64_t value) {
    Texels out(from.size_bytes / 4);
    for (std::size_t i = 0; i < out.size_bytes / value; ++i)
        std::memcpy(out.memory.get() + i * value, from.memory.get() + i * 4 * value, value);
    return out;
}

/// `texels` are of the source's values, with as many channels as the format, or four.
Texels to_format(Texels texels, const Source& source, const TexelFormat& format) {
    if (source.grey_png && format.channels == 1)
        texels = first_channel(texels, value_bytes(source.dtype));
    if (format.blue_first) swap_red_and_blue(texels.span());
    if (source.dtype == format.dtype()) return texels;
    return source.dtype == Dtype::u8 ? normalised<std::uint8_t>(texels)
                                     : normalised<std::uint16_t>(texels);
}

void note_changes(const ShaderBinding& binding, const Source& source, const TexelFormat& format,
                  std::vector<std::string>& notes) {
    if (source.channels == 3) {
        notes.push_back(fmt::format("\"{}\": {} has 3 channels and textures 4; alpha is added and "
                                    "is {}",
                                    binding.name, source.name, opaque_value(source.dtype).text));
    }
    if (source.dtype != format.dtype()) {
        notes.push_back(fmt::format("\"{}\": the values of {} are passed as value / {} in {}",
                                    binding.name, source.name, opaque_value(source.dtype).text,
                                    ferry::name(format.format)));
    }
}

Result<Picture> make_picture(const ShaderBinding& binding, const Source& source) {
    auto format = choose_format(binding, source);
    if (!format) return std::unexpected(std::move(format).error());
    Picture picture{.format = *format, .size = source.size};
    const auto plan = ferry::plan_write(picture.options({}, {}), {.tight = true});
    if (!plan) return std::unexpected(plan.error());
    return picture;
}

Result<Picture> load_png(const ShaderBinding& binding, Input& input,
                         std::vector<std::string>& notes) {
    auto image = read_png(input);
    if (!image) return std::unexpected(std::move(image).error());
    notes.insert(notes.end(), image->notes.begin(), image->notes.end());
    const Source source{.name = input.name(),
                        .dtype = image->dtype,
                        .channels = 4,
                        .size = {image->width, image->height},
                        .grey_png = image->grey};
    auto picture = make_picture(binding, source);
    if (!picture) return picture;
    note_changes(binding, source, picture->format, notes);
    picture->texels = to_format(std::move(image->rgba), source, picture->format);
    return picture;
}

/// Where the channels stand before height and width: how to put them behind.
std::string transposing(const std::vector<std::uint64_t>& shape, std::size_t first) {
    if (shape.size() != first + 3 || shape[first] == 0 || shape[first] > 4) return {};
    return fmt::format(" Where the channels come first: arr.transpose({}).",
                       first == 0 ? "1, 2, 0" : "0, 2, 3, 1");
}

/// (height, width) and (height, width, channels), with layers as the first axis of
/// texture_2d_array.
Result<Source> image_in(const ShaderBinding& binding, const Input& input, const Array& array,
                        std::vector<std::string>& notes) {
    const bool layered = binding.texture.shape == TextureShape::d2_array;
    const std::size_t first = layered ? 1 : 0;
    const auto& shape = array.shape;
    const bool fits = shape.size() == first + 2 ||
                      (shape.size() == first + 3 && shape.back() >= 1 && shape.back() <= 4);
    if (!fits || array.count() == 0) {
        return fail(Errc::invalid_argument,
                    fmt::format("The array {} of {} is no image for binding {}.", array_text(array),
                                input.name(), binding_text(binding)),
                    fmt::format("Give ({0}height, width), or ({0}height, width, channels) with 1 "
                                "to 4 channels.{1}",
                                layered ? "layers, " : "", transposing(shape, first)));
    }
    Source source{.name = input.name(), .dtype = array.dtype, .channels = 1};
    if (shape.size() == first + 3) source.channels = static_cast<std::uint32_t>(shape.back());
    source.size = {shape[first + 1], shape[first], layered ? shape[0] : 1};
    if (layered && shape.size() == 3 && shape.back() <= 4) {
        notes.push_back(fmt::format(
            "\"{}\": {} {} is taken as {} layers of {}x{} with one channel; "
            "one image is arr[None]",
            binding.name, input.name(), shape_text(shape), shape[0], shape[2], shape[1]));
    }
    return source;
}

Result<Picture> load_npy(const ShaderBinding& binding, Input& input,
                         std::vector<std::string>& notes) {
    auto header = read_npy_header(input, suiting(binding));
    if (!header) return std::unexpected(std::move(header).error());
    auto trailing = check_file_size(input, *header);
    if (!trailing) return std::unexpected(std::move(trailing).error());
    if (*trailing > 0) {
        notes.push_back(fmt::format("{} has {} after its array, which are not read", input.name(),
                                    size_text(*trailing)));
    }
    auto source = image_in(binding, input, header->array, notes);
    if (!source) return std::unexpected(std::move(source).error());
    auto picture = make_picture(binding, *source);
    if (!picture) return picture;
    note_changes(binding, *source, picture->format, notes);
    const std::uint64_t value = value_bytes(source->dtype);
    const std::uint64_t count = picture->layout().runs;
    const Layout layout{.runs = count,
                        .run_bytes = source->channels * value,
                        .stride_bytes = picture->format.channels * value,
                        .elements = count,
                        .buffer_bytes = count * picture->format.channels * value};
    Texels texels(layout.buffer_bytes);
    if (source->channels == 3) fill_alpha(texels.span(), source->dtype);
    Progress silent(false, {}, 0);
    if (auto ok = load_array(input, *header, layout, texels.span(), silent); !ok)
        return std::unexpected(std::move(ok).error());
    picture->texels = to_format(std::move(texels), *source, picture->format);
    return picture;
}
} // namespace

Result<Picture> load_picture(const ShaderBinding& binding, Input& input,
                             std::vector<std::string>& notes) {
    auto start = input.peek(8);
    if (!start) return std::unexpected(std::move(start).error());
    if (!is_png(*start) && !is_npy(*start)) {
        return fail(Errc::io,
                    fmt::format("The file {} is neither a .png nor a .npy file.", input.name()),
                    "Save the image as one of them.");
    }
    return is_png(*start) ? load_png(binding, input, notes) : load_npy(binding, input, notes);
}

} // namespace app
