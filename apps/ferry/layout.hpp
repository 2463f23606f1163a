// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "array.hpp"
#include "common.hpp"
#include "ferry/shader.hpp"

namespace app {

/// How the values of an array lie in a buffer: in equal runs, with a gap after each where WGSL has
/// one. A vec3 is three values and a gap of one; everything but vectors and matrices of three rows
/// lies without gaps.
struct Layout {
    std::uint64_t runs = 0;
    std::uint64_t run_bytes = 0;    ///< of values
    std::uint64_t stride_bytes = 0; ///< from one run to the next
    std::uint64_t elements = 0;     ///< WGSL elements: what the default number of threads is
    std::uint64_t buffer_bytes = 0;

    [[nodiscard]] bool packed() const noexcept { return run_bytes == stride_bytes || runs < 2; }
    /// Without the gaps.
    [[nodiscard]] std::uint64_t value_bytes() const noexcept { return runs * run_bytes; }
    /// The layout of `rows` of the array's `of_rows`, which are whole elements.
    [[nodiscard]] Layout part(std::uint64_t rows, std::uint64_t of_rows) const noexcept;
};

/// How `array` lies in a buffer for `binding`, if its dtype and shape fit the WGSL type.
[[nodiscard]] Result<Layout> fit(const ferry::ShaderBinding& binding, const Array& array);

/// The array of `bytes` bytes (0: of exactly the type's own size) that has the binding's WGSL type.
[[nodiscard]] Result<Array> natural_array(const ferry::ShaderBinding& binding, std::uint64_t bytes);

/// The axes of an array that fits the binding, without those that one element has.
[[nodiscard]] std::vector<std::uint64_t> axes_of_elements(const ferry::ShaderBinding& binding,
                                                          const Array& array, const Layout& layout);
/// The array of elements of the binding's type that has these axes.
[[nodiscard]] Array array_of_elements(const ferry::ShaderBinding& binding,
                                      std::vector<std::uint64_t> axes);

/// The bytes of a vector or matrix column, and from one column to the next.
struct Column {
    std::uint64_t bytes = 0;
    std::uint64_t stride_bytes = 0;
};
[[nodiscard]] Column column_of(const ferry::WgslType& type);
[[nodiscard]] std::uint64_t columns_per_element(const ferry::WgslType& type);

} // namespace app
