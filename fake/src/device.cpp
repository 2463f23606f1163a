// SPDX-License-Identifier: MIT
#include "device.hpp"

#include <algorithm>

#include "api.hpp"
#include "buffer.hpp"
#include "limits.hpp"

namespace ferry_fake {

namespace {

// Features that another one brings with it.
void add_implied(std::vector<WGPUFeatureName>& features) {
    const auto has = [&](WGPUFeatureName name) {
        return std::find(features.begin(), features.end(), name) != features.end();
    };
    const auto imply = [&](WGPUFeatureName from, WGPUFeatureName to) {
        if (has(from) && !has(to)) features.push_back(to);
    };
    imply(WGPUFeatureName_TextureFormatsTier2, WGPUFeatureName_TextureFormatsTier1);
    imply(WGPUFeatureName_TextureFormatsTier1, WGPUFeatureName_RG11B10UfloatRenderable);
    imply(WGPUFeatureName_TextureCompressionBCSliced3D, WGPUFeatureName_TextureCompressionBC);
    imply(WGPUFeatureName_TextureCompressionASTCSliced3D, WGPUFeatureName_TextureCompressionASTC);
}

std::unique_ptr<Event> lost_event(const WGPUDeviceLostCallbackInfo& info) {
    auto event = std::make_unique<Event>();
    event->kind = EventKind::device_lost;
    event->mode = info.callback ? info.mode : WGPUCallbackMode_AllowProcessEvents;
    event->has_callback = info.callback != nullptr;
    return event;
}

} // namespace

Device::Device(Adapter& adapter, const WGPUDeviceDescriptor* descriptor)
    : Object(*adapter.world, Kind::device), instance(adapter.instance) {
    limits = granted(adapter.limits, descriptor ? descriptor->requiredLimits : nullptr);
    WGPUDeviceLostCallbackInfo lost_info{};
    if (descriptor) {
        label = string_of(descriptor->label);
        queue_label = string_of(descriptor->defaultQueue.label);
        features.assign(descriptor->requiredFeatures,
                        descriptor->requiredFeatures + descriptor->requiredFeatureCount);
        uncaptured = descriptor->uncapturedErrorCallbackInfo;
        lost_info = descriptor->deviceLostCallbackInfo;
    }
    // A device of a core adapter is a core device.
    if (!has(WGPUFeatureName_CoreFeaturesAndLimits) &&
        adapter.has(WGPUFeatureName_CoreFeaturesAndLimits))
        features.push_back(WGPUFeatureName_CoreFeaturesAndLimits);
    add_implied(features);
    world->devices.insert(this);

    // The event holds the device, and may be told at once when the instance has ended: do not end
    // in here.
    hold();
    auto event = lost_event(lost_info);
    event->due = never;
    event->device = this;
    event->tell = [keep = Ref<Device>(this), lost_info](bool cancelled) {
        if (!lost_info.callback) return;
        WGPUDevice const self = keep->program_holds > 0 ? borrow<WGPUDevice>(keep.get()) : nullptr;
        auto const reason = cancelled ? WGPUDeviceLostReason_CallbackCancelled : keep->lost_reason;
        std::string const message = cancelled ? "The instance was released." : keep->lost_message;
        lost_info.callback(&self, reason, view_of(message), lost_info.userdata1,
                           lost_info.userdata2);
    };
    lost_future = instance->add(std::move(event)).id;
    --holds;
}

void Device::released_by_program() { destroy(); }

void Device::clear() {
    world->devices.erase(this);
    queue.stop();
    instance = {};
}

bool Device::has(WGPUFeatureName feature) const {
    return std::find(features.begin(), features.end(), feature) != features.end();
}

void Device::raise(const Problem& problem) {
    if (lost) return;
    if (!problem.scripted) world->ledger.errors.push_back(problem.what);
    if (scopes.take(problem) || !uncaptured.callback) return;
    const WGPUDevice self = borrow<WGPUDevice>(this);
    uncaptured.callback(&self, problem.type, view_of(problem.what), uncaptured.userdata1,
                        uncaptured.userdata2);
}

bool Device::accept(const Check& problem) {
    if (problem) raise(*problem);
    return !problem;
}

void Device::lose(WGPUDeviceLostReason reason, const std::string& message) {
    if (lost) return;
    const Ref<Device> keep(this);
    lost = true;
    lost_reason = reason;
    lost_message = message;
    queue.stop();
    for (Buffer* buffer : std::vector(buffers.begin(), buffers.end())) buffer->device_lost();
    // Work-done calls settle with success, also after loss (rules Q-05).
    for (const auto& event : instance->events)
        if (event->device == this && event->kind == EventKind::work_done) event->due = 0;
    instance->make_due(lost_future);
}

void Device::destroy() {
    const Ref<Device> keep(this);
    lose(WGPUDeviceLostReason_Destroyed, "The device was destroyed.");
    for (Buffer* buffer : std::vector(buffers.begin(), buffers.end())) buffer->unmap();
}

bool Device::take_memory(std::uint64_t bytes) {
    std::uint64_t const used = world->ledger.bytes;
    if (bytes > world->script.memory_cap || used > world->script.memory_cap - bytes) return false;
    world->ledger.add_bytes(bytes);
    return true;
}

void report_failed_creation(Instance& instance, const WGPUDeviceDescriptor* descriptor,
                            const Problem& problem) {
    if (!descriptor || !descriptor->deviceLostCallbackInfo.callback) return;
    const WGPUDeviceLostCallbackInfo info = descriptor->deviceLostCallbackInfo;
    auto event = lost_event(info);
    event->tell = [info, problem](bool) {
        WGPUDevice const none = nullptr;
        info.callback(&none, WGPUDeviceLostReason_FailedCreation, view_of(problem.what),
                      info.userdata1, info.userdata2);
    };
    instance.add(std::move(event));
}

Queue::Queue(Device& owner) : Object(*owner.world, Kind::queue), device(&owner) {
    owner.queue_object = this;
    label = owner.queue_label;
}

void Queue::clear() {
    device->queue_object = nullptr;
    device = {};
}

namespace api {

void DeviceDestroy(WGPUDevice handle) { trusted(handle)->destroy(); }

WGPUQueue DeviceGetQueue(WGPUDevice handle) {
    Device& device = *trusted(handle);
    return give<WGPUQueue>(device.queue_object ? Ref<Queue>(device.queue_object)
                                               : make<Queue>(device));
}

WGPUStatus DeviceGetLimits(WGPUDevice handle, WGPULimits* limits) {
    const Device& device = *trusted(handle);
    if (device.world->scripted_problem()) return WGPUStatus_Error;
    *limits = overlay(*limits, device.limits);
    return WGPUStatus_Success;
}

void DeviceGetFeatures(WGPUDevice handle, WGPUSupportedFeatures* features) {
    const Device& device = *trusted(handle);
    auto* list = new WGPUFeatureName[device.features.size()];
    std::copy(device.features.begin(), device.features.end(), list);
    *features = {device.features.size(), list};
}

WGPUBool DeviceHasFeature(WGPUDevice handle, WGPUFeatureName feature) {
    return trusted(handle)->has(feature);
}

WGPUStatus DeviceGetAdapterInfo(WGPUDevice handle, WGPUAdapterInfo* info) {
    if (trusted(handle)->world->scripted_problem()) return WGPUStatus_Error;
    fill_info(*info);
    return WGPUStatus_Success;
}

WGPUFuture DeviceGetLostFuture(WGPUDevice handle) { return {trusted(handle)->lost_future}; }

void DevicePushErrorScope(WGPUDevice handle, WGPUErrorFilter filter) {
    trusted(handle)->scopes.push(filter);
}

WGPUFuture DevicePopErrorScope(WGPUDevice handle, WGPUPopErrorScopeCallbackInfo info) {
    Device& device = *trusted(handle);
    if (!usable(*device.world, info.mode, info.callback != nullptr)) return {0};
    const bool scripted = device.world->scripted_problem().has_value();
    std::optional<Scopes::Popped> popped = device.scopes.pop();
    if (device.lost && popped) popped->problem.reset();
    auto event = std::make_unique<Event>();
    event->mode = info.mode;
    event->device = &device;
    event->tell = [info, popped, scripted](bool cancelled) {
        auto const tell = [&](WGPUPopErrorScopeStatus status, WGPUErrorType type,
                              std::string const& message) {
            info.callback(status, type, view_of(message), info.userdata1, info.userdata2);
        };
        if (cancelled)
            return tell(WGPUPopErrorScopeStatus_CallbackCancelled, WGPUErrorType_NoError,
                        "The instance was released.");
        if (scripted || !popped)
            return tell(WGPUPopErrorScopeStatus_Error, WGPUErrorType_NoError,
                        "There is no error scope to pop.");
        if (!popped->problem)
            return tell(WGPUPopErrorScopeStatus_Success, WGPUErrorType_NoError, "");
        tell(WGPUPopErrorScopeStatus_Success, popped->problem->type, popped->problem->what);
    };
    return device.instance->add(std::move(event));
}

} // namespace api
} // namespace ferry_fake
