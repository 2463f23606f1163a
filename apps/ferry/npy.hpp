// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "array.hpp"
#include "common.hpp"
#include "files.hpp"

namespace app {

/// What stands before the data of a .npy file.
struct NpyHeader {
    Array array{};
    bool big_endian = false;
    bool fortran_order = false;     ///< the first axis varies fastest
    std::uint64_t offset_bytes = 0; ///< of the data in the file
};

[[nodiscard]] bool is_npy(std::string_view start) noexcept;

/// Reads the header and leaves `input` at the data. Versions 1, 2 and 3 of the format. Errors:
/// `invalid_argument` for a file that is no .npy file, is cut off, or holds values that no shader
/// takes; each with the way out, by way of `suits` where the binding takes that alone.
[[nodiscard]] Result<NpyHeader> read_npy_header(Input& input, Dtype suits);

/// The header of a file of native bytes in C order, its length a multiple of 64.
[[nodiscard]] std::string npy_header(const Array& array);

} // namespace app
