// SPDX-License-Identifier: MIT
// Shader modules, and pipelines that are only carried around.
#include "api.hpp"
#include "pipeline.hpp"

namespace ferry_fake {

void ShaderModule::clear() {
    code.clear();
    Plain::clear();
}

namespace {

Check read_source(const WGPUShaderModuleDescriptor& descriptor, ShaderModule& module) {
    const WGPUChainedStruct* const chain = descriptor.nextInChain;
    if (!chain) return invalid("A shader module has no source.");
    if (chain->sType != WGPUSType_ShaderSourceWGSL)
        return invalid("A shader module's source is not WGSL.");
    module.code = string_of(reinterpret_cast<const WGPUShaderSourceWGSL*>(chain)->code);
    module.wgsl = scan_wgsl(module.code);
    if (!module.wgsl.error.empty())
        return invalid("The WGSL does not parse: ", module.wgsl.error, ".");
    return std::nullopt;
}

} // namespace

namespace api {

WGPUShaderModule DeviceCreateShaderModule(WGPUDevice handle,
                                          const WGPUShaderModuleDescriptor* descriptor) {
    Device& device = *trusted(handle);
    const auto module = make<ShaderModule>(device);
    module->label = string_of(descriptor->label);
    Check problem = device.world->scripted_problem();
    if (!problem) problem = read_source(*descriptor, *module);
    module->valid = device.accept(problem);
    return give<WGPUShaderModule>(module);
}

WGPUFuture ShaderModuleGetCompilationInfo(WGPUShaderModule handle,
                                          WGPUCompilationInfoCallbackInfo info) {
    const Ref<ShaderModule> module(trusted(handle));
    if (!usable(*module->world, info.mode, info.callback != nullptr)) return {0};
    auto event = std::make_unique<Event>();
    event->mode = info.mode;
    event->tell = [info, module](bool cancelled) {
        WGPUCompilationMessage message{};
        message.message = view_of(module->wgsl.error);
        message.type = WGPUCompilationMessageType_Error;
        std::size_t const count = module->wgsl.error.empty() ? 0 : 1;
        WGPUCompilationInfo const result{nullptr, count, &message};
        info.callback(cancelled ? WGPUCompilationInfoRequestStatus_CallbackCancelled
                                : WGPUCompilationInfoRequestStatus_Success,
                      &result, info.userdata1, info.userdata2);
    };
    return module->device->instance->add(std::move(event));
}

WGPURenderPipeline DeviceCreateRenderPipeline(WGPUDevice handle,
                                              const WGPURenderPipelineDescriptor* descriptor) {
    Device& device = *trusted(handle);
    const auto pipeline = make<RenderPipeline>(device);
    pipeline->label = string_of(descriptor->label);
    Check problem = device.world->scripted_problem();
    if (!problem)
        device_argument(device, descriptor->vertex.module, "vertex shader module", problem);
    pipeline->valid = device.accept(problem);
    return give<WGPURenderPipeline>(pipeline);
}

WGPUFuture DeviceCreateRenderPipelineAsync(WGPUDevice handle,
                                           const WGPURenderPipelineDescriptor* descriptor,
                                           WGPUCreateRenderPipelineAsyncCallbackInfo info) {
    Device& device = *trusted(handle);
    if (!usable(*device.world, info.mode, info.callback != nullptr)) return {0};
    const auto pipeline = make<RenderPipeline>(device);
    pipeline->label = string_of(descriptor->label);
    const Check problem = device.world->scripted_problem();
    auto event = std::make_unique<Event>();
    event->mode = info.mode;
    event->tell = [info, pipeline, problem](bool cancelled) {
        bool const good = !cancelled && !problem;
        auto const status = cancelled ? WGPUCreatePipelineAsyncStatus_CallbackCancelled
                            : problem ? WGPUCreatePipelineAsyncStatus_ValidationError
                                      : WGPUCreatePipelineAsyncStatus_Success;
        info.callback(status, good ? give<WGPURenderPipeline>(pipeline) : nullptr,
                      view_of(problem ? problem->what : std::string()), info.userdata1,
                      info.userdata2);
    };
    return device.instance->add(std::move(event));
}

WGPUBindGroupLayout RenderPipelineGetBindGroupLayout(WGPURenderPipeline handle, uint32_t) {
    return give<WGPUBindGroupLayout>(make<BindGroupLayout>(*trusted(handle)->device));
}

} // namespace api
} // namespace ferry_fake
