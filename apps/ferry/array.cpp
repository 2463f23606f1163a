// SPDX-License-Identifier: MIT
#include "array.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>

#include "text.hpp"

namespace app {

namespace {
struct DtypeInfo {
    Dtype dtype;
    std::uint64_t bytes;
    const char* numpy_name;
    ScalarKind scalar = ScalarKind::none;
};
constexpr std::array dtypes{
    DtypeInfo{Dtype::f16, 2, "f2", ScalarKind::f16},
    DtypeInfo{Dtype::f32, 4, "f4", ScalarKind::f32},
    DtypeInfo{Dtype::i32, 4, "i4", ScalarKind::i32},
    DtypeInfo{Dtype::u32, 4, "u4", ScalarKind::u32},
    DtypeInfo{Dtype::i8, 1, "i1"},
    DtypeInfo{Dtype::i16, 2, "i2"},
    DtypeInfo{Dtype::u8, 1, "u1"},
    DtypeInfo{Dtype::u16, 2, "u2"},
};

DtypeInfo info_of(Dtype dtype) noexcept {
    for (const DtypeInfo& each : dtypes) {
        if (each.dtype == dtype) return each;
    }
    return {Dtype::none, 4, "?"}; // the words of a struct
}
} // namespace

Dtype dtype_of(ScalarKind scalar) noexcept {
    for (const DtypeInfo& each : dtypes) {
        if (scalar != ScalarKind::none && each.scalar == scalar) return each.dtype;
    }
    return Dtype::none;
}

ScalarKind scalar_of(Dtype dtype) noexcept { return info_of(dtype).scalar; }

std::uint64_t value_bytes(Dtype dtype) noexcept { return info_of(dtype).bytes; }

std::uint64_t scalar_bytes(ScalarKind scalar) noexcept { return value_bytes(dtype_of(scalar)); }

const char* numpy_name(Dtype dtype) noexcept { return info_of(dtype).numpy_name; }

Dtype dtype_named(std::string_view numpy_name) noexcept {
    for (const DtypeInfo& each : dtypes) {
        if (each.numpy_name == numpy_name) return each.dtype;
    }
    return Dtype::none;
}

const char* wgsl_name(ScalarKind scalar) noexcept {
    switch (scalar) {
    case ScalarKind::f16: return "f16";
    case ScalarKind::f32: return "f32";
    case ScalarKind::i32: return "i32";
    case ScalarKind::u32: return "u32";
    case ScalarKind::boolean: return "bool";
    case ScalarKind::none: break;
    }
    return "struct";
}

std::uint64_t Array::count() const noexcept {
    std::uint64_t count = 1;
    for (const std::uint64_t each : shape) count *= each;
    return count;
}

Result<> check_size(const Array& array) {
    constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (std::find(array.shape.begin(), array.shape.end(), 0) != array.shape.end()) return {};
    std::uint64_t bytes = value_bytes(array.dtype);
    for (const std::uint64_t each : array.shape) {
        if (__builtin_mul_overflow(bytes, each, &bytes) || bytes > most) {
            return fail(Errc::limit_exceeded,
                        fmt::format("The shape {} is of more bytes than 64 bits can count.",
                                    shape_text(array.shape)),
                        "Check the array: its shape is not one that any memory holds.");
        }
    }
    return {};
}

std::string array_text(const Array& array) {
    return fmt::format("{} {}", numpy_name(array.dtype), shape_text(array.shape));
}

} // namespace app
