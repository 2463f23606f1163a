// SPDX-License-Identifier: MIT
#include "shader/wgsl_errors.hpp"

#include <algorithm>
#include <charconv>

namespace ferry::shader {
namespace {

constexpr std::size_t shown_line_characters = 100;
constexpr std::size_t shown_name_bytes = 60;

std::uint8_t byte_at(std::string_view text, std::size_t at) noexcept {
    return at < text.size() ? static_cast<std::uint8_t>(text[at]) : std::uint8_t{0};
}

/// Byte range of a line, without its line break.
std::optional<std::string_view> line_text(std::string_view source, std::uint32_t line) {
    std::size_t begin = 0;
    std::uint32_t number = 1;
    for (std::size_t at = 0; at <= source.size();) {
        const std::size_t brk = line_break_length(source, at);
        if (brk == 0 && at < source.size()) {
            ++at;
            continue;
        }
        if (number == line) return source.substr(begin, at - begin);
        if (at == source.size()) break;
        at += brk;
        begin = at;
        ++number;
    }
    return std::nullopt;
}

/// Splits into characters; a byte that is not UTF-8 stands alone.
std::vector<std::string_view> characters_of(std::string_view line) {
    std::vector<std::string_view> out;
    for (std::size_t at = 0; at < line.size();) {
        const std::size_t length = std::max<std::size_t>(1, utf8_length(line, at));
        out.push_back(line.substr(at, length));
        at += length;
    }
    return out;
}

/// Control characters would reach the terminal, broken bytes would break JSON.
std::string_view printable(std::string_view character) {
    if (character == "\t") return character;
    const std::uint8_t first = byte_at(character, 0);
    if (first < 0x20 || first == 0x7f) return " ";
    if (first >= 0x80 && character.size() == 1) return "?";
    return character;
}

std::uint32_t characters_before(std::string_view line, std::size_t bytes) {
    const auto count = characters_of(line.substr(0, std::min(bytes, line.size()))).size();
    return static_cast<std::uint32_t>(count);
}

struct Place {
    std::uint32_t line = 1;
    std::uint32_t column = 1;
};

Place place_of(std::string_view source, std::size_t offset) {
    Place place;
    std::size_t begin = 0;
    for (std::size_t at = 0; at < offset;) {
        const std::size_t brk = line_break_length(source, at);
        at += std::max<std::size_t>(1, brk);
        if (brk == 0) continue;
        begin = at;
        ++place.line;
    }
    if (begin < offset) place.column += characters_before(source.substr(begin), offset - begin);
    return place;
}

/// The number that starts at `at`; moves `at` behind it.
std::optional<std::uint32_t> read_number(std::string_view text, std::size_t& at) {
    std::uint32_t number = 0;
    const char* begin = text.data() + at;
    const auto [end, fault] = std::from_chars(begin, text.data() + text.size(), number);
    if (fault != std::errc{}) return std::nullopt;
    at += static_cast<std::size_t>(end - begin);
    return number;
}

std::string_view trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

std::string_view line_around(std::string_view text, std::size_t at) {
    const std::size_t before = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
    const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
    return text.substr(begin, text.find('\n', at) - begin);
}

/// "LINE:COLUMN" that ends right before `end`.
std::optional<WgslErrorLocation> place_before(std::string_view text, std::size_t end) {
    const auto number_start = [&](std::size_t stop) {
        while (stop > 0 && text[stop - 1] >= '0' && text[stop - 1] <= '9') --stop;
        return stop;
    };
    std::size_t column_at = number_start(end);
    if (column_at == 0 || column_at == end || text[column_at - 1] != ':') return std::nullopt;
    std::size_t line_at = number_start(column_at - 1);
    const auto line = read_number(text, line_at);
    const auto column = read_number(text, column_at);
    if (!line || !column || *line == 0 || *column == 0) return std::nullopt;
    return WgslErrorLocation{*line, *column, {}, ColumnUnit::characters};
}

/// Tint: "Error while parsing WGSL: :3:13 error: unresolved value 'x'", then the source line.
std::optional<WgslErrorLocation> locate_tint(std::string_view text) {
    constexpr std::string_view mark = " error: ";
    for (std::size_t at = text.find(mark); at != std::string_view::npos;
         at = text.find(mark, at + 1)) {
        auto found = place_before(text, at);
        if (!found) continue;
        const std::size_t begin = at + mark.size();
        found->message = trimmed(text.substr(begin, text.find('\n', begin) - begin));
        found->unit = ColumnUnit::bytes;
        return found;
    }
    return std::nullopt;
}

/// naga's remarks below the source line, "  = Abstract types may only appear in ...".
std::string naga_notes(std::string_view text) {
    constexpr std::string_view mark = "\n  = ";
    std::string notes;
    for (std::size_t at = text.find(mark); at != std::string_view::npos;
         at = text.find(mark, at + 1)) {
        const std::string_view note = trimmed(line_around(text, at + mark.size()));
        notes += base::text(": ", note.substr(std::min<std::size_t>(2, note.size())));
    }
    return notes;
}

/// naga: "Shader 'label' parsing error: message", then "  ┌─ wgsl:3:13" and the source line.
std::optional<WgslErrorLocation> locate_naga(std::string_view text) {
    constexpr std::string_view mark = "┌─";
    const std::size_t at = text.find(mark);
    if (at == std::string_view::npos) return std::nullopt;
    const std::string_view line = line_around(text, at);
    auto found = place_before(line, trimmed(line).size() + line.find_first_not_of(" \t\r\n"));
    if (!found) return std::nullopt;
    const std::string_view above = text.substr(0, text.size() - text.substr(at).size());
    const std::string_view head = trimmed(line_around(text, trimmed(above).size()));
    const std::size_t colon = head.find(" error: ");
    const std::string_view fault =
        colon == std::string_view::npos ? head : trimmed(head.substr(colon + 8));
    found->message = base::text(fault, naga_notes(text.substr(at)));
    return found;
}

} // namespace

std::size_t line_break_length(std::string_view source, std::size_t at) noexcept {
    const std::uint8_t first = byte_at(source, at);
    if (first == '\r' && byte_at(source, at + 1) == '\n') return 2;
    if (first >= '\n' && first <= '\r') return 1; // LF, VT, FF, CR
    if (first == 0xc2 && byte_at(source, at + 1) == 0x85) return 2;
    const std::uint8_t third = byte_at(source, at + 2);
    const bool separator = third == 0xa8 || third == 0xa9; // U+2028, U+2029
    return first == 0xe2 && byte_at(source, at + 1) == 0x80 && separator ? 3 : 0;
}

std::size_t utf8_length(std::string_view text, std::size_t at) noexcept {
    const std::uint8_t first = byte_at(text, at);
    if (at >= text.size()) return 0;
    if (first < 0x80) return 1;
    const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4) return 0;
    for (std::size_t next = 1; next < length; ++next) {
        if ((byte_at(text, at + next) & 0xc0) != 0x80) return 0;
    }
    const std::uint8_t second = byte_at(text, at + 1);
    const bool overlong = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
    const bool outside = (first == 0xed && second > 0x9f) || (first == 0xf4 && second > 0x8f);
    return overlong || outside ? 0 : length;
}

