// SPDX-License-Identifier: MIT
#include "text.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include <fmt/format.h>

namespace app {

std::string count_text(std::uint64_t number) {
    std::string text = std::to_string(number);
    for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, 1, ',');
    return text;
}

std::string size_text(std::uint64_t bytes) {
    constexpr std::array names{"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    std::size_t unit = 0;
    for (std::uint64_t rest = bytes; rest >= 1024 && unit + 1 < names.size(); rest /= 1024) ++unit;
    if (unit == 0) return bytes == 1 ? "1 byte" : fmt::format("{} bytes", bytes);
    const std::uint64_t one = std::uint64_t{1} << (10 * unit);
    if (bytes % one == 0) return fmt::format("{} {}", bytes / one, names[unit]);
    if (unit == 1) return fmt::format("{} bytes", count_text(bytes));
    return fmt::format("{:.1f} {}", static_cast<double>(bytes) / static_cast<double>(one),
                       names[unit]);
}

std::string shape_text(std::span<const std::uint64_t> shape) {
    std::string text = "(";
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        text += fmt::format("{}{}", axis == 0 ? "" : ", ", shape[axis]);
    }
    return text + (shape.size() == 1 ? ",)" : ")");
}

std::string join(std::span<const std::string> parts, std::string_view separator) {
    return fmt::format("{}", fmt::join(parts, separator));
}

namespace {
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t changed = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({changed, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row.back();
}
} // namespace

std::string nearest(std::string_view name, std::span<const std::string> candidates) {
    std::string best;
    std::size_t best_distance = std::max<std::size_t>(1, name.size() / 2) + 1;
    for (const std::string& each : candidates) {
        if (const auto distance = edit_distance(name, each); distance < best_distance) {
            best = each;
            best_distance = distance;
        }
    }
    return best;
}

std::string wrapped(std::string_view text, std::size_t first, std::size_t indent,
                    std::size_t columns) {
    std::string out;
    std::size_t column = first;
    bool fresh = true; // nothing on this line yet
    while (!text.empty()) {
        const std::size_t end = std::min(text.find_first_of(" \n"), text.size());
        const std::string_view word = text.substr(0, end);
        const bool newline = end < text.size() && text[end] == '\n';
        if (!fresh && column + 1 + word.size() > columns) {
            out += '\n' + std::string(indent, ' ');
            column = indent;
            fresh = true;
        }
        out += (fresh ? "" : " ");
        out += word;
        column += word.size() + (fresh ? 0 : 1);
        fresh = false;
        text.remove_prefix(std::min(end + 1, text.size()));
        if (newline) {
            out += '\n' + std::string(indent, ' ');
            column = indent;
            fresh = true;
        }
    }
    return out;
}

std::string shortened(std::string_view text, std::size_t columns) {
    if (text.size() <= columns) return std::string(text);
    return std::string(text.substr(0, columns - 3)) + "...";
}

std::string Table::text(std::size_t indent) const {
    std::vector<std::size_t> widths(rows_.front().size());
    for (const auto& row : rows_) {
        for (std::size_t i = 0; row.size() > 1 && i < row.size(); ++i) {
            widths[i] = std::max(widths[i], row[i].size());
        }
    }
    const std::string margin(indent, ' ');
    std::string out;
    for (const auto& row : rows_) {
        if (row.size() == 1) {
            const std::size_t inner = indent + widths[0] + 2;
            out += std::string(inner, ' ') + wrapped(row[0], inner, inner) + '\n';
            continue;
        }
        std::string line = margin;
        for (std::size_t i = 0; i < row.size(); ++i) {
            line += i + 1 == row.size() ? row[i] : fmt::format("{:<{}}  ", row[i], widths[i]);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        out += line + '\n';
    }
    return out;
}

} // namespace app
