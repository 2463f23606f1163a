// SPDX-License-Identifier: MIT
// ProcessEvents and WaitAny: which callbacks come now, and in which order.
#include <algorithm>
#include <set>

#include "api.hpp"
#include "instance.hpp"

namespace ferry_fake {

namespace {

using Ids = std::vector<std::uint64_t>;

bool is_waiting_map(const Event& event) { return event.kind == EventKind::map && !event.silent; }

// Maps between two work-done calls may be permuted; no map may pass a work-done call made after it.
void permute(Script& script, std::vector<const Event*>& events) {
    auto begin = events.begin();
    while (begin != events.end()) {
        const auto is_done = [](const Event* event) { return event->kind == EventKind::work_done; };
        auto end = std::find_if(begin, events.end(), is_done);
        std::vector<const Event*> maps;
        for (auto it = begin; it != end; ++it)
            if ((*it)->kind == EventKind::map) maps.push_back(*it);
        if (script.map_order == FERRY_FAKE_MAPS_REVERSED) std::reverse(maps.begin(), maps.end());
        if (script.map_order == FERRY_FAKE_MAPS_SHUFFLED)
            std::shuffle(maps.begin(), maps.end(), script.shuffle);
        auto next = maps.begin();
        for (auto it = begin; it != end; ++it)
            if ((*it)->kind == EventKind::map) *it = *next++;
        begin = end == events.end() ? end : std::next(end);
    }
}

} // namespace

Ids Instance::due(const std::function<bool(const Event&)>& allowed) {
    std::uint64_t const now = world->now;
    const FerryFakeMapOrder order = world->script.map_order;
    const bool some_map_waits = std::any_of(events.begin(), events.end(), [&](const auto& event) {
        return is_waiting_map(*event) && !event->is_due(now);
    });
    bool hold_maps = order == FERRY_FAKE_MAPS_ALL_AT_ONCE && some_map_waits;
    std::set<Device*> map_before; // devices with a map that is not settled yet
    std::vector<const Event*> chosen;
    for (const auto& event : events) {
        if (event->kind == EventKind::map) {
            const bool goes = event->is_due(now) && !hold_maps;
            if (!goes && !event->silent) map_before.insert(event->device);
            if (!goes || !allowed(*event)) continue;
            hold_maps |= order == FERRY_FAKE_MAPS_ONE_PER_PUMP;
        } else if (!event->is_due(now) || !allowed(*event)) {
            continue;
        } else if (event->kind == EventKind::work_done && map_before.contains(event->device)) {
            continue;
        }
        chosen.push_back(event.get());
    }
    permute(world->script, chosen);
    Ids ids;
    for (const Event* event : chosen) ids.push_back(event->id);
    return ids;
}

namespace {

bool is_among(std::uint64_t id, std::size_t count, const WGPUFutureWaitInfo* futures) {
    return std::any_of(futures, futures + count,
                       [&](const auto& info) { return info.future.id == id; });
}

// Delivers what is due among the futures; true when one of them has completed, now or earlier.
bool complete(Instance& instance, std::size_t count, WGPUFutureWaitInfo* futures) {
    for (std::uint64_t id :
         instance.due([&](const Event& event) { return is_among(event.id, count, futures); }))
        instance.deliver(id);
    bool any = false;
    for (std::size_t i = 0; i < count; ++i) {
        futures[i].completed = instance.find(futures[i].future.id) == nullptr;
        any |= futures[i].completed != 0;
    }
    return any;
}

// The next moment at which anything could complete one of the futures.
std::uint64_t next_moment(Instance& instance, std::size_t count,
                          const WGPUFutureWaitInfo* futures) {
    std::uint64_t first = never;
    for (const auto& event : instance.events) {
        const bool matters = is_among(event->id, count, futures) || event->kind == EventKind::map;
        if (matters && !event->silent && event->due > instance.world->now)
            first = std::min(first, event->due);
    }
    return first;
}

bool all_known(Instance& instance, std::size_t count, const WGPUFutureWaitInfo* futures) {
    for (std::size_t i = 0; i < count; ++i)
        if (futures[i].future.id == 0 || futures[i].future.id >= instance.next_id) {
            instance.world->misuse("Future (", futures[i].future.id,
                                   ") is not one of this instance");
            return false;
        }
    return true;
}

} // namespace

namespace api {

void InstanceProcessEvents(WGPUInstance handle) {
    const Ref<Instance> instance(trusted(handle));
    instance->step();
    for (std::uint64_t id : instance->due(
             [](const Event& event) { return event.mode != WGPUCallbackMode_WaitAnyOnly; }))
        instance->deliver(id);
}

WGPUWaitStatus InstanceWaitAny(WGPUInstance handle, size_t count, WGPUFutureWaitInfo* futures,
                               uint64_t timeout) {
    const Ref<Instance> instance(trusted(handle));
    World& world = *instance->world;
    if (world.scripted_problem()) return WGPUWaitStatus_Error;
    if (timeout > 0 && (!instance->timed_waits || count > timed_wait_any_max_count))
        return WGPUWaitStatus_Error;
    if (!all_known(*instance, count, futures)) return WGPUWaitStatus_Error;
    instance->step();
    if (count == 0) return WGPUWaitStatus_Success;
    std::uint64_t const end = later(world.now, timeout);
    while (!complete(*instance, count, futures)) {
        // A blocked wait is the passing of virtual time: jump to the next completion, or to the
        // timeout.
        std::uint64_t const next = next_moment(*instance, count, futures);
        if (next > end || next == never) {
            if (end != never) world.advance(end - world.now);
            return WGPUWaitStatus_TimedOut;
        }
        world.advance(next - world.now);
    }
    return WGPUWaitStatus_Success;
}

} // namespace api
} // namespace ferry_fake
