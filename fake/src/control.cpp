// SPDX-License-Identifier: MIT
// The C control interface: commands.
#include "ferry_fake/ferry_fake.h"

#include <mutex>

#include "device.hpp"
#include "handle.hpp"
#include "instance.hpp"
#include "limits.hpp"

namespace {

using Lock = std::lock_guard<std::recursive_mutex>;

} // namespace

extern "C" {

uint32_t ferry_fake_version(void) { return 1; }

FerryFake* ferry_fake_new(void) { return new FerryFake; }

void ferry_fake_free(FerryFake* fake) {
    if (fake) fake->drop();
}

void ferry_fake_next_instance(FerryFake* fake) { ferry_fake::Process::get().set_next(fake); }

FerryFake* ferry_fake_of_instance(WGPUInstance instance) {
    return static_cast<FerryFake*>(ferry_fake::trusted(instance)->world);
}

FerryFake* ferry_fake_of_device(WGPUDevice device) {
    return static_cast<FerryFake*>(ferry_fake::trusted(device)->world);
}

void ferry_fake_advance(FerryFake* fake, uint64_t nanoseconds) {
    const Lock lock(fake->mutex);
    fake->advance(nanoseconds);
    ferry_fake::deliver_at_end_of_call(*fake);
}

void ferry_fake_set_pump_step(FerryFake* fake, uint64_t nanoseconds) {
    const Lock lock(fake->mutex);
    fake->script.pump_step = nanoseconds;
}

void ferry_fake_set_submission_time(FerryFake* fake, uint64_t nanoseconds) {
    const Lock lock(fake->mutex);
    fake->script.submission_time = nanoseconds;
}

void ferry_fake_set_map_latency(FerryFake* fake, uint64_t nanoseconds) {
    const Lock lock(fake->mutex);
    fake->script.map_latency = nanoseconds;
}

void ferry_fake_set_map_order(FerryFake* fake, FerryFakeMapOrder order, uint64_t seed) {
    const Lock lock(fake->mutex);
    fake->script.map_order = order;
    fake->script.shuffle.seed(seed);
}

void ferry_fake_set_delivery(FerryFake* fake, FerryFakeDelivery delivery) {
    const Lock lock(fake->mutex);
    fake->script.delivery = delivery;
}

int ferry_fake_script(FerryFake* fake, const FerryFakeFault* given) {
    const Lock lock(fake->mutex);
    ferry_fake::Fault fault;
    if (given->function) {
        fault.function = ferry_fake::function_named(given->function);
        if (!fault.function) return 0;
    }
    fault.skip = given->nth > 0 ? given->nth - 1 : 0;
    fault.times = given->times > 0 ? given->times : 1;
    fault.action = given->action;
    fault.delay = given->delay;
    fake->script.faults.push_back(fault);
    return 1;
}

void ferry_fake_clear_faults(FerryFake* fake) {
    const Lock lock(fake->mutex);
    fake->script.faults.clear();
}

void ferry_fake_forget_misuses(FerryFake* fake) {
    const Lock lock(fake->mutex);
    fake->ledger.misuses.clear();
}

void ferry_fake_lose_devices(FerryFake* fake) {
    const Lock lock(fake->mutex);
    fake->lose_devices();
    ferry_fake::deliver_at_end_of_call(*fake);
}

void ferry_fake_set_memory_cap(FerryFake* fake, uint64_t bytes) {
    const Lock lock(fake->mutex);
    fake->script.memory_cap = bytes;
}

void ferry_fake_set_limits(FerryFake* fake, const WGPULimits* limits) {
    const Lock lock(fake->mutex);
    if (limits)
        fake->script.limits = *limits;
    else
        fake->script.limits.reset();
}

void ferry_fake_set_feature(FerryFake* fake, WGPUFeatureName feature, int offered) {
    const Lock lock(fake->mutex);
    fake->script.features[feature] = offered != 0;
}

void ferry_fake_set_shader(FerryFake* fake, const char* entry_point, FerryFakeShader shader,
                           void* userdata) {
    const Lock lock(fake->mutex);
    std::string const name = entry_point ? entry_point : "";
    if (shader)
        fake->script.shaders[name] = {shader, userdata};
    else
        fake->script.shaders.erase(name);
}

} // extern "C"
