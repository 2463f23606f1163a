// SPDX-License-Identifier: MIT
#include <algorithm>

#include "base/align.hpp"
#include "base/error.hpp"
#include "shader/bind_rules.hpp"

namespace ferry::detail {

using base::fail;
using base::text;

namespace {

/// The range that is bound, with its size filled in; whole 4-byte words up to the end of the
/// buffer.
Result<Span64> bound_range(const KernelState& kernel, const ShaderBinding& binding,
                           const BufferView& view) {
    const BufferState& buffer = *view.buffer;
    const std::uint64_t offset = view.range.offset_bytes;
    if (!base::fits(offset, view.range.size_bytes.value_or(0), buffer.size_bytes)) {
        return fail(Errc::invalid_argument, {},
                    text("The range (offset ", offset, ", size ",
                         view.range.size_bytes ? text(*view.range.size_bytes) : "to the end",
                         ") for ", named(kernel, binding), " is outside ", buffer.named(), " of (",
                         buffer.size_bytes, ") bytes."),
                    "Bind a range inside the buffer.");
    }
    const std::uint64_t wanted = view.range.size_bytes.value_or(buffer.size_bytes - offset);
    const bool to_the_end = offset + wanted == buffer.size_bytes;
    const Span64 range{offset, to_the_end ? buffer.allocated_bytes - offset : wanted};
    if (range.size_bytes < std::max<std::uint64_t>(binding.type.min_binding_bytes, 4)) {
        return fail(Errc::invalid_argument, {},
                    text("The (", wanted, ") bytes for ", named(kernel, binding),
                         " are fewer than its type ", binding.type.name, " needs (",
                         std::max<std::uint64_t>(binding.type.min_binding_bytes, 4), ")."),
                    "Bind a larger buffer or range.");
    }
    if (binding.kind != BindingKind::uniform_buffer && range.size_bytes % 4 != 0) {
        return fail(Errc::invalid_argument, {},
                    text("The size (", wanted, ") for ", named(kernel, binding),
                         " is not a multiple of 4."),
                    text("Bind ", base::round_down(wanted, 4), " bytes."));
    }
    return range;
}

Result<> check_limits(const KernelState& kernel, const ShaderBinding& binding,
                      const BufferState& buffer, const Span64& range) {
    const Limits& limits = kernel.core->limits;
    const bool uniform = binding.kind == BindingKind::uniform_buffer;
    const std::uint64_t align = uniform ? limits.min_uniform_buffer_offset_alignment
                                        : limits.min_storage_buffer_offset_alignment;
    if (align != 0 && range.offset_bytes % align != 0) {
        return fail(Errc::invalid_argument, {},
                    text("The offset (", range.offset_bytes, ") in ", buffer.named(), " for ",
                         named(kernel, binding), " is not a multiple of ", align, '.'),
                    text("Bind from ", range.offset_bytes - range.offset_bytes % align, '.'));
    }
    const std::uint64_t most = uniform ? limits.max_uniform_buffer_binding_size_bytes
                                       : limits.max_storage_buffer_binding_size_bytes;
    if (range.size_bytes > most) {
        return fail(Errc::limit_exceeded, {},
                    text("The (", base::grouped(range.size_bytes), ") bytes of ", buffer.named(),
                         " for ", named(kernel, binding),
                         " are over the device's binding limit of (", base::grouped(most), ")."),
                    text("Bind a part, or open the device with a higher required_limits.max_",
                         uniform ? "uniform" : "storage", "_buffer_binding_size_bytes."));
    }
    return {};
}

Result<> check_usage(const KernelState& kernel, const ShaderBinding& binding,
                     const BufferState& buffer) {
    if (buffer.core != kernel.core) {
        return fail(
            Errc::invalid_argument, {},
            text("The ", buffer.named(), " belongs to another device than \"", kernel.label, "\"."),
            "Use buffers and kernels of one device.");
    }
    const bool uniform = binding.kind == BindingKind::uniform_buffer;
    if (has(buffer.usage, uniform ? BufferUsage::uniform : BufferUsage::storage)) return {};
    return fail(Errc::invalid_argument, {},
                text("The ", buffer.named(), " lacks the usage ", uniform ? "uniform" : "storage",
                     " for ", named(kernel, binding), '.'),
                text("Make it with BufferUsage::", uniform ? "uniform" : "storage", '.'));
}

} // namespace

Result<WGPUBindGroupEntry> buffer_entry(const KernelState& kernel, const ShaderBinding& binding,
                                        const BufferView& view) {
    if (auto ok = check_usage(kernel, binding, *view.buffer); !ok)
        return std::unexpected(std::move(ok).error());
    auto range = bound_range(kernel, binding, view);
    if (!range) return std::unexpected(std::move(range).error());
    if (auto ok = check_limits(kernel, binding, *view.buffer, *range); !ok)
        return std::unexpected(std::move(ok).error());
    WGPUBindGroupEntry entry = WGPU_BIND_GROUP_ENTRY_INIT;
    entry.binding = binding.binding;
    entry.buffer = view.buffer->handle;
    entry.offset = range->offset_bytes;
    entry.size = range->size_bytes;
    return entry;
}

} // namespace ferry::detail
