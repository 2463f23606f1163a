// SPDX-License-Identifier: MIT
#include <chrono>
#include <memory>

#include <fmt/format.h>

#include "common.hpp"
#include "engine_talk.hpp"
#include "interrupt.hpp"
#include "needs.hpp"
#include "recorder.hpp"
#include "report.hpp"
#include "text.hpp"

namespace app {

namespace {
using Milliseconds = std::chrono::duration<double, std::milli>;

Result<ferry::Device> open_device(const RecordPlan& plan, const Common& common) {
    EngineTalk talk;
    auto engine = ferry::Engine::find(common.engine);
    if (!engine) return std::unexpected(std::move(engine).error());
    auto device = ferry::Device::open({.engine = *engine,
                                       .adapter = common.adapter,
                                       .required_features = plan.shader.features,
                                       .required_limits = plan.shader.limits,
                                       .label = "ferry record"});
    if (!device) return within(std::move(device).error(), needs_text(plan.shader));
    talk.discard();
    return device;
}

const char* colours(FilmFormat format) {
    return format == FilmFormat::y4m ? "BT.709, limited range, 4:2:0, chroma in the middle"
                                     : "as the shader stores them";
}

/// What was recorded, and how fast.
struct Summary {
    const RecordPlan& plan;
    const ferry::Device& device;
    const ferry::RingStats& ring;
    std::uint64_t frames;
    double seconds;

