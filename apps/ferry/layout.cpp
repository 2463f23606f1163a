// SPDX-License-Identifier: MIT
#include "layout.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "text.hpp"

namespace app {

using ferry::ShaderBinding;
using ferry::WgslType;

namespace {
/// The axes that one element of the type has: none, (rows) or (columns, rows).
std::vector<std::uint64_t> element_shape(const WgslType& type) {
    if (type.columns > 1) return {type.columns, type.rows};
    if (type.rows > 1) return {type.rows};
    return {};
}

std::unexpected<Error> misfit(const ShaderBinding& binding, const Array& array, std::string why,
                              std::string fix) {
    return fail(Errc::invalid_argument,
                fmt::format("The array {} does not fit binding \"{}\", which is {}: {}.",
                            array_text(array), binding.name, binding.type.name, why),
                std::move(fix));
}

Result<> check_dtype(const ShaderBinding& binding, const Array& array) {
    const ScalarKind wanted = binding.type.scalar;
    if (wanted != ScalarKind::none && array.dtype == dtype_of(wanted)) return {};
    const std::string_view given = numpy_name(array.dtype);
    if (given[0] != 'f' && value_bytes(array.dtype) < 4) {
        return misfit(
            binding, array, "no WGSL buffer holds integers that are not of 32 bits",
            fmt::format("Convert it before saving, numpy.save(path, arr.astype('{}')), or "
                        "give it as an image to a texture.",
                        wanted != ScalarKind::none ? numpy_name(dtype_of(wanted))
                        : given[0] == 'u'          ? "u4"
                                                   : "i4"));
    }
    if (wanted != ScalarKind::none) {
        return misfit(binding, array,
                      fmt::format("it holds {} and the shader takes {} ({})", given,
                                  numpy_name(dtype_of(wanted)), wgsl_name(wanted)),
                      fmt::format("Convert it, arr.astype('{}'), or let the shader declare {}.",
                                  numpy_name(dtype_of(wanted)), wgsl_name(scalar_of(array.dtype))));
    }
    if (value_bytes(array.dtype) == 4) return {};
    return misfit(binding, array, "structs are given as words of 4 bytes",
                  "View the array as words: arr.view('u4').");
}

Result<> check_not_empty(const ShaderBinding& binding, const Array& array) {
    if (array.count() > 0) return {};
    return misfit(binding, array,
                  fmt::format("it is empty, and WebGPU binds no empty buffers (at least {} here)",
                              size_text(binding.type.min_binding_bytes)),
                  "Skip the run when there is nothing to compute, or give at least one element.");
}

Result<> check_count(const ShaderBinding& binding, const Array& array, std::uint64_t elements) {
    const WgslType& type = binding.type;
    const std::uint64_t wanted = type.is_array ? type.element_count : 1;
    if (type.runtime_sized || elements == wanted) return {};
    return misfit(
        binding, array,
        fmt::format("it has {} and the type has exactly {}",
                    elements == 1 ? "1 element" : count_text(elements) + " elements",
                    count_text(wanted)),
        type.is_array
            ? "Give an array of that length, or let the shader declare array<T> without a length."
            : "Give a single value, or let the shader declare array<T>.");
}

Result<Layout> fit_values(const ShaderBinding& binding, const Array& array) {
    const WgslType& type = binding.type;
    const auto inner = element_shape(type);
    const bool enough = array.shape.size() >= inner.size();
    if (!enough || !std::equal(inner.rbegin(), inner.rend(), array.shape.rbegin())) {
        const bool vectors = type.columns == 1;
        return misfit(
            binding, array,
            fmt::format(
                "its last {} {} and not {}", vectors ? "axis is to be" : "two axes are to be",
                vectors ? std::to_string(type.rows) : shape_text(inner),
                shape_text(
                    std::span(array.shape).last(std::min(inner.size(), array.shape.size())))),
            vectors
                ? fmt::format("Reshape it: arr.reshape(-1, {}).", type.rows)
                : fmt::format(
                      "Reshape it: arr.reshape(-1, {}, {}); WGSL matrices are stored by columns.",
                      type.columns, type.rows));
    }
    const Column column = column_of(type);
    const std::uint64_t element_runs = columns_per_element(type);
    Layout layout;
    layout.runs = array.count() / type.rows;
    layout.elements = layout.runs / element_runs;
    if (layout.runs % element_runs != 0) {
        return misfit(binding, array,
                      fmt::format("one element takes {} values", element_runs * type.rows),
                      "Give a multiple of that.");
    }
    layout.run_bytes = column.bytes;
    layout.stride_bytes = column.stride_bytes;
    if (auto ok = check_count(binding, array, layout.elements); !ok)
        return std::unexpected(std::move(ok).error());
    if (__builtin_mul_overflow(layout.runs, layout.stride_bytes, &layout.buffer_bytes)) {
        return misfit(binding, array, "it is of more bytes than 64 bits can count",
                      "Give a smaller array.");
    }
    layout.buffer_bytes = std::max(layout.buffer_bytes, type.min_binding_bytes);
    return layout;
}

/// Structs and arrays of structs or arrays: the bytes as they are, as many as a whole number of
/// elements takes.
Result<Layout> fit_words(const ShaderBinding& binding, const Array& array) {
    const WgslType& type = binding.type;
    const std::uint64_t bytes = array.bytes();
    const std::uint64_t head = type.is_array ? 0 : type.size_bytes;
    const std::uint64_t stride = std::max<std::uint64_t>(1, type.element_stride_bytes);
    const bool fits = type.runtime_sized
                          ? bytes >= type.min_binding_bytes && (bytes - head) % stride == 0
                          : bytes == type.min_binding_bytes;
    if (!fits) {
        const std::string wanted = type.runtime_sized
                                       ? fmt::format("{} and a whole number of times {}",
                                                     size_text(head), size_text(stride))
                                       : size_text(type.min_binding_bytes);
        return misfit(
            binding, array,
            fmt::format("it has {} and the type takes {}", size_text(bytes), wanted),
            "Give the struct's bytes as words of 4 bytes, gaps between members included.");
    }
    const std::uint64_t elements = type.runtime_sized ? (bytes - head) / stride
                                   : type.is_array    ? type.element_count
                                                      : 1;
    return Layout{.runs = 1,
                  .run_bytes = bytes,
                  .stride_bytes = bytes,
                  .elements = elements,
                  .buffer_bytes = bytes};
}
} // namespace

Column column_of(const WgslType& type) {
    const std::uint64_t bytes = type.rows * scalar_bytes(type.scalar);
    const bool padded = type.rows == 3 && (type.columns > 1 || type.is_array);
    return {bytes, padded ? bytes / 3 * 4 : bytes};
}

std::uint64_t columns_per_element(const WgslType& type) {
    // Arrays of arrays: the scan gives the scalar and the stride of the outer one, and no gaps lie
    // between inner elements.
    return type.is_array ? type.element_stride_bytes / column_of(type).stride_bytes : type.columns;
}

Result<Layout> fit(const ShaderBinding& binding, const Array& array) {
    if (auto ok = check_dtype(binding, array); !ok) return std::unexpected(std::move(ok).error());
    if (auto ok = check_not_empty(binding, array); !ok)
        return std::unexpected(std::move(ok).error());
    return binding.type.scalar == ScalarKind::none ? fit_words(binding, array)
                                                   : fit_values(binding, array);
}

Layout Layout::part(std::uint64_t rows, std::uint64_t of_rows) const noexcept {
    const std::uint64_t common = std::gcd(rows, of_rows);
    const auto scaled = [&](std::uint64_t number) {
        return number / (of_rows / common) * (rows / common);
    };
    Layout part = *this;
    if (runs == 1) {
        part.run_bytes = scaled(run_bytes);
        part.stride_bytes = scaled(stride_bytes);
    } else {
        part.runs = scaled(runs);
    }
    part.elements = scaled(elements);
    part.buffer_bytes = part.runs * part.stride_bytes;
    return part;
}

std::vector<std::uint64_t> axes_of_elements(const ShaderBinding& binding, const Array& array,
                                            const Layout& layout) {
    const std::size_t inner = element_shape(binding.type).size();
    auto axes = array.shape;
    axes.resize(axes.size() - std::min(axes.size(), inner));
    const bool whole = Array{array.dtype, axes}.count() == layout.elements;
    return whole ? axes : std::vector{layout.elements};
}

Array array_of_elements(const ShaderBinding& binding, std::vector<std::uint64_t> axes) {
    const WgslType& type = binding.type;
    if (type.scalar == ScalarKind::none) {
        axes.push_back(type.element_stride_bytes / 4);
        return {.dtype = Dtype::u32, .shape = std::move(axes)};
    }
    const std::uint64_t columns = columns_per_element(type);
    if (columns != type.columns) axes.push_back(columns / type.columns);
    for (const std::uint64_t axis : element_shape(type)) axes.push_back(axis);
    return {.dtype = dtype_of(type.scalar), .shape = std::move(axes)};
}

Result<Array> natural_array(const ShaderBinding& binding, std::uint64_t bytes) {
    const WgslType& type = binding.type;
    const std::uint64_t size = bytes == 0 ? type.min_binding_bytes : bytes;
    Array array{.dtype = type.scalar == ScalarKind::none ? Dtype::u32 : dtype_of(type.scalar)};
    const bool words = type.scalar == ScalarKind::none;
    const std::uint64_t unit = words           ? 4
                               : type.is_array ? column_of(type).stride_bytes * type.columns
                                               : size;
    if (unit == 0 || size % unit != 0 || size == 0) {
        return fail(
            Errc::invalid_argument,
            fmt::format(
                "{} is no whole number of elements of binding \"{}\" ({}), which are of {}.",
                size_text(size), binding.name, type.name, size_text(unit)),
            "Give a multiple of that, or a type with a shape: f32[1024].");
    }
    if (words || type.is_array) array.shape = {size / unit};
    if (!words) {
        for (const std::uint64_t axis : element_shape(type)) array.shape.push_back(axis);
    }
    return array;
}

} // namespace app
