// SPDX-License-Identifier: MIT
#include <algorithm>

#include "base/align.hpp"
#include "base/error.hpp"
#include "engine/scope.hpp"
#include "shader/kernel_state.hpp"

namespace ferry::detail {

using base::fail;
using base::text;

namespace {

std::string binding_names(const KernelState& kernel) {
    std::string names;
    for (std::size_t index : kernel.entry().bindings) {
        names += text(names.empty() ? "" : ", ", kernel.shader.bindings[index].name);
    }
    return names.empty() ? "none" : names;
}

std::string named(const KernelState& kernel, const ShaderBinding& binding) {
    return text("binding \"", binding.name, "\" (@group(", binding.group, ") @binding(",
                binding.binding, ")) of \"", kernel.label, '"');
}

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

/// The argument for one of the kernel's bindings; exactly one must be there.
Result<const Binding*> find_argument(const KernelState& kernel, const ShaderBinding& binding,
                                     std::span<const Binding> arguments) {
    const std::string place = text(binding.group, '.', binding.binding);
    const Binding* found = nullptr;
    for (const Binding& argument : arguments) {
        if (argument.name != binding.name && argument.name != place) continue;
        if (found != nullptr) {
            return fail(Errc::invalid_argument, {},
                        text("The ", named(kernel, binding), " is given twice."),
                        "Give each binding once, by its name or by its place.");
        }
        found = &argument;
    }
    if (found == nullptr) {
        return fail(Errc::invalid_argument, {},
                    text("The ", named(kernel, binding), " is not given."),
                    text("Give a buffer for each of: ", binding_names(kernel), '.'));
    }
    if (!found->buffer.buffer) return std::unexpected(empty_handle("buffer", {}));
    return found;
}

Result<> check_names(const KernelState& kernel, std::span<const Binding> arguments) {
    for (const Binding& argument : arguments) {
        if (kernel.shader.find(argument.name) != nullptr) continue;
        return fail(
            Errc::invalid_argument, {},
            text("The kernel \"", kernel.label, "\" has no binding \"", argument.name, "\"."),
            text("Its bindings: ", binding_names(kernel), '.'));
    }
    return {};
}

Result<WGPUBindGroupEntry> entry_for(const KernelState& kernel, const ShaderBinding& binding,
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

/// One dispatch either writes to a buffer through one binding, or reads it through any number:
/// usage counts whole buffers.
Result<> check_aliases(const KernelState& kernel, std::span<const BufferUse> uses) {
    for (std::size_t i = 0; i < uses.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (uses[i].buffer != uses[j].buffer || !(uses[i].writes || uses[j].writes)) continue;
            const auto name_of = [&](std::size_t use) -> std::string_view {
                return kernel.shader.bindings[kernel.entry().bindings[use]].name;
            };
            return fail(
                Errc::invalid_argument, {},
                text("The ", uses[i].buffer->named(), " is bound as \"", name_of(j), "\" and as \"",
                     name_of(i), "\" of \"", kernel.label, "\", and one of them writes."),
                "Bind a buffer that the kernel writes to once; copy it for the other binding.");
        }
    }
    return {};
}

using Groups = std::vector<std::vector<WGPUBindGroupEntry>>;

Result<> create_groups(BindingsState& bindings, const Groups& groups) {
    const KernelState& kernel = *bindings.kernel;
    Core& core = *kernel.core;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        WGPUBindGroupDescriptor descriptor = WGPU_BIND_GROUP_DESCRIPTOR_INIT;
        descriptor.layout = kernel.groups[i].get();
        descriptor.entryCount = groups[i].size();
        descriptor.entries = groups[i].data();
        Scope scope(core.instance(), core.device(), Scope::Catch::validation);
        HeldBindGroup group(core.gpu(),
                            core.gpu().DeviceCreateBindGroup(core.device(), &descriptor));
        auto made = core.verdict(scope.close({"binding the buffers of", kernel.label}, group));
        if (!made) return made;
        bindings.groups.push_back(std::move(group));
    }
    return {};
}

} // namespace

Result<std::shared_ptr<BindingsState>> bind(const std::shared_ptr<KernelState>& kernel,
                                            std::span<const Binding> arguments) {
    if (auto ok = kernel->core->check_usable({"bind buffers for", kernel->label}); !ok) {
        return std::unexpected(std::move(ok).error());
    }
    if (auto ok = check_names(*kernel, arguments); !ok)
        return std::unexpected(std::move(ok).error());
    auto bindings = std::make_shared<BindingsState>();
    bindings->kernel = kernel;
    Groups groups(kernel->groups.size());
    for (std::size_t index : kernel->entry().bindings) {
        const ShaderBinding& binding = kernel->shader.bindings[index];
        auto argument = find_argument(*kernel, binding, arguments);
        if (!argument) return std::unexpected(std::move(argument).error());
        const BufferView& view = (*argument)->buffer;
        auto entry = entry_for(*kernel, binding, view);
        if (!entry) return std::unexpected(std::move(entry).error());
        groups[binding.group].push_back(*entry);
        bindings->uses.push_back({view.buffer, binding.kind == BindingKind::storage_buffer});
    }
    if (auto ok = check_aliases(*kernel, bindings->uses); !ok) {
        return std::unexpected(std::move(ok).error());
    }
    if (auto ok = create_groups(*bindings, groups); !ok)
        return std::unexpected(std::move(ok).error());
    return bindings;
}

} // namespace ferry::detail