    [[nodiscard]] double rate() const { return static_cast<double>(frames) / seconds; }
};

nlohmann::ordered_json summary_json(const Summary& film) {
    const auto& latency = film.ring.latency;
    const auto& [plan, device, ring, frames, seconds] = film;
    return {{"engine", {{"name", device.engine().name()}, {"version", device.engine().version()}}},
            {"adapter", {{"index", device.adapter().index}, {"name", device.adapter().name}}},
            {"entry", plan.shader.entry->name},
            {"stage", plan.is_compute() ? "compute" : "fragment"},
            {"output", plan.output},
            {"format", name(plan.format)},
            {"colours", colours(plan.format)},
            {"size", {plan.width, plan.height}},
            {"fps", {plan.rate.frames, plan.rate.seconds}},
            {"frames", frames},
            {"seconds", seconds},
            {"frames_per_second", film.rate()},
            {"ring",
             {{"slots", ring.slots},
              {"delivered", ring.delivered},
              {"skipped", ring.skipped},
              {"latency_frames", {{"mean", latency.mean_frames}, {"max", latency.max_frames}}},
              {"latency_ms",
               {{"mean", Milliseconds(latency.mean).count()},
                {"p99", Milliseconds(latency.p99).count()},
                {"max", Milliseconds(latency.max).count()}}}}},
            {"notes", plan.shader.notes}};
}

std::string summary_text(const Summary& film) {
    return fmt::format("{}: {} frame(s) of {}x{} in {:.1f} s, {:.1f} frames/s on {}, {}; latency "
                       "{:.1f} frames, {} skipped",
                       film_text(film.plan, film.frames), count_text(film.frames), film.plan.width,
                       film.plan.height, film.seconds, film.rate(), film.device.engine().name(),
                       shortened(film.device.adapter().name, 36), film.ring.latency.mean_frames,
                       film.ring.skipped);
}

Error interrupted(const RecordPlan& plan, std::uint64_t frames, bool finished) {
    Error error{.code = Errc::cancelled};
    if (frames == 0) {
        error.what = "The recording was interrupted before its first frame; nothing was written.";
    } else if (!finished && plan.format != FilmFormat::png && plan.output != "-") {
        error.what = "The recording was interrupted, and writing does not go on; nothing was kept.";
    } else {
        error.what = fmt::format("The recording was interrupted: {} {} the first {} of {} frames.",
                                 film_text(plan, frames), plan.output == "-" ? "got" : "holds",
                                 count_text(frames), count_text(plan.frames));
    }
    return error;
}

/// Ends the process: destructors of engines wait for the frames that are still being drawn.
[[noreturn]] void leave(const Error& error, const Common& common) {
    const int code = report(error, common.json);
    std::fflush(nullptr);
    leave_now(code);
}

void say_notes(const RecordPlan& plan, const ferry::Device& device, const Common& common) {
    for (const std::string& note : plan.shader.notes) say(common, "note: " + note);
    if (device.engine().name() == "ferry_fake")
        say(common, "note: ferry_fake runs no shaders: every frame is black and transparent");
}

Result<> record(const RecordOptions& options, const Common& common) {
    auto plan = make_record_plan(options);
    if (!plan) return std::unexpected(std::move(plan).error());
    auto film = Film::create(*plan);
    if (!film) return std::unexpected(std::move(film).error());
    auto device = open_device(*plan, common);
    if (!device) return std::unexpected(std::move(device).error());
    say_notes(*plan, *device, common);
    auto recorder = Recorder::create(*device, *plan);
    if (!recorder) return within(std::move(recorder).error(), "in " + options.shader);
    const auto start = std::chrono::steady_clock::now();
    FilmWriter writer(*std::move(film), plan->frame_bytes());
    auto ok = [&] {
        Progress progress(!common.quiet, "recording " + film_text(*plan, 0), plan->frames);
        return recorder->run(writer, progress);
    }();
    if (!ok) return ok;
    auto finished = writer.finish();
    if (!finished) return std::unexpected(std::move(finished).error());
    const std::uint64_t frames = writer.frames_written();
    if (frames < plan->frames) leave(interrupted(*plan, frames, *finished), common);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    const ferry::RingStats ring = recorder->stats();
    const Summary summary{*plan, *device, ring, frames, took.count()};
    if (common.json) return print_json(summary_json(summary));
    say(common, summary_text(summary));
    return {};
}

/// Standard output carries one thing: the film or the JSON document.
int record_command(const RecordOptions& options, const Common& common) {
    if (options.output == "-" && common.json) {
        return report({.code = Errc::invalid_argument,
                       .what = "Both --json and -o - write to standard output.",
                       .fix = "Record to a file, or leave --json out."},
                      false);
    }
    const auto done = record(options, common);
    return done ? 0 : report(done.error(), common.json);
}

constexpr const char* explanation =
    "Examples:\n"
    "  ferry record examples/plasma.wgsl -o plasma.y4m\n"
    "  ferry record examples/ripples.wgsl --size 640x640 --frames 60 -o ripple.png\n"
    "  ferry record examples/plasma.wgsl -o - | ffmpeg -i - -c:v libx264 plasma.mp4\n"
    "\n"
    "The shader has a fragment entry point, which is run for each pixel, or a compute entry point "
    "that\n"
    "writes one texture_storage_2d<rgba8unorm, write>. Uniforms, or members of one, that are named "
    "so\n"
    "are set in each frame: time: f32 (seconds), frame: u32 (from 0), resolution: vec2f or vec2u.\n"
    "Colours are taken as encoded for a display (sRGB), as the shader stores them. y4m turns them\n"
    "into BT.709 of limited range, 4:2:0, chroma sited in the middle of its 2 x 2 pixels (C420jpeg "
    "of\n"
    "limited range), and leaves alpha out. png numbers its files, out-0000.png and so on, and "
    "keeps\n"
    "alpha. raw is 4 bytes a pixel, red, green, blue and alpha, frame after frame.\n"
    "The bytes are the same with any number of --slots. Ctrl-C ends a film early and keeps it.\n";
} // namespace

void add_record(CLI::App& app, Common& common, int& exit_code) {
    auto* command = app.add_subcommand("record", "Record a film of a fragment or compute shader");
    auto options = std::make_shared<RecordOptions>();
    const auto text = [&](const char* name, std::string& into, const char* value,
                          const char* help) {
        command->add_option(name, into, help)->type_name(value)->capture_default_str();
    };
    command
        ->add_option("shader", options->shader,
                     "WGSL file, a fragment or compute shader; - is standard input")
        ->required()
        ->type_name("SHADER.wgsl");
    text("-o,--output", options->output, "FILE",
         "out.y4m, out.png (numbered) or out.raw; - is standard output");
    text("--format", options->format, "y4m|png|raw",
         "What is written, where the name does not say it; else y4m");
    text("--size", options->size, "WIDTHxHEIGHT", "Of a frame, in pixels");
    command->add_option("--frames", options->frames, "How many")
        ->type_name("N")
        ->capture_default_str();
    text("--fps", options->fps, "F", "Frames per second: 30, 29.97 or 30000/1001");
    text("--entry", options->entry, "NAME", "Entry point, where the shader has several");
    command->add_option("--slots", options->slots, "Frames in flight between GPU and program")
        ->type_name("N")
        ->capture_default_str();
    add_common(*command, common);
    command->footer(explanation);
    command->callback(
        [options, &common, &exit_code] { exit_code = record_command(*options, common); });
}

} // namespace app
