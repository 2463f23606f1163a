// SPDX-License-Identifier: MIT
// Each engine call of each program fails in turn, in every way it can, and the device is lost
// around each call in turn. Every run ends with an error or the right result.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <span>

#include "fault_run.hpp"
#include "scenarios.hpp"

#define FERRY_EXAMPLE(name) int example_##name();
#include "sweep_examples.inc"
#undef FERRY_EXAMPLE

namespace ferry::test {
namespace {

using namespace std::chrono_literals;

enum class Kind { answering, silent, asynchronous, reference };

Kind kind_of(std::string_view function) {
    constexpr std::string_view asynchronous[] = {
        "wgpuInstanceRequestAdapter", "wgpuAdapterRequestDevice", "wgpuBufferMapAsync",
        "wgpuQueueOnSubmittedWorkDone", "wgpuDevicePopErrorScope"};
    if (std::ranges::find(asynchronous, function) != std::end(asynchronous))
        return Kind::asynchronous;
    if (function.ends_with("Release") || function.ends_with("AddRef")) return Kind::reference;
    constexpr std::string_view answering[] = {"Create", "Get", "Has", "Begin", "Finish", "WaitAny"};
    const auto is_in = [&](std::string_view word) { return function.find(word) != function.npos; };
    return std::ranges::any_of(answering, is_in) ? Kind::answering : Kind::silent;
}

/// A reference count cannot fail, but the device can be lost around it. A call without an answer
/// cannot answer null.
std::span<const FerryFakeAction> actions_for(Kind kind) {
    static constexpr FerryFakeAction all[] = {FERRY_FAKE_LOSE_BEFORE,
                                              FERRY_FAKE_LOSE_DURING,
                                              FERRY_FAKE_LOSE_AFTER,
                                              FERRY_FAKE_FAIL,
                                              FERRY_FAKE_OUT_OF_MEMORY,
                                              FERRY_FAKE_INTERNAL_ERROR,
                                              FERRY_FAKE_NULL,
                                              FERRY_FAKE_ABORT,
                                              FERRY_FAKE_SUCCESS_AFTER_LOSS,
                                              FERRY_FAKE_TWICE,
                                              FERRY_FAKE_NEVER_CALLS_BACK,
                                              FERRY_FAKE_LATE};
    const std::span<const FerryFakeAction> actions(all);
    switch (kind) {
    case Kind::reference: return actions.first(3);
    case Kind::silent: return actions.first(6);
    case Kind::answering: return actions.first(7);
    case Kind::asynchronous: break;
    }
    return actions;
}

/// What a program does by itself, so that the fault's run is no failure of ferry's.
struct Exception {
    std::string_view program;
    std::string_view function;
    FerryFakeAction action;
    std::string_view why;
};
constexpr Exception exceptions[] = {
    {"gpu_done", "wgpuQueueOnSubmittedWorkDone", FERRY_FAKE_NEVER_CALLS_BACK,
     "its own loop asks until the GPU is done, without a limit"},
    {"gpu_done", "wgpuQueueOnSubmittedWorkDone", FERRY_FAKE_NULL,
     "its own loop asks until the GPU is done, without a limit"},
};

bool is_excepted(const Program& program, const Fault& fault) {
    return std::ranges::any_of(exceptions, [&](const Exception& each) {
        return each.program == program.name && each.function == fault.function &&
               each.action == fault.action;
    });
}

/// What the queue itself has against a call comes out of Device::take_uncaptured_errors, which the
/// examples do not ask. The scenario "watchful" does, and nothing goes unsaid there.
bool is_told_elsewhere(const Program& program, const Fault& fault) {
    const bool queue =
        fault.function == "wgpuQueueSubmit" || fault.function == "wgpuQueueWriteBuffer";
    return queue && fault.action >= FERRY_FAKE_FAIL && fault.action <= FERRY_FAKE_INTERNAL_ERROR &&
           program.name != "watchful";
}

struct Tally {
    int points = 0, met = 0, right = 0, errors = 0, elsewhere = 0, excepted = 0;
    std::map<std::string, std::vector<std::string>> failures{}; ///< by problem
};

void meet(const Program& program, const Fault& fault, Tally& tally) {
    ++tally.points;
    if (is_excepted(program, fault)) {
        ++tally.excepted;
        return;
    }
    Run run = run_with(program, fault);
    if (run.wrong && is_told_elsewhere(program, fault)) {
        ++tally.elsewhere;
    } else if (run.wrong) {
        run.problem += "ends with a wrong result and no error\n";
    }
    tally.met += run.applied ? 1 : 0;
    tally.right += run.right ? 1 : 0;
    tally.errors += run.right ? 0 : 1;
    if (!run.problem.empty()) tally.failures[run.problem].push_back(to_text(fault));
}

void report(const Program& program, const Tally& tally) {
    std::printf("%-24s %5d faults, %5d met a call: %5d right results, %5d errors, %d of "
                "them in the list of uncaptured ones\n",
                program.name.c_str(), tally.points, tally.met, tally.right, tally.errors,
                tally.elsewhere);
    for (const auto& [problem, faults] : tally.failures) {
        std::string text = problem + "  after " + std::to_string(faults.size()) + " faults:\n";
        for (const auto& fault : faults) text += "    " + fault + '\n';
        ADD_FAILURE() << program.name << ' ' << text;
    }
}

void sweep(const Program& program) {
    const Run healthy = run_with(program);
    ASSERT_EQ(healthy.problem, "") << program.name;
    Tally tally;
    for (const auto& [function, count] : healthy.calls) {
        for (FerryFakeAction action : actions_for(kind_of(function))) {
            for (std::uint64_t nth = 1; nth <= count; ++nth)
                meet(program, {function, nth, action, 1s}, tally);
        }
    }
    report(program, tally);
    EXPECT_EQ(tally.met + tally.excepted, tally.points) << "some faults met no call";
}

/// A suite for each program, so that each is a process of its own under ctest.
class FaultSweep : public testing::Test {
public:
    explicit FaultSweep(Program program) : program_(std::move(program)) {}
    void TestBody() override { sweep(program_); }

private:
    Program program_;
};

[[maybe_unused]] const bool registered = [] {
    std::vector<Program> programs = scenarios();
#define FERRY_EXAMPLE(name) programs.push_back({#name, example_##name});
#include "sweep_examples.inc"
    setenv("FERRY_ENGINE", "fake", 1);
    setenv("FERRY_FAKE_PATH", FERRY_TEST_ENGINE_FAKE, 1);
    for (Program& program : programs) {
        program.judges_errors = program.name == "forgotten_submit" || program.name == "error_text";
        testing::RegisterTest(("FaultSweep_" + program.name).c_str(), "EveryCallInEveryWay",
                              nullptr, nullptr, __FILE__, __LINE__,
                              [program]() -> FaultSweep* { return new FaultSweep(program); });
    }
    return true;
}();

} // namespace
} // namespace ferry::test
