// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>

#include "common.hpp"
#include "files.hpp"
#include "layout.hpp"
#include "npy.hpp"
#include "progress.hpp"

namespace app {

/// Checks the file's size against its header, before anything is made for it. Answers the bytes
/// that follow the array.
[[nodiscard]] Result<std::uint64_t> check_file_size(const Input& input, const NpyHeader& header);

/// Reads the array's data into `target`, which is memory of a buffer: bytes swapped, axes put into
/// C order and gaps left as `layout` has them. Straight from the file into the buffer wherever
/// nothing has to move.
[[nodiscard]] Result<> load_array(Input& input, const NpyHeader& header, const Layout& layout,
                                  std::span<std::byte> target, Progress& progress);

/// Writes header and data, gaps left out.
[[nodiscard]] Result<> save_array(Output& output, const Array& array, const Layout& layout,
                                  std::span<const std::byte> source, Progress& progress);

} // namespace app
