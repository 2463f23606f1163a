// SPDX-License-Identifier: MIT
#include "bench.hpp"

#include <memory>

#include <fmt/format.h>

#include "arguments.hpp"
#include "bench_paths.hpp"
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

/// A device whose buffers may be as large as its adapter allows.
Result<ferry::Device> open_for_large_buffers(const Common& common) {
    EngineTalk talk;
    auto engine = ferry::Engine::find(common.engine);
    if (!engine) return std::unexpected(engine.error());
    ferry::DeviceOptions options{.engine = *engine, .adapter = common.adapter};
    auto device = ferry::Device::open(options);
    if (!device) return device;
    options.required_limits.max_buffer_size_bytes = device->adapter().limits.max_buffer_size_bytes;
    device = ferry::Device::open(options);
    if (device) talk.discard();
    return device;
}

Result<std::uint64_t> parse_most(const std::string& text) {
    auto bytes = parse_size(text);
    if (!bytes) return within(std::move(bytes).error(), "in --max " + text);
    if (*bytes >= 4) return bytes;
    return fail(Errc::invalid_argument,
                fmt::format("--max {} leaves no size: the smallest one is (4) bytes.", text),
                "Give at least 4 bytes: --max 4.");
}

Result<> run_paths(const Common& common, PathsBench wanted, const std::string& most) {
    auto bytes = parse_most(most);
    if (!bytes) return std::unexpected(std::move(bytes).error());
    wanted.max_bytes = *bytes;
    auto device = open_for_large_buffers(common);
    if (!device) return std::unexpected(std::move(device).error());
    return bench_paths(common, *device, wanted);
}

void add_frame(CLI::App& bench, Common& common, int& exit_code) {
    auto* frame =
        bench.add_subcommand("frame", "A frame without a read, waiting for one, and with the ring");
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

void add_paths(CLI::App& bench, Common& common, int& exit_code) {
    auto* paths = bench.add_subcommand(
        "paths", "Each upload path, and the one that ferry chooses, size by size");
    auto wanted = std::make_shared<PathsBench>();
    auto most = std::make_shared<std::string>("256MiB");
    paths->add_option("--max", *most, "The largest size, from 4 bytes on")
        ->type_name("SIZE")
        ->capture_default_str();
    paths->add_flag("--create", wanted->create,
                    "Of a buffer that is made with its data, instead of a write to one");
    add_common(*paths, common);
    paths->footer("Prints one line for each size (with --json one object for each size and path, "
                  "of bytes,\ngb_per_s, us and more). A time runs from the call until the GPU has "
                  "the bytes. The paths take\nturns; the first upload of a turn is not counted, "
                  "and the time told is the lower quartile of\nat least 5, since other work on the "
                  "machine only ever slows one. The paths are checked first:\nthe bytes are read "
                  "back.");
    paths->callback([&common, &exit_code, wanted, most] {
        const auto done = run_paths(common, *wanted, *most);
        exit_code = done ? 0 : report(done.error(), common.json);
    });
}
} // namespace

void add_bench(CLI::App& app, Common& common, int& exit_code) {
    auto* bench = app.add_subcommand("bench", "Measure what this machine and engine do");
    bench->require_subcommand(1);
    add_frame(*bench, common, exit_code);
    add_paths(*bench, common, exit_code);
}

} // namespace app
