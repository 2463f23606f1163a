// SPDX-License-Identifier: MIT
#include "transfer.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>

#include <fmt/format.h>

#include "text.hpp"

namespace app {

namespace {
constexpr std::size_t piece_bytes = std::size_t{8} << 20;
/// Small enough for the cache, and a multiple of every run: a column has 1 to 4 values of 1 to
/// 4 bytes.
constexpr std::size_t bounce_bytes = std::size_t{48} << 12;

std::unexpected<Error> too_short(const Input& input, const NpyHeader& header, std::uint64_t have) {
    return fail(
        Errc::invalid_argument,
        fmt::format("{} ends too early: an array {} has {} bytes of data and the file holds {}.",
                    input.name(), array_text(header.array), count_text(header.array.bytes()),
                    count_text(have)),
        "The file was cut off while it was written or copied; make it again.");
}

void swap_bytes(std::span<std::byte> bytes, std::uint64_t unit) {
    for (std::size_t at = 0; at + unit <= bytes.size(); at += unit) {
        std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                     bytes.begin() + static_cast<std::ptrdiff_t>(at + unit));
    }
}

/// A source of the array's values in C order and native bytes.
class Values {
public:
    Values(Input& input, const NpyHeader& header) : input_(input), header_(header) {}

    /// Fills `target` whole.
    Result<> read(std::span<std::byte> target) {
        auto got = input_.read(target);
        if (!got) return std::unexpected(std::move(got).error());
        if (*got < target.size())
            return too_short(input_, header_, input_.taken_bytes() - header_.offset_bytes);
        if (header_.big_endian) swap_bytes(target, value_bytes(header_.array.dtype));
        return {};
    }

private:
    Input& input_;
    const NpyHeader& header_;
};

/// Nothing has to move but, at most, the bytes of one value.
Result<> load_packed(Values& values, bool swapped, std::span<std::byte> target,
                     Progress& progress) {
    // Memory of a GPU may be slow to read back: bytes are swapped before they go there.
    auto bounce = std::make_unique_for_overwrite<std::byte[]>(swapped ? bounce_bytes : 1);
    for (std::size_t at = 0; at < target.size();) {
        const std::size_t size = std::min(target.size() - at, swapped ? bounce_bytes : piece_bytes);
        const auto place = target.subspan(at, size);
        const auto read_to = swapped ? std::span(bounce.get(), size) : place;
        if (auto ok = values.read(read_to); !ok) return ok;
        if (swapped) std::memcpy(place.data(), bounce.get(), size);
        progress.at(at += size);
    }
    return {};
}

void spread(const std::byte* source, std::byte* target, std::uint64_t runs, const Layout& layout) {
    for (std::uint64_t run = 0; run < runs; ++run) {
        std::memcpy(target + run * layout.stride_bytes, source + run * layout.run_bytes,
                    layout.run_bytes);
    }
}

void gather(const std::byte* source, std::byte* target, std::uint64_t runs, const Layout& layout) {
    for (std::uint64_t run = 0; run < runs; ++run) {
        std::memcpy(target + run * layout.run_bytes, source + run * layout.stride_bytes,
                    layout.run_bytes);
    }
}

/// Runs with gaps between them.
Result<> load_spread(Values& values, const Layout& layout, std::span<std::byte> target,
                     Progress& progress) {
    auto bounce = std::make_unique_for_overwrite<std::byte[]>(bounce_bytes);
    const std::uint64_t at_once = bounce_bytes / layout.run_bytes;
    for (std::uint64_t run = 0; run < layout.runs;) {
        const std::uint64_t runs = std::min(layout.runs - run, at_once);
        if (auto ok = values.read({bounce.get(), runs * layout.run_bytes}); !ok) return ok;
        spread(bounce.get(), target.data() + run * layout.stride_bytes, runs, layout);
        progress.at((run += runs) * layout.stride_bytes);
    }
    return {};
}

/// Walks the array in C order; `offset` is the place of the element in Fortran order.
template <class Unit, class Put>
void for_each_transposed(const Array& array, const std::byte* source, Put put) {
    const std::size_t axes = array.shape.size();
    std::vector<std::uint64_t> index(axes, 0), stride(axes, 1);
    for (std::size_t axis = 1; axis < axes; ++axis)
        stride[axis] = stride[axis - 1] * array.shape[axis - 1];
    const std::uint64_t count = array.count();
    std::uint64_t offset = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
        Unit value;
        std::memcpy(&value, source + offset * sizeof(Unit), sizeof(Unit));
        put(value);
        for (std::size_t axis = axes; axis-- > 0;) {
            offset += stride[axis];
            if (++index[axis] < array.shape[axis]) break;
            offset -= stride[axis] * index[axis];
            index[axis] = 0;
        }
    }
}

