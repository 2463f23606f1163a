// SPDX-License-Identifier: MIT
#include "png.hpp"

#include <algorithm>
#include <bit>
#include <csetjmp>
#include <optional>

#include <fmt/format.h>
#include <png.h>

#include "text.hpp"

namespace app {

static_assert(std::endian::native == std::endian::little, "png_set_swap is asked for");

namespace {
constexpr std::string_view signature = "\x89PNG\r\n\x1a\n";
/// Deflate makes at most so many bytes of one.
constexpr std::uint64_t most_deflate_ratio = 1'032;
/// Much faster than zlib's 6, and photographs come out hardly larger.
constexpr int compression_level = 3;

/// libpng reports by callbacks; what they said stands here.
struct Talk {
    Input* input = nullptr;
    Output* output = nullptr;
    std::uint64_t done_bytes = 0;
    std::optional<Error> error{}; ///< of the file, or of what is in it
    std::vector<std::string> warnings{};
};

Talk& talk_of(png_structp png) { return *static_cast<Talk*>(png_get_error_ptr(png)); }

std::string damaged_text(const Talk& talk, std::string_view reason) {
    std::string text = fmt::format("The image {} is damaged: {}", talk.input->name(), reason);
    // "Invalid IHDR data" says less than the warnings before it.
    for (const std::string& each : talk.warnings) text += "; " + each;
    return text + '.';
}

void keep_error(png_structp png, const char* reason) {
    Talk& talk = talk_of(png);
    if (talk.error) return;
    if (talk.input != nullptr) {
        talk.error = Error{.code = Errc::io,
                           .what = damaged_text(talk, reason),
                           .fix = "Save or copy the file again."};
    } else {
        talk.error = Error{
            .code = Errc::internal,
            .what = fmt::format("libpng does not write {}: {}.", talk.output->name(), reason)};
    }
}

[[noreturn]] void on_error(png_structp png, png_const_charp reason) {
    keep_error(png, reason);
    png_longjmp(png, 1);
}

void on_warning(png_structp png, png_const_charp text) { talk_of(png).warnings.emplace_back(text); }

bool read_whole(Talk& talk, std::span<std::byte> target) {
    auto got = talk.input->read(target);
    if (!got) {
        talk.error = std::move(got).error();
        return false;
    }
    talk.done_bytes += *got;
    if (*got == target.size()) return true;
    talk.error =
        Error{.code = Errc::io,
              .what = fmt::format("The image {} ends too early, after {} bytes.",
                                  talk.input->name(), count_text(talk.done_bytes)),
              .fix = "The file was cut off while it was written or copied; make it again."};
    return false;
}

void on_read(png_structp png, png_bytep target, std::size_t size) {
    if (!read_whole(talk_of(png), {reinterpret_cast<std::byte*>(target), size}))
        png_longjmp(png, 1);
}

bool write_whole(Talk& talk, std::span<const std::byte> bytes) {
    auto put = talk.output->write(bytes);
    if (!put) talk.error = std::move(put).error();
    return put.has_value();
}

void on_write(png_structp png, png_bytep bytes, std::size_t size) {
    if (!write_whole(talk_of(png), {reinterpret_cast<const std::byte*>(bytes), size}))
        png_longjmp(png, 1);
}

void on_flush(png_structp) {}

/// libpng's two objects.
class Png {
public:
    explicit Png(Talk& talk, bool reads) : reads_(reads) {
        png_ = reads ? png_create_read_struct(PNG_LIBPNG_VER_STRING, &talk, on_error, on_warning)
                     : png_create_write_struct(PNG_LIBPNG_VER_STRING, &talk, on_error, on_warning);
        if (png_ != nullptr) info_ = png_create_info_struct(png_);
    }
    Png(const Png&) = delete;
    Png& operator=(const Png&) = delete;
    ~Png() {
        if (reads_) {
            png_destroy_read_struct(&png_, &info_, nullptr);
        } else {
            png_destroy_write_struct(&png_, &info_);
        }
    }

