// SPDX-License-Identifier: MIT
#include "instance.hpp"

#include <algorithm>
#include <iterator>

#include "api.hpp"
#include "call.hpp"
#include "device.hpp"

namespace ferry_fake {

Instance::Instance(World& owner) : Object(owner, Kind::instance) { owner.instances.insert(this); }

void Instance::released_by_program() {
    // rules A-05: the end of the instance cancels what is outstanding, in every mode.
    ended = true;
    while (!events.empty()) deliver(events.front()->id, true);
}

void Instance::clear() { world->instances.erase(this); }

WGPUFuture Instance::add(std::unique_ptr<Event> event) {
    event->id = next_id++;
    const WGPUFuture future{event->id};
    if (const Fault* fault = world->fault()) {
        if (fault->action == FERRY_FAKE_TWICE) event->times = 2;
        if (fault->action == FERRY_FAKE_NEVER_CALLS_BACK) event->silent = true;
        if (fault->action == FERRY_FAKE_LATE)
            event->due = later(std::max(event->due, world->now), fault->delay);
    }
    events.push_back(std::move(event));
    // Nobody can pump an instance that has been released.
    if (ended) deliver(future.id, true);
    return future;
}

Event* Instance::find(std::uint64_t id) {
    for (const auto& event : events)
        if (event->id == id) return event.get();
    return nullptr;
}

void Instance::make_due(std::uint64_t id) {
    if (Event* event = find(id)) event->due = 0;
}

void Instance::deliver(std::uint64_t id, bool cancelled) {
    auto found = std::find_if(events.begin(), events.end(),
                              [&](const auto& event) { return event->id == id; });
    if (found == events.end()) return;
    const Ref<Instance> keep(this);
    const std::unique_ptr<Event> event = std::move(*found);
    events.erase(found);
    for (int i = 0; i < event->times; ++i) event->tell(cancelled);
}

void Instance::step() { world->advance(world->script.pump_step); }

void deliver_at_end_of_call(World& world) {
    const FerryFakeDelivery delivery = world.script.delivery;
    if (delivery == FERRY_FAKE_DELIVER_IN_PUMPS) return;
    std::vector<Ref<Instance>> all;
    for (Instance* instance : world.instances) all.emplace_back(instance);
    for (const Ref<Instance>& instance : all)
        for (std::uint64_t id : instance->due([&](const Event& event) {
                 return delivery == FERRY_FAKE_DELIVER_ANYWHERE ||
                        event.mode == WGPUCallbackMode_AllowSpontaneous;
             }))
            instance->deliver(id);
}

bool usable(World& world, WGPUCallbackMode mode, bool has_callback) {
    const bool known = mode == WGPUCallbackMode_WaitAnyOnly ||
                       mode == WGPUCallbackMode_AllowProcessEvents ||
                       mode == WGPUCallbackMode_AllowSpontaneous;
    if (!known)
        world.misuse("The callback mode (", static_cast<int>(mode), ") is not one of webgpu.h's");
    if (!has_callback) world.misuse("The callback is null");
    return known && has_callback;
}

namespace {

Ref<Instance> make_instance(World& world, const WGPUInstanceDescriptor* descriptor) {
    auto instance = make<Instance>(world);
    if (!descriptor) return instance;
    for (std::size_t i = 0; i < descriptor->requiredFeatureCount; ++i) {
        const WGPUInstanceFeatureName feature = descriptor->requiredFeatures[i];
        if (!api::HasInstanceFeature(feature)) return {};
        instance->timed_waits |= feature == WGPUInstanceFeatureName_TimedWaitAny;
        instance->many_devices |= feature == WGPUInstanceFeatureName_MultipleDevicesPerAdapter;
    }
    if (descriptor->requiredLimits &&
        descriptor->requiredLimits->timedWaitAnyMaxCount > timed_wait_any_max_count)
        return {};
    return instance;
}

} // namespace

namespace api {

WGPUInstance CreateInstance(const WGPUInstanceDescriptor* descriptor) {
    World* world = Process::get().take_next();
    WGPUInstance handle = nullptr;
    {
        Call call(*world, Function::CreateInstance, nullptr);
        // An instance has no error object: every scripted failure is a null.
        if (!call.answers_null() && !world->scripted_problem())
            if (Ref<Instance> instance = make_instance(*world, descriptor))
                handle = give<WGPUInstance>(instance);
        call.finish();
    }
    world->drop();
    return handle;
}

void GetInstanceFeatures(WGPUSupportedInstanceFeatures* features) {
    static constexpr WGPUInstanceFeatureName supported[] = {
        WGPUInstanceFeatureName_TimedWaitAny, WGPUInstanceFeatureName_MultipleDevicesPerAdapter};
    *features = {std::size(supported), supported};
}

void SupportedInstanceFeaturesFreeMembers(WGPUSupportedInstanceFeatures) {}

WGPUBool HasInstanceFeature(WGPUInstanceFeatureName feature) {
    return feature == WGPUInstanceFeatureName_TimedWaitAny ||
           feature == WGPUInstanceFeatureName_MultipleDevicesPerAdapter;
}

WGPUStatus GetInstanceLimits(WGPUInstanceLimits* limits) {
    if (limits->nextInChain) return WGPUStatus_Error;
    limits->timedWaitAnyMaxCount = timed_wait_any_max_count;
    return WGPUStatus_Success;
}

void InstanceGetWGSLLanguageFeatures(WGPUInstance, WGPUSupportedWGSLLanguageFeatures* features) {
    *features = {0, nullptr};
}

void SupportedWGSLLanguageFeaturesFreeMembers(WGPUSupportedWGSLLanguageFeatures) {}

WGPUBool InstanceHasWGSLLanguageFeature(WGPUInstance, WGPUWGSLLanguageFeatureName) {
    return WGPU_FALSE;
}

} // namespace api
} // namespace ferry_fake
