// SPDX-License-Identifier: MIT
#include "adapter.hpp"

#include <algorithm>

#include "api.hpp"
#include "device.hpp"
#include "limits.hpp"

namespace ferry_fake {

namespace {

constexpr WGPUFeatureName offered_features[] = {WGPUFeatureName_CoreFeaturesAndLimits,
                                                WGPUFeatureName_DepthClipControl,
                                                WGPUFeatureName_Depth32FloatStencil8,
                                                WGPUFeatureName_TextureCompressionBC,
                                                WGPUFeatureName_TextureCompressionBCSliced3D,
                                                WGPUFeatureName_TextureCompressionETC2,
                                                WGPUFeatureName_TextureCompressionASTC,
                                                WGPUFeatureName_TextureCompressionASTCSliced3D,
                                                WGPUFeatureName_IndirectFirstInstance,
                                                WGPUFeatureName_ShaderF16,
                                                WGPUFeatureName_RG11B10UfloatRenderable,
                                                WGPUFeatureName_BGRA8UnormStorage,
                                                WGPUFeatureName_Float32Filterable,
                                                WGPUFeatureName_Float32Blendable,
                                                WGPUFeatureName_TextureFormatsTier1,
                                                WGPUFeatureName_TextureFormatsTier2};

} // namespace

Adapter::Adapter(Ref<Instance> owner)
    : Object(*owner->world, Kind::adapter), instance(std::move(owner)) {
    const Script& script = world->script;
    limits = script.limits ? overlay(adapter_limits(), *script.limits) : adapter_limits();
    features.assign(std::begin(offered_features), std::end(offered_features));
    for (const auto& [feature, offered] : script.features) {
        std::erase(features, feature);
        if (offered) features.push_back(feature);
    }
}

bool Adapter::has(WGPUFeatureName feature) const {
    return std::find(features.begin(), features.end(), feature) != features.end();
}

void fill_info(WGPUAdapterInfo& info) {
    info.vendor = view_of("ferry");
    info.architecture = view_of("host");
    info.device = view_of("ferry_fake");
    info.description = view_of("ferry_fake: WebGPU in host memory, for tests");
    info.backendType = WGPUBackendType_Null;
    info.adapterType = WGPUAdapterType_CPU;
    info.vendorID = 0xfe44;
    info.deviceID = ferry_fake_version();
    info.subgroupMinSize = 4;
    info.subgroupMaxSize = 128;
}

namespace api {

WGPUFuture InstanceRequestAdapter(WGPUInstance handle, const WGPURequestAdapterOptions*,
                                  WGPURequestAdapterCallbackInfo info) {
    const Ref<Instance> instance(trusted(handle));
    if (!usable(*instance->world, info.mode, info.callback != nullptr)) return {0};
    const Check problem = instance->world->scripted_problem();
    auto event = std::make_unique<Event>();
    event->mode = info.mode;
    event->tell = [instance, info, problem](bool cancelled) {
        auto const fail = [&](WGPURequestAdapterStatus status, std::string const& message) {
            info.callback(status, nullptr, view_of(message), info.userdata1, info.userdata2);
        };
        if (cancelled)
            return fail(WGPURequestAdapterStatus_CallbackCancelled, "The instance was released.");
        if (problem) return fail(WGPURequestAdapterStatus_Unavailable, problem->what);
        auto const adapter = make<Adapter>(instance);
        info.callback(WGPURequestAdapterStatus_Success, give<WGPUAdapter>(adapter), view_of(""),
                      info.userdata1, info.userdata2);
    };
    return instance->add(std::move(event));
}

void AdapterGetFeatures(WGPUAdapter handle, WGPUSupportedFeatures* features) {
    const Adapter& adapter = *trusted(handle);
    // Borrowed from the adapter would dangle; the caller frees it with FreeMembers.
    auto* list = new WGPUFeatureName[adapter.features.size()];
    std::copy(adapter.features.begin(), adapter.features.end(), list);
    *features = {adapter.features.size(), list};
}

void SupportedFeaturesFreeMembers(WGPUSupportedFeatures features) { delete[] features.features; }

WGPUBool AdapterHasFeature(WGPUAdapter handle, WGPUFeatureName feature) {
    return trusted(handle)->has(feature);
}

WGPUStatus AdapterGetInfo(WGPUAdapter handle, WGPUAdapterInfo* info) {
    if (trusted(handle)->world->scripted_problem()) return WGPUStatus_Error;
    fill_info(*info);
    return WGPUStatus_Success;
}

// The strings are literals.
void AdapterInfoFreeMembers(WGPUAdapterInfo) {}

WGPUStatus AdapterGetLimits(WGPUAdapter handle, WGPULimits* limits) {
    const Adapter& adapter = *trusted(handle);
    if (adapter.world->scripted_problem()) return WGPUStatus_Error;
    *limits = overlay(*limits, adapter.limits);
    return WGPUStatus_Success;
}

namespace {

Check check_request(const Adapter& adapter, const WGPUDeviceDescriptor* descriptor) {
    if (Check problem = adapter.world->scripted_problem()) return problem;
    if (adapter.consumed && !adapter.instance->many_devices)
        return invalid("The adapter has made a device already and is consumed.");
    if (!descriptor) return std::nullopt;
    for (std::size_t i = 0; i < descriptor->requiredFeatureCount; ++i)
        if (!adapter.has(descriptor->requiredFeatures[i]))
            return invalid("Required feature (", static_cast<int>(descriptor->requiredFeatures[i]),
                           ") is not offered by the adapter.");
    if (descriptor->requiredLimits)
        return check_limits(adapter.limits, *descriptor->requiredLimits);
    return std::nullopt;
}

} // namespace

WGPUFuture AdapterRequestDevice(WGPUAdapter handle, const WGPUDeviceDescriptor* descriptor,
                                WGPURequestDeviceCallbackInfo info) {
    Adapter& adapter = *trusted(handle);
    const Ref<Instance> instance = adapter.instance;
    World& world = *adapter.world;
    if (!usable(world, info.mode, info.callback != nullptr)) return {0};
    const Check problem = check_request(adapter, descriptor);
    Ref<Device> device;
    // A device that cannot be made is lost at birth: that is what its lost callback hears.
    if (problem)
        report_failed_creation(*instance, descriptor, *problem);
    else {
        device = make<Device>(adapter, descriptor);
        adapter.consumed = true;
    }
    auto event = std::make_unique<Event>();
    event->mode = info.mode;
    event->tell = [device, info, problem](bool cancelled) {
        auto const fail = [&](WGPURequestDeviceStatus status, std::string const& message) {
            info.callback(status, nullptr, view_of(message), info.userdata1, info.userdata2);
        };
        if (cancelled)
            return fail(WGPURequestDeviceStatus_CallbackCancelled, "The instance was released.");
        if (problem) return fail(WGPURequestDeviceStatus_Error, problem->what);
        info.callback(WGPURequestDeviceStatus_Success, give<WGPUDevice>(device), view_of(""),
                      info.userdata1, info.userdata2);
    };
    return instance->add(std::move(event));
}

} // namespace api
} // namespace ferry_fake
