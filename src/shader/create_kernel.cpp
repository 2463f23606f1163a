// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "engine/scope.hpp"
#include "shader/bind_rules.hpp"
#include "shader/wgsl_errors.hpp"

namespace ferry::detail {

using base::fail;
using base::text;

namespace {

/// The names of the compute entry points, for messages.
std::string entry_names(const ShaderInfo& shader) {
    std::string names;
    for (const EntryPoint& entry : shader.entry_points) {
        if (entry.stage != ShaderStage::compute) continue;
        names += text(names.empty() ? "" : ", ", entry.name);
    }
    return names;
}

Result<std::size_t> choose_entry(const ShaderInfo& shader, std::string_view wanted) {
    std::vector<std::size_t> fits;
    for (std::size_t i = 0; i < shader.entry_points.size(); ++i) {
        const EntryPoint& entry = shader.entry_points[i];
        if (entry.stage != ShaderStage::compute) continue;
        if (wanted.empty() || entry.name == wanted) fits.push_back(i);
    }
    if (fits.size() == 1) return fits.front();
    const std::string names = entry_names(shader);
    if (fits.size() > 1) {
        return fail(Errc::invalid_argument, {},
                    text("The shader has several compute entry points: ", names, '.'),
                    "Name one: KernelOptions::entry, or --entry.");
    }
    if (names.empty()) {
        return fail(Errc::invalid_argument, {}, "The shader has no compute entry point.",
                    "Mark one: @compute @workgroup_size(64) fn main(...) { ... }");
    }
    return fail(Errc::invalid_argument, {},
                text("The shader has no compute entry point (", wanted, ")."),
                text("Name one of: ", names, '.'));
}

Result<> check_workgroup(const Limits& limits, const std::array<std::uint32_t, 3>& size) {
    const std::array<std::uint32_t, 3> most{limits.max_compute_workgroup_size_x,
                                            limits.max_compute_workgroup_size_y,
                                            limits.max_compute_workgroup_size_z};
    for (std::size_t i = 0; i < 3; ++i) {
        if (size[i] <= most[i]) continue;
        return fail(Errc::limit_exceeded, {},
                    text("The workgroup size (", size[0], ", ", size[1], ", ", size[2],
                         ") is over the device's limit of (", most[0], ", ", most[1], ", ", most[2],
                         ")."),
                    "Use smaller workgroups and more of them.");
    }
    const std::uint64_t threads = std::uint64_t{size[0]} * size[1] * size[2];
    if (threads <= limits.max_compute_invocations_per_workgroup) return {};
    return fail(Errc::limit_exceeded, {},
                text("The workgroup has (", threads, ") threads, over the device's limit of (",
                     limits.max_compute_invocations_per_workgroup, ")."),
                "Use smaller workgroups and more of them.");
}

/// One layout for each group up to the last that is used: exactly the bindings that the entry point
/// uses.
Result<std::vector<HeldBindGroupLayout>> create_layouts(Core& core, const KernelState& kernel) {
    std::vector<std::vector<WGPUBindGroupLayoutEntry>> groups;
    for (std::size_t index : kernel.entry().bindings) {
        const ShaderBinding& binding = kernel.shader.bindings[index];
        if (binding.group >= groups.size()) groups.resize(binding.group + 1);
        groups[binding.group].push_back(layout_entry(binding));
    }
    std::vector<HeldBindGroupLayout> out;
    for (const auto& entries : groups) {
        WGPUBindGroupLayoutDescriptor descriptor = WGPU_BIND_GROUP_LAYOUT_DESCRIPTOR_INIT;
        descriptor.entryCount = entries.size();
        descriptor.entries = entries.data();
        Scope scope(core.instance(), core.device(), Scope::Catch::validation);
        HeldBindGroupLayout layout(
            core.gpu(), core.gpu().DeviceCreateBindGroupLayout(core.device(), &descriptor));
        auto made = core.verdict(scope.close({"making a binding layout of", kernel.label}, layout));
        if (!made) return std::unexpected(std::move(made).error());
        out.push_back(std::move(layout));
    }
    return out;
}

Result<HeldPipelineLayout> create_pipeline_layout(Core& core, const KernelState& kernel) {
    std::vector<WGPUBindGroupLayout> groups;
    for (const auto& group : kernel.groups) groups.push_back(group.get());
    WGPUPipelineLayoutDescriptor descriptor = WGPU_PIPELINE_LAYOUT_DESCRIPTOR_INIT;
    descriptor.bindGroupLayoutCount = groups.size();
    descriptor.bindGroupLayouts = groups.data();
    Scope scope(core.instance(), core.device(), Scope::Catch::validation);
    HeldPipelineLayout layout(core.gpu(),
                              core.gpu().DeviceCreatePipelineLayout(core.device(), &descriptor));
    auto made = core.verdict(scope.close({"making a pipeline layout of", kernel.label}, layout));
    if (!made) return std::unexpected(std::move(made).error());
    return layout;
}

/// Compilers of engines descend into brackets, and one was seen to overflow its stack.
Result<> check_nesting(std::string_view wgsl) {
    constexpr int deepest = 256;
    int depth = 0;
    for (char letter : wgsl) {
        if (letter == '(' || letter == '[' || letter == '{') ++depth;
        if (letter == ')' || letter == ']' || letter == '}') --depth;
        if (depth <= deepest) continue;
        return fail(Errc::limit_exceeded, {},
                    text("The WGSL nests brackets more than (", deepest, ") deep."),
                    "Split the expression or the block into smaller ones.");
    }
    return {};
}

/// The engine's words with the place in the text that they are about.
Error with_source_line(Error error, std::string_view wgsl, std::string_view label) {
    auto place = shader::locate_wgsl_error(error.trail);
    if (error.code != Errc::engine || !place) return error;
    error.code = Errc::invalid_argument;
    error.what = text("The WGSL of \"", label, "\" is wrong at line ", place->line, ", column ",
                      place->column, ": ", place->message, '.');
    error.fix = "Correct the shader.";
    error.trail = shader::quote_source_line(wgsl, *place);
    return error;
}

Result<HeldShaderModule> create_module(Core& core, std::string_view wgsl, std::string_view label) {
    WGPUShaderSourceWGSL source = WGPU_SHADER_SOURCE_WGSL_INIT;
    source.code = view(wgsl);
    WGPUShaderModuleDescriptor descriptor = WGPU_SHADER_MODULE_DESCRIPTOR_INIT;
    descriptor.nextInChain = &source.chain;
    descriptor.label = view(label);
    Scope scope(core.instance(), core.device(), Scope::Catch::validation);
    HeldShaderModule module(core.gpu(),
                            core.gpu().DeviceCreateShaderModule(core.device(), &descriptor));
    if (auto ok = core.verdict(scope.close({"compiling the WGSL of", label}, module)); !ok) {
        return std::unexpected(with_source_line(std::move(ok).error(), wgsl, label));
    }
    return module;
}

using KeyedConstants = std::vector<std::pair<std::string, double>>;

std::string override_names(const ShaderInfo& shader) {
    std::string names;
    for (const OverrideConstant& known : shader.overrides) {
        names += text(names.empty() ? "" : ", ", known.name);
    }
    return names;
}

/// Overrides by the key under which engines know them, which is the number when they have one.
Result<KeyedConstants> keyed(const ShaderInfo& shader, const std::vector<Constant>& constants) {
    KeyedConstants out;
    for (const Constant& constant : constants) {
        auto found = std::ranges::find_if(shader.overrides, [&](const OverrideConstant& known) {
            return known.name == constant.name || known.key() == constant.name;
        });
        if (found == shader.overrides.end()) {
            return fail(Errc::invalid_argument, {},
                        text("The shader has no override constant (", constant.name, ")."),
                        shader.overrides.empty()
                            ? "Declare it at module scope: override name: f32 = 1.0;"
                            : text("Its override constants: ", override_names(shader), '.'));
        }
        out.emplace_back(found->key(), constant.value);
    }
    return out;
}

/// Every override that the entry point uses has a value.
Result<> check_overrides(const ShaderInfo& shader, const EntryPoint& entry,
                         const KeyedConstants& constants) {
    for (std::size_t index : entry.overrides) {
        const OverrideConstant& wanted = shader.overrides[index];
        const bool given = std::ranges::any_of(
            constants, [&](const auto& constant) { return constant.first == wanted.key(); });
        if (wanted.has_default || given) continue;
        return fail(
            Errc::invalid_argument, {},
            text("The override constant \"", wanted.name, "\" has no value and no default."),
            "Give it in KernelOptions::constants, or with --set on the command line.");
    }
    return {};
}

Result<> create_pipeline(KernelState& kernel, std::string_view wgsl,
                         const KeyedConstants& constants) {
    Core& core = *kernel.core;
    auto module = create_module(core, wgsl, kernel.label);
    if (!module) return std::unexpected(std::move(module).error());
    std::vector<WGPUConstantEntry> entries;
    for (const auto& [key, value] : constants) entries.push_back({nullptr, view(key), value});
    auto groups = create_layouts(core, kernel);
    if (!groups) return std::unexpected(std::move(groups).error());
    kernel.groups = *std::move(groups);
    auto layout = create_pipeline_layout(core, kernel);
    if (!layout) return std::unexpected(std::move(layout).error());
    WGPUComputePipelineDescriptor descriptor = WGPU_COMPUTE_PIPELINE_DESCRIPTOR_INIT;
    descriptor.label = view(kernel.label);
    descriptor.layout = layout->get();
    descriptor.compute.module = module->get();
    descriptor.compute.entryPoint = view(kernel.entry().name);
    descriptor.compute.constantCount = entries.size();
    descriptor.compute.constants = entries.data();
    Scope scope(core.instance(), core.device(), Scope::Catch::validation_and_memory);
    kernel.pipeline = HeldPipeline(
        core.gpu(), core.gpu().DeviceCreateComputePipeline(core.device(), &descriptor));
    auto verdict =
        core.verdict(scope.close({"making a pipeline of", kernel.label}, kernel.pipeline));
    if (!verdict)
        return std::unexpected(with_source_line(std::move(verdict).error(), wgsl, kernel.label));
    return {};
}

} // namespace

Result<std::shared_ptr<KernelState>> create_kernel(std::shared_ptr<Core> core,
                                                   std::string_view wgsl,
                                                   const KernelOptions& options) {
    core->pump();
    if (auto ok = core->check_usable({"create a kernel"}); !ok)
        return std::unexpected(std::move(ok).error());
    if (auto ok = check_nesting(wgsl); !ok) return std::unexpected(std::move(ok).error());
    auto shader = scan_wgsl(wgsl);
    if (!shader) return std::unexpected(std::move(shader).error());
    auto entry = choose_entry(*shader, options.entry);
    if (!entry) return std::unexpected(std::move(entry).error());
    auto constants = keyed(*shader, options.constants);
    if (!constants) return std::unexpected(std::move(constants).error());
    if (auto ok = check_bindings(*core, *shader, shader->entry_points[*entry]); !ok)
        return std::unexpected(std::move(ok).error());
    if (auto ok = check_overrides(*shader, shader->entry_points[*entry], *constants); !ok) {
        return std::unexpected(std::move(ok).error());
    }
    auto size = workgroup_size(*shader, shader->entry_points[*entry], *constants);
    if (!size) return std::unexpected(std::move(size).error());
    if (auto ok = check_workgroup(core->limits, *size); !ok)
        return std::unexpected(std::move(ok).error());

    auto kernel = std::make_shared<KernelState>();
    kernel->core = core;
    kernel->label =
        options.label.empty() ? shader->entry_points[*entry].name : std::string(options.label);
    kernel->shader = *std::move(shader);
    kernel->entry_index = *entry;
    kernel->workgroup_size = *size;
    if (auto ok = create_pipeline(*kernel, wgsl, *constants); !ok)
        return std::unexpected(std::move(ok).error());
    return kernel;
}

} // namespace ferry::detail
