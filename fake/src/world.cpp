// SPDX-License-Identifier: MIT
#include "world.hpp"

#include <vector>

#include "call.hpp"
#include "device.hpp"

namespace ferry_fake {

namespace {
// Enough for every stale handle that a test could reasonably use, and bounded for long runs.
constexpr std::size_t graveyard_size = 4096;
} // namespace

World::~World() {
    for (Object* object : graveyard_) delete object;
}

void World::drop() {
    if (holds_.fetch_sub(1) == 1) delete static_cast<FerryFake*>(this);
}

void World::bury(Object* object) {
    graveyard_.push_back(object);
    if (graveyard_.size() <= graveyard_size) return;
    delete graveyard_.front();
    graveyard_.pop_front();
}

void World::note_misuse(std::string what) {
    std::lock_guard const lock(mutex); // a stale handle is reported before its call is entered
    if (call) what += text(" in ", function_names[index_of(call->function())]);
    ledger.misuses.push_back(what + ".");
}

void World::advance(std::uint64_t nanoseconds) {
    now = later(now, nanoseconds);
    settle();
}

void World::settle() {
    std::vector<Ref<Device>> all;
    for (Device* device : devices) all.emplace_back(device);
    for (const Ref<Device>& device : all) device->queue.settle(now);
}

void World::lose_devices() {
    std::vector<Ref<Device>> all;
    for (Device* device : devices) all.emplace_back(device);
    for (const Ref<Device>& device : all)
        device->lose(WGPUDeviceLostReason_Unknown, "The test lost the device.");
}

const Fault* World::fault() const { return call ? call->fault() : nullptr; }

Check World::scripted_problem() {
    if (!call || !call->fault()) return std::nullopt;
    switch (call->fault()->action) {
    case FERRY_FAKE_FAIL:
        return Problem{WGPUErrorType_Validation, "The test's script fails this call.", true};
    case FERRY_FAKE_OUT_OF_MEMORY:
        return Problem{WGPUErrorType_OutOfMemory, "The test's script says that memory has run out.",
                       true};
    case FERRY_FAKE_INTERNAL_ERROR:
        return Problem{WGPUErrorType_Internal, "The test's script says that the driver failed.",
                       true};
    case FERRY_FAKE_LOSE_DURING: call->lose(); return std::nullopt;
    default: return std::nullopt;
    }
}

Process& Process::get() {
    static Process process;
    return process;
}

void Process::set_next(World* world) {
    std::lock_guard lock(mutex_);
    if (world) world->hold();
    if (next_) next_->drop();
    next_ = world;
}

World* Process::take_next() {
    std::lock_guard lock(mutex_);
    World* world = std::exchange(next_, nullptr);
    return world ? world : new FerryFake;
}

} // namespace ferry_fake