template <class Unit>
void transpose(const Array& array, const Layout& layout, const std::byte* source,
               std::span<std::byte> target) {
    std::uint64_t in_run = 0;
    std::byte* run = target.data();
    for_each_transposed<Unit>(array, source, [&](Unit value) {
        std::memcpy(run + in_run, &value, sizeof(Unit));
        if ((in_run += sizeof(Unit)) == layout.run_bytes) {
            run += layout.stride_bytes;
            in_run = 0;
        }
    });
}

/// Fortran order: the file is read whole, since its first value of a row is followed by one of
/// another row.
Result<> load_transposed(Values& values, const NpyHeader& header, const Layout& layout,
                         std::span<std::byte> target, Progress& progress) {
    const std::uint64_t bytes = header.array.bytes();
    auto whole = std::make_unique_for_overwrite<std::byte[]>(bytes);
    if (auto ok = load_packed(values, false, {whole.get(), bytes}, progress); !ok) return ok;
    switch (value_bytes(header.array.dtype)) {
    case 1: transpose<std::uint8_t>(header.array, layout, whole.get(), target); break;
    case 2: transpose<std::uint16_t>(header.array, layout, whole.get(), target); break;
    default: transpose<std::uint32_t>(header.array, layout, whole.get(), target);
    }
    return {};
}

} // namespace

bool is_transposed(const NpyHeader& header) {
    const auto& shape = header.array.shape;
    return header.fortran_order && std::count_if(shape.begin(), shape.end(),
                                                 [](std::uint64_t axis) { return axis > 1; }) > 1;
}

Result<std::uint64_t> check_file_size(const Input& input, const NpyHeader& header) {
    const auto size = input.size_bytes();
    if (!size) return 0;
    const std::uint64_t have = *size - std::min(*size, header.offset_bytes);
    const std::uint64_t need = header.array.bytes();
    if (have < need) return too_short(input, header, have);
    return have - need;
}

Result<> load_array(Input& input, const NpyHeader& header, const Layout& layout,
                    std::span<std::byte> target, Progress& progress) {
    Values values(input, header);
    if (is_transposed(header)) {
        return load_transposed(values, header, layout, target, progress);
    }
    if (layout.packed()) {
        return load_packed(values, header.big_endian, target.first(layout.value_bytes()), progress);
    }
    return load_spread(values, layout, target, progress);
}

Result<> save_array(Output& output, const Array& array, const Layout& layout,
                    std::span<const std::byte> source, Progress& progress) {
    if (auto ok = save_header(output, array); !ok) return ok;
    return save_values(output, layout, source, progress);
}

Result<> save_header(Output& output, const Array& array) {
    const std::string header = npy_header(array);
    return output.write(std::as_bytes(std::span(header)));
}

Result<> save_values(Output& output, const Layout& layout, std::span<const std::byte> source,
                     Progress& progress) {
    if (layout.packed()) {
        const auto data = source.first(layout.value_bytes());
        for (std::size_t at = 0; at < data.size();) {
            const std::size_t size = std::min(data.size() - at, piece_bytes);
            if (auto ok = output.write(data.subspan(at, size)); !ok) return ok;
            progress.at(at += size);
        }
        return {};
    }
    auto bounce = std::make_unique_for_overwrite<std::byte[]>(bounce_bytes);
    const std::uint64_t at_once = bounce_bytes / layout.run_bytes;
    for (std::uint64_t run = 0; run < layout.runs;) {
        const std::uint64_t runs = std::min(layout.runs - run, at_once);
        gather(source.data() + run * layout.stride_bytes, bounce.get(), runs, layout);
        if (auto ok = output.write({bounce.get(), runs * layout.run_bytes}); !ok) return ok;
        progress.at((run += runs) * layout.stride_bytes);
    }
    return {};
}

} // namespace app
