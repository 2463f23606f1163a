// SPDX-License-Identifier: MIT
#include "fault_run.hpp"

#include <csignal>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <sstream>
#include <unistd.h>

// Sanitizers call it before they end the process; without one it is null.
extern "C" __attribute__((weak)) void __sanitizer_set_death_callback(void (*)());

namespace ferry::test {
namespace {

using namespace std::chrono_literals;

constexpr const char* action_names[] = {"nothing",
                                        "fails",
                                        "is out of memory",
                                        "reports an internal error",
                                        "answers null",
                                        "is aborted",
                                        "succeeds after loss",
                                        "calls back twice",
                                        "never calls back",
                                        "is late",
                                        "loses the device before",
                                        "loses the device during",
                                        "loses the device after"};

/// The run that is under way, for whoever finds the process dead.
char under_way[256];

void tell_what_was_under_way() {
    [[maybe_unused]] auto written = write(STDERR_FILENO, under_way, std::strlen(under_way));
}

void tell_at_death() {
    static const bool once = [] {
        if (__sanitizer_set_death_callback) __sanitizer_set_death_callback(tell_what_was_under_way);
        std::signal(SIGABRT, [](int) { tell_what_was_under_way(); });
        return true;
    }();
    (void)once;
}

/// Keeps what a program says from the test's own output.
class Quiet {
public:
    Quiet() : out_(std::cout.rdbuf(said_.rdbuf())), error_(std::cerr.rdbuf(told_.rdbuf())) {}
    Quiet(const Quiet&) = delete;
    Quiet& operator=(const Quiet&) = delete;
    ~Quiet() {
        std::cout.rdbuf(out_);
        std::cerr.rdbuf(error_);
    }
    [[nodiscard]] std::string told() const { return told_.str(); }

private:
    std::ostringstream said_, told_;
    std::streambuf* out_;
    std::streambuf* error_;
};

struct Scenario {
    World* world = nullptr;
    const Fault* fault = nullptr;
    std::vector<std::uint64_t> calls_before{};
};
Scenario scenario;

constexpr const char* functions[] = {
#define FERRY_ENGINE_FUNCTION(name) "wgpu" #name,
#include "ferry/engine_functions.inc"
};

std::vector<std::uint64_t> count_calls(const World& world) {
    std::vector<std::uint64_t> counts;
    for (const char* function : functions) counts.push_back(world.calls(function));
    return counts;
}

/// Ends with 0, or with a number and an exception's text.
int end_of(const Program& program, std::string& problem) {
    try {
        return program.run();
    } catch (const Hung& hung) {
        problem += std::string("hangs: ") + hung.what() + '\n';
    } catch (const std::exception& thrown) {
        problem += std::string("throws: ") + thrown.what() + '\n';
    }
    return 1;
}

} // namespace

std::string to_text(const Fault& fault) {
    return "call " + std::to_string(fault.nth) + " of " + fault.function + ' ' +
           action_names[fault.action];
}

void prepare_without_faults() { scenario.world->clear_faults(); }

void arm_fault() {
    scenario.calls_before = count_calls(*scenario.world);
    if (scenario.fault == nullptr) return;
    const Fault& fault = *scenario.fault;
    scenario.world->script(fault.function,
                           {.nth = fault.nth, .action = fault.action, .delay = fault.delay});
}

World& scenario_world() { return *scenario.world; }

Run run_with(const Program& program, const std::optional<Fault>& fault) {
    tell_at_death();
    std::snprintf(under_way, sizeof under_way, "[ under way ] %s, %s\n", program.name.c_str(),
                  fault ? to_text(*fault).c_str() : "no fault");
    Run run;
    World world;
    scenario = {&world, fault ? &*fault : nullptr};
    arm_fault();
    std::string told;
    {
        const VirtualTime time([&](auto slept) { world.advance(slept); }, 100);
        const Quiet quiet;
        run.right = end_of(program, run.problem) == 0;
        told = quiet.told();
    }
    run.told = !told.empty();
    run.applied = world.faults_applied() > 0;
    run.wrong = !run.right && !run.told && !program.judges_errors && run.problem.empty();
    run.problem += world.findings();
    if (!fault) {
        for (const auto& error : world.errors()) run.problem += "invalid call: " + error + '\n';
        if (!run.right) run.problem += "is not right without a fault:\n" + told;
    }
    const auto counts = count_calls(world);
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const std::uint64_t count = counts[i] - scenario.calls_before[i];
        if (count > 0) run.calls.push_back({functions[i], count});
    }
    std::snprintf(under_way, sizeof under_way, "%s", "");
    return run;
}

} // namespace ferry::test
