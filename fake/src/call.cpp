// SPDX-License-Identifier: MIT
#include "call.hpp"

#include "device.hpp"
#include "instance.hpp"
#include "world.hpp"

namespace ferry_fake {

Call::Call(World& world, Function function, Object* self)
    : world_(world), lock_(world.mutex), function_(function), outer_(world.call) {
    world_.hold();
    world_.ledger.count_call(function);
    fault_ = world_.script.fault_for(function);
    if (fault_ && self) device_ = Ref<Device>(self->device_of());
    world_.call = this;
    if (fault_ && fault_->action == FERRY_FAKE_LOSE_BEFORE) lose();
}

Call::~Call() {
    world_.call = outer_;
    device_ = {};
    lock_.unlock();
    world_.drop();
}

bool Call::answers_null() const {
    return fault_ && fault_->action == FERRY_FAKE_NULL && !is_reference_function(function_);
}

void Call::lose() {
    if (device_)
        device_->lose(WGPUDeviceLostReason_Unknown, "The test's script lost the device.");
    else
        world_.lose_devices();
}

void Call::finish() {
    // A call without a point in its middle is met by "during" at its end.
    if (fault_ &&
        (fault_->action == FERRY_FAKE_LOSE_AFTER || fault_->action == FERRY_FAKE_LOSE_DURING))
        lose();
    deliver_at_end_of_call(world_);
}

} // namespace ferry_fake
