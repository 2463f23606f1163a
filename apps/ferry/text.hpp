// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace app {

/// "1,000,003"
[[nodiscard]] std::string count_text(std::uint64_t number);
/// "64 MiB" where that is exact, else "1,000 bytes" or "1.5 GiB".
[[nodiscard]] std::string size_text(std::uint64_t bytes);
/// As Python writes a shape: "()", "(3,)", "(3, 4)".
[[nodiscard]] std::string shape_text(std::span<const std::uint64_t> shape);
[[nodiscard]] std::string join(std::span<const std::string> parts, std::string_view separator);
/// The candidate that was probably meant, or empty.
[[nodiscard]] std::string nearest(std::string_view name, std::span<const std::string> candidates);
/// Broken into lines of at most `columns` characters; every line but the first starts with `indent`
/// spaces.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t first, std::size_t indent,
                                  std::size_t columns = 100);
/// Cut to at most `columns` characters, with "..." at the end where something is missing.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t columns);

/// A text table. The last column is not padded.
class Table {
public:
    explicit Table(std::vector<std::string> head) { rows_.push_back(std::move(head)); }
    void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
    /// A line of its own, under the row before it, from the second column on.
    void note(std::string text) { rows_.push_back({std::move(text)}); }
    [[nodiscard]] std::string text(std::size_t indent = 0) const;

private:
    std::vector<std::vector<std::string>> rows_;
};

} // namespace app
