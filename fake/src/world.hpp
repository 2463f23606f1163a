// SPDX-License-Identifier: MIT
// The world behind one instance: clock, script, ledger, and the graveyard of handles. It is what a
// test holds.
#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <set>

#include "ledger.hpp"
#include "problem.hpp"
#include "script.hpp"

namespace ferry_fake {

struct Device;
struct Instance;
class Call;

class World {
public:
    World() = default;
    ~World();
    World(const World&) = delete;
    World& operator=(const World&) = delete;

    // A world lives as long as the test or any object holds it.
    void hold() { holds_.fetch_add(1); }
    void drop();

    // Keeps the shell of a dead object, so that using its handle is recognised instead of being
    // undefined.
    void bury(Object* object);

    template <class... Parts>
    void misuse(const Parts&... parts) {
        note_misuse(text(parts...));
    }

    void advance(std::uint64_t nanoseconds);
    // Runs the queue operations that are done by now, on all devices.
    void settle();
    void lose_devices();

    // The error that the script wants the running call to report. Also the point where "lose
    // during" strikes.
    Check scripted_problem();
    // The fault of the running call, if any.
    const Fault* fault() const;

    std::recursive_mutex mutex;
    std::uint64_t now = 0;
    Script script;
    Ledger ledger;
    std::set<Device*> devices;
    std::set<Instance*> instances;
    Call* call = nullptr; // the innermost running call

private:
    void note_misuse(std::string what);

    std::atomic<std::uint32_t> holds_{1};
    std::deque<Object*> graveyard_;
};

// The process-wide part: which world the next instance gets, and handles that belong to no world.
class Process {
public:
    static Process& get();

    void set_next(World* world);
    // The world for an instance that is being made; the caller owns one hold.
    World* take_next();

    std::atomic<std::uint64_t> foreign_handles{0};

private:
    std::mutex mutex_;
    World* next_ = nullptr;
};

} // namespace ferry_fake

// The C name of a world.
struct FerryFake final : ferry_fake::World {};
