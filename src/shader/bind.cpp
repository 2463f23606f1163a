// SPDX-License-Identifier: MIT
#include "base/error.hpp"
#include "engine/scope.hpp"
#include "shader/bind_rules.hpp"

namespace ferry::detail {

using base::fail;
using base::text;

std::string named(const KernelState& kernel, const ShaderBinding& binding) {
    return text("binding \"", binding.name, "\" (@group(", binding.group, ") @binding(",
                binding.binding, ")) of \"", kernel.label, '"');
}

namespace {

std::string binding_names(const KernelState& kernel) {
    std::string names;
    for (std::size_t index : kernel.entry().bindings) {
        names += text(names.empty() ? "" : ", ", kernel.shader.bindings[index].name);
    }
    return names.empty() ? "none" : names;
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
                    text("Give a buffer or a texture for each of: ", binding_names(kernel), '.'));
    }
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

using Groups = std::vector<std::vector<WGPUBindGroupEntry>>;

/// One binding with what is bound to it.
struct Bound {
    const ShaderBinding* binding;
    const BufferState* buffer = nullptr;
    const TextureState* texture = nullptr;
    ViewPart part{};

    [[nodiscard]] std::string name_of_resource() const {
        return buffer != nullptr ? buffer->named() : texture->named();
    }
};

bool overlap(std::uint64_t first, std::uint64_t count, std::uint64_t other_first,
             std::uint64_t other_count) {
    return first < other_first + other_count && other_first < first + count;
}

/// Usage counts whole buffers, but each level and layer of a texture by itself.
bool share(const Bound& a, const Bound& b) {
    if (a.buffer != nullptr) return a.buffer == b.buffer;
    return a.texture == b.texture &&
           overlap(a.part.mip, a.part.mip_levels, b.part.mip, b.part.mip_levels) &&
           overlap(a.part.layer, a.part.layers, b.part.layer, b.part.layers);
}

/// What a kernel is given, while it is checked.
class Binder {
public:
    explicit Binder(BindingsState& bindings)
        : bindings_(bindings), kernel_(*bindings.kernel), groups_(kernel_.groups.size()) {}

    [[nodiscard]] Result<> add(const ShaderBinding& binding, const Binding& argument) {
        if (const auto* buffer = std::get_if<BufferView>(&argument.resource))
            return add(binding, *buffer);
        return add(binding, std::get<TextureView>(argument.resource));
    }
    [[nodiscard]] const Groups& groups() const noexcept { return groups_; }

private:
    Result<> add(const ShaderBinding& binding, const BufferView& view) {
        if (!view.buffer) return std::unexpected(empty_handle("buffer", {}));
        if (!is_buffer(binding.kind)) return wrong_kind(binding, "buffer", "texture");
        auto entry = buffer_entry(kernel_, binding, view);
        if (!entry) return std::unexpected(std::move(entry).error());
        if (auto ok = claim({.binding = &binding, .buffer = view.buffer.get()}); !ok) return ok;
        groups_[binding.group].push_back(*entry);
        bindings_.uses.push_back({view.buffer, writes(binding)});
        return {};
    }

    Result<> add(const ShaderBinding& binding, const TextureView& view) {
        if (!view.texture) return std::unexpected(empty_handle("texture", {}));
        if (!is_texture(binding.kind)) return wrong_kind(binding, "texture", "buffer");
        auto part = texture_part(kernel_, binding, view);
        if (!part) return std::unexpected(std::move(part).error());
        if (auto ok = claim({&binding, nullptr, view.texture.get(), *part}); !ok) return ok;
        auto made = create_view(kernel_, binding, *view.texture, *part);
        if (!made) return std::unexpected(std::move(made).error());
        WGPUBindGroupEntry entry = WGPU_BIND_GROUP_ENTRY_INIT;
        entry.binding = binding.binding;
        entry.textureView = made->get();
        groups_[binding.group].push_back(entry);
        bindings_.views.push_back(*std::move(made));
        bindings_.texture_uses.push_back({view.texture, writes(binding)});
        return {};
    }

    std::unexpected<Error> wrong_kind(const ShaderBinding& binding, std::string_view given,
                                      std::string_view wanted) const {
        return fail(Errc::invalid_argument, {},
                    text("The ", named(kernel_, binding), " is a ", wanted, " (", binding.type.name,
                         "), and a ", given, " is given."),
                    text("Give a ", wanted, '.'));
    }

    /// One dispatch either writes through one binding, or reads through any number.
    Result<> claim(const Bound& one) {
        for (const Bound& other : bound_) {
            if (!share(one, other) || !(writes(*one.binding) || writes(*other.binding))) continue;
            return fail(Errc::invalid_argument, {},
                        text("The ", one.name_of_resource(), " is bound as \"", other.binding->name,
                             "\" and as \"", one.binding->name, "\" of \"", kernel_.label,
                             "\", and one of them writes."),
                        one.buffer != nullptr
                            ? "Bind a buffer that the kernel writes to once; copy it for the "
                              "other binding."
                            : "Bind mip levels or layers that do not overlap, or copy the texture "
                              "for the other binding.");
        }
        bound_.push_back(one);
        return {};
    }

    BindingsState& bindings_;
    const KernelState& kernel_;
    Groups groups_;
    std::vector<Bound> bound_{};
};

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
        auto made = core.verdict(scope.close({"binding the resources of", kernel.label}, group));
        if (!made) return made;
        bindings.groups.push_back(std::move(group));
    }
    return {};
}

} // namespace

Result<std::shared_ptr<BindingsState>> bind(const std::shared_ptr<KernelState>& kernel,
                                            std::span<const Binding> arguments) {
    if (auto ok = kernel->core->check_usable({"bind resources for", kernel->label}); !ok) {
        return std::unexpected(std::move(ok).error());
    }
    if (auto ok = check_names(*kernel, arguments); !ok)
        return std::unexpected(std::move(ok).error());
    auto bindings = std::make_shared<BindingsState>();
    bindings->kernel = kernel;
    Binder binder(*bindings);
    for (std::size_t index : kernel->entry().bindings) {
        const ShaderBinding& binding = kernel->shader.bindings[index];
        auto argument = find_argument(*kernel, binding, arguments);
        if (!argument) return std::unexpected(std::move(argument).error());
        if (auto ok = binder.add(binding, **argument); !ok)
            return std::unexpected(std::move(ok).error());
    }
    if (auto ok = create_groups(*bindings, binder.groups()); !ok)
        return std::unexpected(std::move(ok).error());
    return bindings;
}

} // namespace ferry::detail
