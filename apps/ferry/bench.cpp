// SPDX-License-Identifier: MIT
#include "bench.hpp"

#include <memory>

#include "engine_talk.hpp"
#include "report.hpp"

namespace app {

namespace {
Result<> run_frame(const Common& common, const FrameBench& wanted) {
    EngineTalk talk;
    auto engine = ferry::Engine::find(common.engine);
    if (!engine) return std::unexpected(engine.error());
    auto device = ferry::Device::open({.engine = *engine, .adapter = common.adapter});
    if (!device) return std::unexpected(device.error());
    talk.discard();
    return bench_frame(common, *device, wanted);
}
} // namespace

void add_bench(CLI::App& app, Common& common, int& exit_code) {
    auto* bench = app.add_subcommand("bench", "Measure what this machine and engine do");
    bench->require_subcommand(1);
    auto* frame = bench->add_subcommand(
        "frame", "A frame without a read, waiting for one, and with the ring");
    auto wanted = std::make_shared<FrameBench>();
    frame->add_option("--frames", wanted->frames, "Frames of one mode before the next has its turn")
        ->check(CLI::Range(1, 1'000'000))
        ->capture_default_str();
    frame->add_option("--turns", wanted->turns, "Turns of each mode")
        ->check(CLI::Range(1, 10'000))
        ->capture_default_str();
    frame
        ->add_option("--cpu-us", wanted->cpu_microseconds,
                     "Work of the CPU in a frame; the GPU gets about as much")
        ->check(CLI::Range(0, 1'000'000))
        ->capture_default_str();
    add_common(*frame, common);
    frame->footer("Prints one line for each mode (with --json one object for each): time of a "
                  "frame, rate against\nthe frame without a read, results, skipped reads, largest "
                  "latency. At most two frames are on\nthe GPU.");
    frame->callback([&common, &exit_code, wanted] {
        const auto done = run_frame(common, *wanted);
        exit_code = done ? 0 : report(done.error(), common.json);
    });
}

} // namespace app
