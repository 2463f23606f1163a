// SPDX-License-Identifier: MIT
#include "ferry/mapping.hpp"

#include <algorithm>

#include "base/align.hpp"
#include "base/error.hpp"
#include "resource/buffer_state.hpp"

namespace ferry::detail {

using base::fail;
using base::text;

namespace {

/// What of the mapping the user sees: the engine's part may be up to 3 bytes longer.
Span64 visible(const BufferState& buffer) {
    const std::uint64_t end = std::min(buffer.mapped.end(), buffer.size_bytes);
    return {buffer.mapped.offset_bytes, end - buffer.mapped.offset_bytes};
}

/// Touching is no overlap, and neither are two equal empty ranges (rule G-09).
bool disjoint(const Span64& a, const Span64& b) {
    return a.offset_bytes >= b.end() || b.offset_bytes >= a.end();
}

Result<Span64> resolve(const BufferState& buffer, const std::optional<ByteRange>& range) {
    const Span64 all = visible(buffer);
    if (!range) return all;
    const std::uint64_t offset = range->offset_bytes;
    if (offset % 8 != 0) {
        return fail(
            Errc::invalid_argument, "G-02",
            text("The range offset (", offset, ") of ", buffer.named(), " is not a multiple of 8."),
            text("Start at ", base::round_down(offset, 8), '.'));
    }
    if (offset < all.offset_bytes ||
        !base::fits(offset, range->size_bytes.value_or(0), all.end())) {
        return fail(Errc::invalid_argument, offset < all.offset_bytes ? "G-04" : "G-05",
                    text("The range (offset ", offset, ", size ",
                         range->size_bytes ? text(*range->size_bytes) : "to the end", ") of ",
                         buffer.named(), " is outside of what is mapped: ", range_text(all), '.'),
                    "Offsets count from the start of the buffer; map more, or ask for a part of "
                    "what is mapped.");
    }
    const Span64 part{offset, range->size_bytes.value_or(all.end() - offset)};
    if (part.size_bytes % 4 != 0 && part.end() != all.end()) {
        return fail(
            Errc::invalid_argument, "G-03",
            text("The range size (", part.size_bytes, ") of ", buffer.named(),
                 " is not a multiple of 4."),
            text("Ask for ", base::round_down(part.size_bytes, 4), " bytes, or up to the end."));
    }
    return part;
}

Result<> check_elements(const BufferState& buffer, const Span64& part, std::size_t size,
                        std::size_t align) {
    if (part.size_bytes % size != 0) {
        return fail(Errc::invalid_argument, {},
                    text("The range (", range_text(part), ") of ", buffer.named(),
                         " is not a whole number of elements of (", size, ") bytes."),
                    text("Ask for ", part.size_bytes - part.size_bytes % size, " bytes."));
    }
    const auto address = reinterpret_cast<std::uintptr_t>(buffer.memory) +
                         (part.offset_bytes - buffer.mapped.offset_bytes);
    if (part.size_bytes != 0 && address % align != 0) {
        return fail(Errc::invalid_argument, {},
                    text("The memory at offset (", part.offset_bytes, ") of ", buffer.named(),
                         " is not aligned for elements of alignment (", align, ")."),
                    text("Ask for a range whose offset is a multiple of ", align, '.'));
    }
    return {};
}

/// Ranges for writing never overlap until unmap (rules G-06, G-08).
Result<> claim(BufferState& buffer, const Span64& part) {
    if (buffer.mode == MapMode::read) return {};
    for (const Span64& other : buffer.handed_out) {
        if (disjoint(part, other)) continue;
        return fail(Errc::invalid_argument, "G-06",
                    text("The range (", range_text(part), ") of ", buffer.named(), " overlaps ",
                         range_text(other), ", which were handed out already."),
                    "Ask for each byte once between map and unmap, and keep the span.");
    }
    buffer.handed_out.push_back(part);
    return {};
}

} // namespace

MappingBase::MappingBase(std::shared_ptr<BufferState> buffer) noexcept
    : buffer_(std::move(buffer)), life_(buffer_->life) {}

MappingBase& MappingBase::operator=(MappingBase&& other) noexcept {
    MappingBase taken(std::move(other));
    buffer_.swap(taken.buffer_);
    life_.swap(taken.life_);
    return *this;
}

MappingBase::~MappingBase() { (void)unmap(); }

Result<> MappingBase::unmap() {
    auto buffer = std::exchange(buffer_, nullptr);
    if (!buffer || !life_ || buffer->life != life_) return {}; // ended in another way
    return buffer->unmap();
}

ByteRange MappingBase::range() const noexcept {
    if (!alive()) return {.size_bytes = 0};
    const Span64 all = visible(*buffer_);
    return {all.offset_bytes, all.size_bytes};
}

Result<MappedBytes> MappingBase::take(std::optional<ByteRange> range, std::size_t element_size,
                                      std::size_t element_align) {
    if (!buffer_ || !alive()) return std::unexpected(detached(life_.get()));
    auto part = resolve(*buffer_, range);
    if (!part) return std::unexpected(std::move(part).error());
    if (auto ok = check_elements(*buffer_, *part, element_size, element_align); !ok) {
        return std::unexpected(std::move(ok).error());
    }
    if (auto ok = claim(*buffer_, *part); !ok) return std::unexpected(std::move(ok).error());
    std::byte* data = buffer_->memory;
    if (data != nullptr) data += part->offset_bytes - buffer_->mapped.offset_bytes;
    return MappedBytes{life_, data, static_cast<std::size_t>(part->size_bytes)};
}

Error detached(const MapLife* life) {
    const bool known = life != nullptr;
    return {
        Errc::wrong_state,
        "G-10",
        known ? text("The mapping of buffer \"", life->label, "\" has ended: ", life->reason(), '.')
              : std::string("The mapping is empty."),
        known ? "Copy the data before the mapping ends: copy() or copy_to()."
              : "Use a mapping that was taken from a ticket and not moved from.",
        {},
        {}};
}

Error out_of_range(const MapLife& life, std::size_t index, std::size_t size) {
    return {Errc::invalid_argument,
            {},
            text("The index (", index, ") is past the end of the (", size,
                 ") mapped elements of buffer \"", life.label, "\"."),
            "Stay below size().",
            {},
            {}};
}

} // namespace ferry::detail
