// SPDX-License-Identifier: MIT
#include "commands/copy_rules.hpp"

#include "base/align.hpp"
#include "base/error.hpp"

namespace ferry::detail {

using base::fail;
using base::text;

namespace {

Result<> check_usage(const BufferState& buffer, BufferUsage needed, std::string_view role,
                     std::string_view rule = "K-03") {
    if (has(buffer.usage, needed)) return {};
    const std::string_view usage = needed == BufferUsage::copy_src ? "copy_src" : "copy_dst";
    return fail(Errc::invalid_argument, rule,
                text("The ", role, ' ', buffer.named(), " lacks the usage ", usage, '.'),
                text("Make it with BufferUsage::", usage, '.'));
}

/// The view's range with its size filled in.
Result<Span64> resolve(const BufferView& view, std::string_view role,
                       std::string_view rule = "K-05") {
    const BufferState& buffer = *view.buffer;
    const std::uint64_t offset = view.range.offset_bytes;
    if (!base::fits(offset, view.range.size_bytes.value_or(0), buffer.size_bytes)) {
        return fail(Errc::invalid_argument, rule,
                    text("The ", role, " range (offset ", offset, ", size ",
                         view.range.size_bytes ? text(*view.range.size_bytes) : "to the end",
                         ") is outside ", buffer.named(), " of (", buffer.size_bytes, ") bytes."),
                    text("Stay inside [0, ", buffer.size_bytes, ")."));
    }
    return Span64{offset, view.range.size_bytes.value_or(buffer.size_bytes - offset)};
}

Result<> check_offset(const BufferState& buffer, std::uint64_t offset, std::string_view role,
                      std::string_view rule = "K-04") {
    if (offset % 4 == 0) return {};
    return fail(Errc::invalid_argument, rule,
                text("The ", role, " offset (", offset, ") of ", buffer.named(),
                     " is not a multiple of 4."),
                text("Start at ", base::round_down(offset, 4), '.'));
}

/// Whether the engine may be asked for whole words up to `range`'s end without touching a visible
/// byte behind it.
bool ends_with_buffer(const BufferState& buffer, const Span64& range) {
    return range.end() == buffer.size_bytes && buffer.allocated_bytes % 4 == 0;
}

std::unexpected<Error> odd_size(const BufferState& buffer, const Span64& range,
                                std::string_view operation, std::string_view rule) {
    return fail(
        Errc::invalid_argument, rule,
        text("The ", operation, " size (", range.size_bytes, ") is not a multiple of 4, and ",
             range_text(range), " do not end at the end of ", buffer.named(), " (",
             buffer.size_bytes, " bytes)."),
        text("Use ", base::round_down(range.size_bytes, 4), " bytes, or a range up to the end."));
}

} // namespace

Result<> check_buffer(const Core& core, const BufferView& view, std::string_view role) {
    if (!view.buffer) return std::unexpected(empty_handle(text(role, " buffer"), {}));
    if (view.buffer->core.get() == &core) return {};
    return fail(Errc::invalid_argument, "K-03",
                text("The ", role, ' ', view.buffer->named(), " belongs to another device."),
                "Use buffers of the device that records.");
}

Result<CopyRange> plan_clear(const BufferView& target) {
    const BufferState& buffer = *target.buffer;
    if (auto ok = check_usage(buffer, BufferUsage::copy_dst, "target", "K-10"); !ok)
        return std::unexpected(std::move(ok).error());
    auto range = resolve(target, "target", "K-10");
    if (!range) return std::unexpected(std::move(range).error());
    if (auto ok = check_offset(buffer, range->offset_bytes, "target", "K-10"); !ok)
        return std::unexpected(std::move(ok).error());
    if (range->size_bytes % 4 != 0 && !ends_with_buffer(buffer, *range))
        return odd_size(buffer, *range, "clear", "K-10");
    return CopyRange{range->offset_bytes, *base::round_up(range->size_bytes, 4)};
}

Result<BufferCopy> plan_copy(const BufferView& source, const BufferView& target) {
    const BufferState& from = *source.buffer;
    const BufferState& to = *target.buffer;
    if (auto ok = check_usage(from, BufferUsage::copy_src, "source"); !ok)
        return std::unexpected(std::move(ok).error());
    if (auto ok = check_usage(to, BufferUsage::copy_dst, "target"); !ok)
        return std::unexpected(std::move(ok).error());
    if (&from == &to) {
        return fail(Errc::invalid_argument, "K-06",
                    text("The source and the target of a copy are both ", from.named(), '.'),
                    "Copy through a second buffer; WebGPU has no copy inside one buffer, not even "
                    "of disjoint ranges.");
    }
    auto read = resolve(source, "source");
    if (!read) return std::unexpected(std::move(read).error());
    auto write =
        resolve(BufferView(target.buffer, {target.range.offset_bytes,
                                           target.range.size_bytes.value_or(read->size_bytes)}),
                "target");
    if (!write) return std::unexpected(std::move(write).error());
    if (write->size_bytes != read->size_bytes) {
        return fail(Errc::invalid_argument, "K-02",
                    text("The source has (", read->size_bytes, ") bytes and the target (",
                         write->size_bytes, ")."),
                    "Leave the target's size out, or make both equal.");
    }
    if (auto ok = check_offset(from, read->offset_bytes, "source"); !ok)
        return std::unexpected(std::move(ok).error());
    if (auto ok = check_offset(to, write->offset_bytes, "target"); !ok)
        return std::unexpected(std::move(ok).error());
    if (read->size_bytes % 4 != 0) {
        if (!ends_with_buffer(from, *read)) return odd_size(from, *read, "copy", "K-04");
        if (!ends_with_buffer(to, *write)) return odd_size(to, *write, "copy", "K-04");
    }
    const std::uint64_t size = *base::round_up(read->size_bytes, 4);
    return BufferCopy{{read->offset_bytes, size}, {write->offset_bytes, size}};
}

Result<Span64> resolve_write(const BufferView& target) {
    const BufferState& to = *target.buffer;
    if (auto ok = check_usage(to, BufferUsage::copy_dst, "target"); !ok)
        return std::unexpected(std::move(ok).error());
    auto range = resolve(target, "target");
    if (!range) return range;
    if (auto ok = check_offset(to, range->offset_bytes, "target"); !ok)
        return std::unexpected(std::move(ok).error());
    if (range->size_bytes % 4 != 0 && !ends_with_buffer(to, *range))
        return odd_size(to, *range, "copy", "K-04");
    return range;
}

Result<CopyRange> plan_staged_copy(std::uint64_t size_bytes, const BufferView& target) {
    if (target.range.size_bytes.value_or(size_bytes) != size_bytes) {
        return fail(Errc::invalid_argument, "K-02",
                    text("The staged memory has (", size_bytes, ") bytes and the target (",
                         *target.range.size_bytes, ")."),
                    "Leave the target's size out, or make both equal.");
    }
    auto range = resolve_write({target.buffer, {target.range.offset_bytes, size_bytes}});
    if (!range) return std::unexpected(std::move(range).error());
    return CopyRange{range->offset_bytes, *base::round_up(size_bytes, 4)};
}

WideRead widened(const Span64& range) {
    if (range.size_bytes == 0) return {};
    const std::uint64_t first = base::round_down(range.offset_bytes, 4);
    const std::uint64_t last = *base::round_up(range.end(), 4);
    return {{first, last - first}, range.offset_bytes - first, range.size_bytes};
}

Result<WideRead> plan_read(const BufferView& source, std::size_t element_size) {
    const BufferState& buffer = *source.buffer;
    if (auto ok = check_usage(buffer, BufferUsage::copy_src, "source"); !ok) {
        return std::unexpected(std::move(ok).error());
    }
    auto range = resolve(source, "source");
    if (!range) return std::unexpected(std::move(range).error());
    if (range->size_bytes % element_size != 0) {
        return fail(Errc::invalid_argument, {},
                    text("The (", range->size_bytes, ") bytes to read of ", buffer.named(),
                         " are not a whole number of elements of (", element_size, ") bytes."),
                    text("Read ", range->size_bytes - range->size_bytes % element_size,
                         " bytes, or read them as std::byte."));
    }
    const WideRead wide = widened(*range);
    const std::uint64_t last = wide.copy.offset_bytes + wide.copy.size_bytes;
    if (last > buffer.allocated_bytes) {
        return fail(Errc::invalid_argument, "K-04",
                    text("The last bytes of ", buffer.named(), " cannot be read: its engine size (",
                         buffer.allocated_bytes, ") is not a multiple of 4."),
                    text("Read up to byte ", base::round_down(buffer.allocated_bytes, 4), '.'));
    }
    return wide;
}

} // namespace ferry::detail
