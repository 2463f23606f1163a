// SPDX-License-Identifier: MIT
#include "mapping.hpp"

#include <algorithm>

namespace ferry_fake {

std::optional<Mapping> Mapping::create(WGPUMapMode mode, std::uint64_t offset, std::uint64_t size) {
    Mapping mapping;
    mapping.mode_ = mode;
    mapping.offset_ = offset;
    mapping.size_ = size;
    if (size > max_host_block) return std::nullopt;
    // The block ends where the mapping ends, so that a write behind it is caught too.
    std::size_t const bytes = mapping.pad() + static_cast<std::size_t>(size);
    mapping.block_.reset(static_cast<std::byte*>(std::calloc(std::max<std::size_t>(bytes, 1), 1)));
    if (!mapping.block_) return std::nullopt;
    return mapping;
}

std::byte* Mapping::place(std::uint64_t offset, std::uint64_t size) const {
    const bool aligned = offset % 8 == 0 && size % 4 == 0;
    const bool inside =
        offset >= offset_ && offset - offset_ <= size_ && size <= size_ - (offset - offset_);
    return aligned && inside ? data() + (offset - offset_) : nullptr;
}

std::byte* Mapping::range(std::uint64_t offset, std::uint64_t size, bool writable) {
    std::byte* const pointer = place(offset, size);
    if (!pointer) return nullptr;
    // Rules G-06 and G-09: disjoint means that one starts at or after the other's end. Const ranges
    // may overlap.
    std::uint64_t const end = offset + size;
    const bool collides = std::any_of(ranges_.begin(), ranges_.end(), [&](const Range& other) {
        bool const disjoint = offset >= other.end || other.begin >= end;
        return !disjoint && (writable || other.writable);
    });
    if (collides) return nullptr;
    ranges_.push_back({offset, end, writable});
    return pointer;
}

} // namespace ferry_fake