std::optional<WgslErrorLocation> locate_wgsl_error(std::string_view engine_message) {
    if (auto found = locate_naga(engine_message)) return found;
    return locate_tint(engine_message);
}

std::string quote_source_line(std::string_view source, std::uint32_t line, std::uint32_t column) {
    const auto whole = line_text(source, line);
    if (!whole) return {};
    const auto characters = characters_of(*whole);
    const std::size_t mark = std::min<std::size_t>(std::max(column, 1U) - 1, characters.size());
    const std::size_t half = shown_line_characters / 2;
    const bool fits = characters.size() <= shown_line_characters;
    const std::size_t begin = fits || mark < half ? 0 : mark - half;
    const std::size_t end = std::min(characters.size(), begin + shown_line_characters);
    const std::string number = std::to_string(line);
    const std::size_t width = std::max<std::size_t>(3, number.size());
    std::string text = std::string(width - number.size(), ' ') + number + " | ";
    std::string below = std::string(width + 1, ' ') + "| ";
    if (begin > 0) text += "...", below += "   ";
    for (std::size_t at = begin; at < end; ++at) {
        text += printable(characters[at]);
        if (at < mark) below += characters[at] == "\t" ? '\t' : ' ';
    }
    if (end < characters.size()) text += "...";
    return text + '\n' + below + '^';
}

std::string quote_source_line(std::string_view source, const WgslErrorLocation& location) {
    const auto line = line_text(source, location.line);
    if (!line || location.unit == ColumnUnit::characters || location.column == 0) {
        return quote_source_line(source, location.line, location.column);
    }
    return quote_source_line(source, location.line,
                             characters_before(*line, location.column - 1) + 1);
}

std::string shown(std::string_view name) {
    if (name.size() <= shown_name_bytes) return std::string(name);
    std::size_t end = 0;
    while (end < shown_name_bytes) end += std::max<std::size_t>(1, utf8_length(name, end));
    return std::string(name.substr(0, end)) + "...";
}

std::unexpected<Error> fail_at(Errc code, std::string_view source, std::string_view at,
                               std::string_view what, std::string fix, std::source_location where) {
    const auto offset = static_cast<std::size_t>(at.data() - source.data());
    const Place place = place_of(source, std::min(offset, source.size()));
    auto failed = base::fail(
        code, {}, base::text(what, " (line ", place.line, ", column ", place.column, ")."),
        std::move(fix), where);
    failed.error().trail = quote_source_line(source, place.line, place.column);
    return failed;
}

} // namespace ferry::shader
