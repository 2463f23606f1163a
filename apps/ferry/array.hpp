// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common.hpp"
#include "ferry/shader.hpp"

namespace app {

using ferry::ScalarKind;

/// What one value of an array is. Buffers hold those that WGSL has a scalar for, images all of
/// them.
enum class Dtype : std::uint8_t { none, f16, f32, i8, i16, i32, u8, u16, u32 };

[[nodiscard]] Dtype dtype_of(ScalarKind scalar) noexcept;
[[nodiscard]] ScalarKind scalar_of(Dtype dtype) noexcept;
[[nodiscard]] std::uint64_t value_bytes(Dtype dtype) noexcept;
[[nodiscard]] std::uint64_t scalar_bytes(ScalarKind scalar) noexcept;
/// NumPy's short name: "f4".
[[nodiscard]] const char* numpy_name(Dtype dtype) noexcept;
[[nodiscard]] Dtype dtype_named(std::string_view numpy_name) noexcept;
/// WGSL's name: "f32".
[[nodiscard]] const char* wgsl_name(ScalarKind scalar) noexcept;

/// What a NumPy array is, without its data: native bytes in C order.
struct Array {
    Dtype dtype = Dtype::none;
    std::vector<std::uint64_t> shape{};

    /// Only of a checked array: neither overflows.
    [[nodiscard]] std::uint64_t count() const noexcept;
    [[nodiscard]] std::uint64_t bytes() const noexcept { return count() * value_bytes(dtype); }
};

/// Whether its number of bytes fits 64 bits (and signed file offsets).
[[nodiscard]] Result<> check_size(const Array& array);

/// "f4 (10, 3)"
[[nodiscard]] std::string array_text(const Array& array);

} // namespace app
