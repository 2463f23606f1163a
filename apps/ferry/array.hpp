// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common.hpp"
#include "ferry/shader.hpp"

namespace app {

using ferry::ScalarKind;

[[nodiscard]] std::uint64_t scalar_bytes(ScalarKind scalar) noexcept;
/// NumPy's short name: "f4".
[[nodiscard]] const char* numpy_name(ScalarKind scalar) noexcept;
/// WGSL's name: "f32".
[[nodiscard]] const char* wgsl_name(ScalarKind scalar) noexcept;

/// What a NumPy array is, without its data: native bytes in C order.
struct Array {
    ScalarKind scalar = ScalarKind::none;
    std::vector<std::uint64_t> shape{};

    /// Only of a checked array: neither overflows.
    [[nodiscard]] std::uint64_t count() const noexcept;
    [[nodiscard]] std::uint64_t bytes() const noexcept { return count() * scalar_bytes(scalar); }
};

/// Whether its number of bytes fits 64 bits (and signed file offsets).
[[nodiscard]] Result<> check_size(const Array& array);

/// "f4 (10, 3)"
[[nodiscard]] std::string array_text(const Array& array);

} // namespace app
