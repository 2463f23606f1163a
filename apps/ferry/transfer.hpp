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

/// Whether the array's values lie in the file in another order than in memory.
[[nodiscard]] bool is_transposed(const NpyHeader& header);

/// Reads the next values of the array, as many as `layout` has, into `target`, which is memory of a
/// buffer: bytes swapped, axes put into C order (only when all is read at once) and gaps left as
/// `layout` has them. Straight from the file into the buffer wherever nothing has to move.
[[nodiscard]] Result<> load_array(Input& input, const NpyHeader& header, const Layout& layout,
                                  std::span<std::byte> target, Progress& progress);

/// Writes the values that lie in `source`, gaps left out, behind those that were written before.
[[nodiscard]] Result<> save_header(Output& output, const Array& array);
[[nodiscard]] Result<> save_values(Output& output, const Layout& layout,
                                   std::span<const std::byte> source, Progress& progress);

/// Header and values of a whole array.
[[nodiscard]] Result<> save_array(Output& output, const Array& array, const Layout& layout,
                                  std::span<const std::byte> source, Progress& progress);

} // namespace app
