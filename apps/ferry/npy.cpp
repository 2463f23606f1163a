// SPDX-License-Identifier: MIT
#include "npy.hpp"

#include <bit>
#include <charconv>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "text.hpp"

namespace app {

static_assert(std::endian::native == std::endian::little, "npy_header writes '<'");

namespace {
constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t most_header_bytes = std::size_t{1} << 20;

std::unexpected<Error> wrong(std::string what,
                             std::string fix = "Write the file again with numpy.save.") {
    return fail(Errc::invalid_argument, std::move(what), std::move(fix));
}

/// A reader of the Python literal in the header: {'descr': '<f4', 'fortran_order': False, 'shape':
/// (3, 4), }
class Literal {
public:
    explicit Literal(std::string_view text) : rest_(text) {}

    bool skip(char wanted) {
        space();
        if (!rest_.starts_with(wanted)) return false;
        rest_.remove_prefix(1);
        return true;
    }
    bool word(std::string_view wanted) {
        space();
        if (!rest_.starts_with(wanted)) return false;
        rest_.remove_prefix(wanted.size());
        return true;
    }
    char peek() {
        space();
        return rest_.empty() ? '\0' : rest_.front();
    }
    std::optional<std::string> string() {
        const char quote = peek();
        if (quote != '\'' && quote != '"') return std::nullopt;
        const auto end = rest_.find(quote, 1);
        if (end == std::string_view::npos) return std::nullopt;
        std::string text(rest_.substr(1, end - 1));
        rest_.remove_prefix(end + 1);
        return text;
    }
    /// Nothing when it is no number, or none that fits.
    std::optional<std::uint64_t> number() {
        space();
        std::uint64_t value = 0;
        const auto [end, failed] =
            std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
        if (failed != std::errc{}) return std::nullopt;
        rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
        skip('L'); // Python 2 wrote 3L
        return value;
    }

private:
    void space() {
        while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\n'))
            rest_.remove_prefix(1);
    }
    std::string_view rest_;
};

/// The words for a dtype that shaders have no type for.
std::unexpected<Error> no_such_type(std::string_view descr, std::string_view kind,
                                    std::string_view to) {
    return wrong(fmt::format("The array holds {} (dtype '{}'), which no buffer or texture holds.",
                             kind, descr),
                 fmt::format("Convert it before saving: numpy.save(path, arr.astype('{}')).", to));
}

Result<> read_dtype(const std::string& descr, Dtype suits, NpyHeader& header) {
    const auto to = [&](const char* otherwise) {
        return suits == Dtype::none ? otherwise : numpy_name(suits);
    };
    std::string_view text = descr;
    if (text.starts_with('>')) header.big_endian = true;
    if (text.find_first_of("<>=|") == 0) text.remove_prefix(1);
    header.array.dtype = dtype_named(text);
    if (header.array.dtype != Dtype::none) return {};
    if (text == "f8") return no_such_type(descr, "64-bit floats", to("f4"));
    if (text.starts_with('f')) return no_such_type(descr, "long floats", to("f4"));
    if (text.starts_with('i')) return no_such_type(descr, "integers of over 32 bits", to("i4"));
    if (text.starts_with('u')) return no_such_type(descr, "integers of over 32 bits", to("u4"));
    if (text.starts_with('b')) return no_such_type(descr, "booleans", to("u4"));
    if (text.starts_with('c')) {
        return wrong(
            fmt::format(
                "The array holds complex numbers (dtype '{}'), which no buffer or texture holds.",
                descr),
            "View them as pairs: numpy.save(path, arr.astype('c8').view('f4')), for array<vec2f>.");
    }
    if (text.starts_with('O')) {
        return wrong(
            fmt::format("The array holds Python objects (dtype '{}'), which only Python can read.",
                        descr),
            "Convert it to numbers before saving: numpy.save(path, arr.astype('f4')).");
    }
    return no_such_type(descr, "no numbers", to("f4"));
}

Result<> read_shape(Literal& literal, NpyHeader& header) {
    if (!literal.skip('(')) return wrong("The header of the .npy file has no shape.");
    while (!literal.skip(')')) {
        const auto axis = literal.number();
        if (!axis)
            return wrong(
                "The header of the .npy file has a shape that is not made of numbers below 2^64.");
        header.array.shape.push_back(*axis);
        if (!literal.skip(',') && literal.peek() != ')') {
            return wrong("The header of the .npy file has a shape that does not end.");
        }
    }
    return {};
}

Result<> read_entry(Literal& literal, const std::string& key, Dtype suits, NpyHeader& header) {
    if (key == "shape") return read_shape(literal, header);
    if (key == "fortran_order") {
        header.fortran_order = literal.word("True");
        if (header.fortran_order || literal.word("False")) return {};
    }
    if (key == "descr") {
        if (literal.peek() == '[') {
            return wrong("The array is a structured one, with named fields.",
                         "Save each field alone: numpy.save(path, arr['name']).");
        }
        if (const auto descr = literal.string()) return read_dtype(*descr, suits, header);
    }
    return wrong(
        fmt::format("The header of the .npy file has no readable \"{}\".", shortened(key, 40)));
}

Result<NpyHeader> parse_header(std::string_view text, Dtype suits) {
    NpyHeader header;
    Literal literal(text);
    int found = 0;
    if (!literal.skip('{'))
        return wrong("The header of the .npy file is not the dictionary that NumPy writes.");
    while (!literal.skip('}')) {
        const auto key = literal.string();
        if (!key || !literal.skip(':')) return wrong("The header of the .npy file is damaged.");
        if (auto ok = read_entry(literal, *key, suits, header); !ok)
            return std::unexpected(std::move(ok).error());
        ++found;
        literal.skip(',');
    }
    if (found != 3 || header.array.dtype == Dtype::none) {
        return wrong("The header of the .npy file does not hold descr, fortran_order and shape.");
    }
    if (auto ok = check_size(header.array); !ok) return std::unexpected(std::move(ok).error());
    return header;
}

std::unexpected<Error> not_npy(std::string_view start) {
    if (start.empty()) return wrong("The file is empty.");
    if (start.starts_with("PK")) {
        return wrong(
            "The file is a zip archive (.npz), and not one .npy array.",
            "Save the array alone: numpy.save('data.npy', numpy.load('data.npz')['name']).");
    }
    if (magic.starts_with(start))
        return wrong(
            fmt::format("The .npy file ends after {} bytes, inside its header.", start.size()));
    if (start.starts_with("\x89PNG")) {
        return wrong("The file is not a .npy file but a .png image, and the binding is a buffer.",
                     "Let the shader take it as texture_2d<f32>, or give the array as .npy.");
    }
    return wrong("The file is not a .npy file: it does not start with \"\\x93NUMPY\".",
                 "Convert it, for example: python3 -c \"import numpy as n; n.save('data.npy', "
                 "n.fromfile('data.bin', 'f4'))\".");
}
} // namespace

bool is_npy(std::string_view start) noexcept { return start.starts_with(magic); }

Result<NpyHeader> read_npy_header(Input& input, Dtype suits) {
    std::string start(12, '\0');
    auto got = input.read(std::as_writable_bytes(std::span(start.data(), 10)));
    if (!got) return std::unexpected(std::move(got).error());
    if (!start.starts_with(magic))
        return not_npy(std::string_view(start).substr(0, std::min<std::size_t>(*got, 6)));
    const int version = *got > 6 ? start[6] : 1;
    if (version < 1 || version > 3) {
        return wrong(fmt::format(
            "The .npy file is of version {} of the format; 1, 2 and 3 can be read.", version));
    }
    const std::size_t fixed = version == 1 ? 10 : 12;
    if (version > 1 && *got == 10) {
        auto more = input.read(std::as_writable_bytes(std::span(start.data() + 10, 2)));
        if (!more) return std::unexpected(std::move(more).error());
        *got += *more;
    }
    if (*got < fixed)
        return wrong(fmt::format("The .npy file ends after {} bytes, inside its header.", *got));
    std::size_t length = 0;
    for (std::size_t at = fixed; at > 8;)
        length = length << 8 | static_cast<unsigned char>(start[--at]);
    if (length > most_header_bytes) {
        return wrong(fmt::format("The header of the .npy file says that it is {} bytes long.",
                                 count_text(length)));
    }
    std::string text(length, '\0');
    auto read = input.read(std::as_writable_bytes(std::span(text)));
    if (!read) return std::unexpected(std::move(read).error());
    if (*read < length) {
        return wrong(fmt::format("The .npy file ends after {} bytes, inside its header of {}.",
                                 fixed + *read, fixed + length));
    }
    auto header = parse_header(text, suits);
    if (header) header->offset_bytes = fixed + length;
    return header;
}

std::string npy_header(const Array& array) {
    std::string text = fmt::format("{{'descr': '<{}', 'fortran_order': False, 'shape': {}, }}",
                                   numpy_name(array.dtype), shape_text(array.shape));
    const bool long_one = text.size() + 11 > 65535;
    const std::size_t fixed = long_one ? 12 : 10;
    text.append(63 - (fixed + text.size()) % 64, ' ');
    text += '\n';
    std::string start(magic);
    start += long_one ? '\2' : '\1';
    start += '\0';
    for (std::size_t i = 0; i < fixed - 8; ++i)
        start += static_cast<char>(text.size() >> (8 * i) & 0xff);
    return start + text;
}

} // namespace app
