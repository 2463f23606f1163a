// SPDX-License-Identifier: MIT
#include "array.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "text.hpp"

namespace app {

std::uint64_t scalar_bytes(ScalarKind scalar) noexcept { return scalar == ScalarKind::f16 ? 2 : 4; }

const char* numpy_name(ScalarKind scalar) noexcept {
    switch (scalar) {
    case ScalarKind::f16: return "f2";
    case ScalarKind::f32: return "f4";
    case ScalarKind::i32: return "i4";
    case ScalarKind::u32: return "u4";
    case ScalarKind::boolean:
    case ScalarKind::none: break;
    }
    return "?";
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
    std::uint64_t bytes = scalar_bytes(array.scalar);
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
    return fmt::format("{} {}", numpy_name(array.scalar), shape_text(array.shape));
}

} // namespace app
