// SPDX-License-Identifier: MIT
#include "resource/write_rules.hpp"

#include "base/align.hpp"
#include "base/error.hpp"
#include "resource/texels.hpp"

namespace ferry::detail {

using base::fail;
using base::text;

namespace {

/// The part of the data that is asked for, in elements (rules W-01 to W-03).
Result<std::span<const std::byte>> pick(std::span<const std::byte> data, std::size_t element_size,
                                        const WriteOptions& options) {
    const std::size_t elements = data.size() / element_size;
    if (!base::fits(options.first, options.count.value_or(0), elements)) {
        return fail(Errc::invalid_argument, "W-03",
                    text("The elements (first ", options.first, ", count ",
                         options.count ? text(*options.count) : "the rest",
                         ") are outside the data of (", elements, ") elements."),
                    "first and count are in elements of the data, not in bytes.");
    }
    const std::size_t count = options.count.value_or(elements - options.first);
    return data.subspan(options.first * element_size, count * element_size);
}

Result<> check_target(const Core& core, const BufferState& target) {
    if (target.core.get() != &core) {
        return fail(Errc::invalid_argument, "W-06",
                    text("The ", target.named(), " belongs to another device."),
                    "Write on the device that made the buffer.");
    }
    if (!has(target.usage, BufferUsage::copy_dst)) {
        return fail(Errc::invalid_argument, "W-08",
                    text("The ", target.named(), " lacks the usage copy_dst."),
                    "Make it with BufferUsage::copy_dst, or give its data at creation.");
    }
    return {};
}

Result<> check_range(const BufferState& target, std::uint64_t offset, std::uint64_t size) {
    if (offset % 4 != 0) {
        return fail(
            Errc::invalid_argument, "W-09",
            text("The write offset (", offset, ") in ", target.named(), " is not a multiple of 4."),
            text("Write from ", base::round_down(offset, 4), " or ",
                 base::round_down(offset, 4) + 4, '.'));
    }
    if (!base::fits(offset, size, target.size_bytes)) {
        return fail(Errc::invalid_argument, "W-09",
                    text("The write (offset ", offset, ", ", size, " bytes) is outside ",
                         target.named(), " of (", target.size_bytes, ") bytes."),
                    text("Write at most ",
                         offset < target.size_bytes ? target.size_bytes - offset : 0,
                         " bytes from there."));
    }
    if (size % 4 == 0 || (offset + size == target.size_bytes && target.allocated_bytes % 4 == 0))
        return {};
    const std::uint64_t less = base::round_down(size, 4);
    return fail(Errc::invalid_argument, "W-04",
                text("The write size (", size,
                     ") is not a multiple of 4 and does not end at the end of ", target.named(),
                     " (", target.size_bytes, " bytes)."),
                text("Write ", less, " bytes or ", less + 4, ", or up to the end of the buffer."));
}

} // namespace

Result<std::span<const std::byte>> check_write(const Core& core,
                                               const std::shared_ptr<BufferState>& target,
                                               std::span<const std::byte> data,
                                               std::size_t element_size,
                                               const WriteOptions& options) {
    if (!target) return std::unexpected(empty_handle("buffer", {}));
    if (auto ok = check_target(core, *target); !ok) return std::unexpected(std::move(ok).error());
    auto bytes = pick(data, element_size, options);
    if (!bytes) return bytes;
    if (auto ok = check_range(*target, options.offset_bytes, bytes->size()); !ok)
        return std::unexpected(std::move(ok).error());
    return bytes;
}

} // namespace ferry::detail
