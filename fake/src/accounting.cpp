// SPDX-License-Identifier: MIT
// The C control interface: questions.
#include "ferry_fake/ferry_fake.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <numeric>
#include <vector>

#include "device.hpp"
#include "handle.hpp"
#include "instance.hpp"

namespace ferry_fake {

namespace {

// Asking changes nothing, but takes the lock.
class Locked {
public:
    explicit Locked(const FerryFake* fake)
        : world_(*const_cast<FerryFake*>(fake)), lock_(world_.mutex) {}
    World& operator*() const { return world_; }
    World* operator->() const { return &world_; }

private:
    World& world_;
    std::lock_guard<std::recursive_mutex> lock_;
};

template <class Counts>
std::uint64_t count_of(const Counts& counts, const char* kind) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < counts.size(); ++i)
        if (!kind || kind_names[i] == kind) sum += counts[i];
    return sum;
}

const char* text_at(const std::vector<std::string>& texts, std::uint64_t index) {
    return index < texts.size() ? texts[static_cast<std::size_t>(index)].c_str() : nullptr;
}

std::uint64_t pending_callbacks(const World& world) {
    std::uint64_t count = 0;
    for (const Instance* instance : world.instances)
        for (const auto& event : instance->events) count += event->kind != EventKind::device_lost;
    return count;
}

std::vector<std::string> findings(const World& world) {
    std::vector<std::string> found = world.ledger.misuses;
    for (std::size_t i = 0; i < kind_names.size(); ++i)
        if (world.ledger.live[i] > 0)
            found.push_back(text("The program still holds (", world.ledger.live[i], ") of ",
                                 kind_names[i], "."));
    if (std::uint64_t const count = pending_callbacks(world))
        found.push_back(text("Callbacks (", count, ") have not been delivered."));
    return found;
}

} // namespace
} // namespace ferry_fake

using ferry_fake::Locked;

extern "C" {

uint64_t ferry_fake_now(const FerryFake* fake) { return Locked(fake)->now; }

uint64_t ferry_fake_faults_applied(const FerryFake* fake) {
    return Locked(fake)->script.faults_applied;
}

uint64_t ferry_fake_calls(const FerryFake* fake, const char* function) {
    const Locked world(fake);
    if (!function) return world->ledger.all_calls;
    const auto known = ferry_fake::function_named(function);
    return known ? world->ledger.calls[ferry_fake::index_of(*known)] : 0;
}

uint64_t ferry_fake_live(const FerryFake* fake, const char* kind) {
    return ferry_fake::count_of(Locked(fake)->ledger.live, kind);
}

uint64_t ferry_fake_created(const FerryFake* fake, const char* kind) {
    return ferry_fake::count_of(Locked(fake)->ledger.created, kind);
}

uint64_t ferry_fake_bytes(const FerryFake* fake) { return Locked(fake)->ledger.bytes; }

uint64_t ferry_fake_peak_bytes(const FerryFake* fake) { return Locked(fake)->ledger.peak_bytes; }

uint64_t ferry_fake_pending_callbacks(const FerryFake* fake) {
    return ferry_fake::pending_callbacks(*Locked(fake));
}

uint64_t ferry_fake_pending_operations(const FerryFake* fake) {
    const Locked world(fake);
    std::uint64_t count = 0;
    for (const ferry_fake::Device* device : world->devices) count += device->queue.pending();
    return count;
}

uint64_t ferry_fake_errors(const FerryFake* fake) { return Locked(fake)->ledger.errors.size(); }

const char* ferry_fake_error(const FerryFake* fake, uint64_t index) {
    return ferry_fake::text_at(Locked(fake)->ledger.errors, index);
}

uint64_t ferry_fake_misuses(const FerryFake* fake) { return Locked(fake)->ledger.misuses.size(); }

const char* ferry_fake_misuse(const FerryFake* fake, uint64_t index) {
    return ferry_fake::text_at(Locked(fake)->ledger.misuses, index);
}

uint64_t ferry_fake_foreign_handles(void) { return ferry_fake::Process::get().foreign_handles; }

uint64_t ferry_fake_check_clean(const FerryFake* fake, char* text, size_t capacity) {
    const Locked world(fake);
    const std::vector<std::string> found = ferry_fake::findings(*world);
    std::string all;
    for (const std::string& line : found) all += line + "\n";
    if (text && capacity > 0) {
        std::size_t const length = std::min(all.size(), capacity - 1);
        std::memcpy(text, all.data(), length);
        text[length] = '\0';
    }
    return found.size();
}

} // extern "C"