    /// Calls libpng, which ends `body` by a jump when something is wrong: nothing in there may have
    /// a destructor. Answers whether it came to its end.
    template <class Body>
    [[nodiscard]] bool call(const Body& body) {
        if (png_ == nullptr || info_ == nullptr) return false;
        if (setjmp(png_jmpbuf(png_)) != 0) return false;
        body(png_, info_);
        return true;
    }

private:
    bool reads_;
    png_structp png_ = nullptr;
    png_infop info_ = nullptr;
};

std::unexpected<Error> outcome(Talk& talk) {
    if (!talk.error) return fail(Errc::out_of_memory, "The host has no memory for libpng.");
    return std::unexpected(*std::move(talk.error));
}

/// What stands before the pixels.
struct Head {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    int bits = 0;
    int colour_type = 0;
    int interlace = 0;
    std::uint64_t stored_row_bytes = 0;
    const char* profile = nullptr; ///< name of an ICC profile
    bool srgb = false;
    bool transparent_colour = false;
    double gamma = 0; ///< 0: not said
};

void get_head(png_structp png, png_infop info, Head& head) {
    png_get_IHDR(png, info, &head.width, &head.height, &head.bits, &head.colour_type,
                 &head.interlace, nullptr, nullptr);
    head.stored_row_bytes = png_get_rowbytes(png, info);
    png_charp name = nullptr;
    png_bytep data = nullptr;
    int compression = 0, intent = 0;
    png_uint_32 size = 0;
    if (png_get_iCCP(png, info, &name, &compression, &data, &size) != 0) head.profile = name;
    head.srgb = png_get_sRGB(png, info, &intent) != 0;
    head.transparent_colour = png_get_valid(png, info, PNG_INFO_tRNS) != 0;
    if (png_get_gAMA(png, info, &head.gamma) == 0) head.gamma = 0;
}

const char* colour_text(int colour_type) {
    switch (colour_type) {
    case PNG_COLOR_TYPE_GRAY: return "grey";
    case PNG_COLOR_TYPE_GRAY_ALPHA: return "grey and alpha";
    case PNG_COLOR_TYPE_PALETTE: return "palette";
    case PNG_COLOR_TYPE_RGB: return "RGB";
    default: return "RGBA";
    }
}

std::string colour_space_text(const Head& head) {
    if (head.profile != nullptr)
        return fmt::format("its colours are of the ICC profile \"{}\"",
                           shortened(head.profile, 40));
    if (head.srgb) return "its colours are sRGB";
    if (head.gamma > 0) return fmt::format("its gamma is {:.5g}", head.gamma);
    return "it says nothing of gamma or colour space";
}

std::string head_text(const Head& head) {
    return fmt::format("{}x{}, {} bit {}{}; {}; values are passed as stored, without conversion",
                       head.width, head.height, head.bits, colour_text(head.colour_type),
                       head.interlace != PNG_INTERLACE_NONE ? ", interlaced" : "",
                       colour_space_text(head));
}

/// Before memory is made for it.
Result<> check_pixels(const Input& input, const Head& head) {
    const std::string says =
        fmt::format("The image {} says that it is {} x {} pixels", input.name(),
                    count_text(head.width), count_text(head.height));
    const std::uint64_t bytes = head.stored_row_bytes * head.height;
    const auto size = input.size_bytes();
    if (size && bytes / most_deflate_ratio > *size) {
        return fail(Errc::io, fmt::format("{}, which its {} cannot hold.", says, size_text(*size)),
                    "The file is damaged; save or copy it again.");
    }
    if (std::max(head.width, head.height) <= most_png_side) return {};
    return fail(Errc::limit_exceeded,
                fmt::format("{}, and ferry reads at most {} x {}.", says, count_text(most_png_side),
                            count_text(most_png_side)),
                "Cut it into tiles.");
}

/// Everything becomes red, green, blue and alpha of 8 or of 16 bits.
void ask_for_rgba(png_structp png, png_infop info, const Head& head) {
    png_set_expand(png); // palette, less than 8 bits, tRNS
    png_set_gray_to_rgb(png);
    png_set_add_alpha(png, head.bits == 16 ? 0xffff : 0xff, PNG_FILLER_AFTER);
    if (head.bits == 16) png_set_swap(png);
    png_set_interlace_handling(png);
    png_read_update_info(png, info);
}

/// Damage in a chunk of any kind is damage of the file.
void start_reading(png_structp png, png_infop info, Talk& talk) {
    png_set_read_fn(png, &talk, on_read);
    png_set_user_limits(png, 0x7fffffff, 0x7fffffff); // `check_pixels` says it better
    png_set_crc_action(png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
    png_read_info(png, info);
}

Result<> note_rest(Input& input, const Talk& talk, std::vector<std::string>& notes) {
    std::byte more{};
    auto got = input.read({&more, 1});
    if (!got) return std::unexpected(std::move(got).error());
    if (*got == 0) return {};
    const auto size = input.size_bytes();
    notes.push_back(
        fmt::format("{} goes on after its image{}; that is not read", input.name(),
                    size ? fmt::format(", for {}", size_text(*size - talk.done_bytes)) : ""));
    return {};
}
} // namespace

bool is_png(std::string_view start) noexcept { return start.starts_with(signature); }

Result<PngImage> read_png(Input& input) {
    Talk talk{.input = &input};
    Png png(talk, true);
    Head head;
    if (!png.call([&](png_structp p, png_infop info) {
            start_reading(p, info, talk);
            get_head(p, info, head);
        }))
        return outcome(talk);
    if (auto ok = check_pixels(input, head); !ok) return std::unexpected(std::move(ok).error());

    PngImage image{.width = head.width,
                   .height = head.height,
                   .dtype = head.bits == 16 ? Dtype::u16 : Dtype::u8,
                   .grey = head.colour_type == PNG_COLOR_TYPE_GRAY && !head.transparent_colour};
    image.notes.push_back(input.name() + ": " + head_text(head));
    const std::uint64_t row_bytes = 4 * value_bytes(image.dtype) * head.width;
    image.rgba = Texels(row_bytes * head.height);
    std::vector<png_bytep> rows(head.height);
    for (std::size_t y = 0; y < rows.size(); ++y)
        rows[y] = reinterpret_cast<png_bytep>(image.rgba.memory.get() + y * row_bytes);
    if (!png.call([&](png_structp p, png_infop info) {
            ask_for_rgba(p, info, head);
            if (png_get_rowbytes(p, info) != row_bytes)
                png_error(p, "its rows are of another size");
            png_read_image(p, rows.data());
            png_read_end(p, nullptr);
        }))
        return outcome(talk);
    for (const std::string& each : talk.warnings)
        image.notes.push_back(fmt::format("{}: {}", input.name(), each));
    if (auto ok = note_rest(input, talk, image.notes); !ok)
        return std::unexpected(std::move(ok).error());
    return image;
}

Result<> write_png(Output& output, const PngRows& image, Progress& progress) {
    constexpr int colour_types[] = {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA,
                                    PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_RGBA};
    const std::uint64_t value = value_bytes(image.dtype);
    const std::uint64_t row_bytes = image.channels * value * image.width;
    const auto* first = reinterpret_cast<png_const_bytep>(image.bytes.data());
    Talk talk{.output = &output};
    Png png(talk, false);
    if (!png.call([&](png_structp p, png_infop info) {
            png_set_write_fn(p, &talk, on_write, on_flush);
            png_set_compression_level(p, compression_level);
            png_set_filter(p, PNG_FILTER_TYPE_BASE, PNG_FAST_FILTERS);
            png_set_IHDR(p, info, image.width, image.height, static_cast<int>(value * 8),
                         colour_types[image.channels - 1], PNG_INTERLACE_NONE,
                         PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
            png_write_info(p, info);
            if (value == 2) png_set_swap(p);
            for (std::uint64_t y = 0; y < image.height; ++y) {
                png_write_row(p, first + y * row_bytes);
                progress.at((y + 1) * row_bytes);
            }
            png_write_end(p, nullptr);
        }))
        return outcome(talk);
    return {};
}

} // namespace app
