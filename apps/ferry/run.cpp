// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <optional>

#include <fmt/format.h>

#include "common.hpp"
#include "each.hpp"
#include "interrupt.hpp"
#include "job.hpp"
#include "report.hpp"
#include "run_summary.hpp"
#include "stream.hpp"

namespace app {

namespace {
using Clock = std::chrono::steady_clock;

double lap(Clock::time_point& start) {
    const auto now = Clock::now();
    const double ms = std::chrono::duration<double, std::milli>(now - start).count();
    start = now;
    return ms;
}

Result<Plan> plan_of(const RunOptions& options, const std::optional<Each>& each) {
    auto wgsl = read_shader(options);
    if (!wgsl) return std::unexpected(std::move(wgsl).error());
    return each ? each->widest(*std::move(wgsl)) : make_plan(options, *std::move(wgsl));
}

/// Ends the process where the run cannot end by itself: the user's signal, or a thread that waits
/// for a pipe.
Result<> left(Pipeline& pipeline, Error error, const Common& common, const char* kept) {
    if (interrupting_signal() != 0) leave_interrupted(kept);
    if (pipeline.stop()) return std::unexpected(std::move(error));
    const int code = report(error, common.json);
    std::fflush(nullptr);
    leave_now(code);
}

struct Rounded {
    double load_ms = 0;
    double save_ms = 0;
};

Result<Rounded> run_rounds(Job& job, Rounds& rounds, Progress& progress, const Common& common,
                           const char* kept) {
    Pipeline pipeline(job, rounds);
    if (auto ok = pipeline.run(progress); !ok) {
        auto error = left(pipeline, std::move(ok).error(), common, kept);
        return std::unexpected(std::move(error).error());
    }
    return Rounded{pipeline.load_ms(), pipeline.save_ms()};
}

Result<Rounded> compute(Job& job, std::optional<Stream>& stream, std::optional<Each>& each,
                        const Common& common) {
    const std::string& entry = job.plan().entry->name;
    if (each) {
        Progress progress(!common.quiet, "running " + entry, each->count());
        return run_rounds(job, *each, progress, common, "the files that were done are there");
    }
    if (!stream) {
        auto ok = job.compute();
        if (!ok) return std::unexpected(std::move(ok).error());
        return Rounded{};
    }
    Progress progress(!common.quiet, "streaming " + entry, job.plan().cut->rows);
    auto rounded = run_rounds(job, *stream, progress, common, "no output was written");
    if (!rounded) return rounded;
    if (auto ok = job.collect(); !ok) return std::unexpected(std::move(ok).error());
    return rounded;
}

Result<> run(const RunOptions& options, const Common& common) {
    auto start = Clock::now();
    RunTimes times;
    std::optional<Each> each;
    for (const std::string& save : options.save) {
        if (!options.each.empty() || save.find("{stem}") == save.npos) continue;
        return fail(Errc::invalid_argument,
                    fmt::format("--save {} has a {{stem}}, and there is no --each.", save),
                    "Load the files with --each NAME='folder/*.npy', or write the name.");
    }
    if (!options.each.empty()) {
        auto found = Each::find(options, common);
        if (!found) return std::unexpected(std::move(found).error());
        each = *std::move(found);
    }
    auto plan = plan_of(options, each);
    if (!plan) return std::unexpected(std::move(plan).error());
    for (const std::string& note : plan->notes) say(common, "note: " + note);
    Job job(*std::move(plan), common);
    if (each) {
        if (auto ok = each->use(job.plan()); !ok) return ok;
    }
    if (auto ok = job.create_outputs(); !ok) return ok;
    std::optional<Stream> stream;
    if (job.plan().cut) {
        auto created = Stream::create(job.plan());
        if (!created) return std::unexpected(std::move(created).error());
        stream = *std::move(created);
    }
    if (auto ok = job.open(options.shader); !ok) return ok;
    if (const std::string note = job.driver_note(); !note.empty()) say(common, "note: " + note);
    if (job.device().engine().name() == "ferry_fake") {
        say(common,
            "note: ferry_fake runs no shaders: arrays and images come back as they were sent");
    }
    times.open_ms = lap(start);
    if (auto ok = job.load(); !ok) return ok;
    times.load_ms = lap(start);
    auto rounded = compute(job, stream, each, common);
    if (!rounded) return std::unexpected(std::move(rounded).error());
    times.compute_ms = lap(start);
    if (auto ok = job.save(); !ok) return ok;
    if (stream) {
        if (auto ok = stream->commit(); !ok) return ok;
    }
    if (auto ok = job.commit(); !ok) return ok;
    times.load_ms += rounded->load_ms;
    times.save_ms = lap(start) + rounded->save_ms;
    RunSummary summary{.job = job, .times = times};
    if (each) summary.files = each->count();
    if (stream) summary.streamed_bytes = stream->bytes();
    if (common.json) return print_json(summary_json(summary));
    say(common, summary_text(summary));
    return {};
}

/// Standard output carries one thing: the array or the JSON document.
int run_command(const RunOptions& options, const Common& common) {
    bool array_there = false;
    for (const std::string& each : options.save)
        array_there = array_there || each.ends_with("=-") || each.ends_with("=png:-") ||
                      each.ends_with("=npy:-") || each.ends_with("=raw:-");
    if (array_there && common.json) {
        return report({.code = Errc::invalid_argument,
                       .what = "Both --json and --save NAME=- write to standard output.",
                       .fix = "Save to a file, or leave --json out."},
                      false);
    }
    const auto done = run(options, common);
    return done ? 0 : report(done.error(), common.json);
}

constexpr const char* examples =
    "Examples:\n"
    "  ferry run examples/double.wgsl --load data=in.npy --save data=out.npy --groups 4096\n"
    "  ferry run add.wgsl --load a=a.npy --load b=b.npy --zero 'sum=f32[1000]' --save sum=sum.npy\n"
    "  ferry run examples/blur3.wgsl --load in=photo.png --save out=blurred.png\n"
    "  ferry run scale.wgsl --load data=- --set params.factor=0.5 --save data=- <in.npy >out.npy\n"
    "  ferry run examples/double.wgsl --load data=huge.npy --stream data --save data=out.npy\n"
    "  ferry run examples/blur3.wgsl --each 'in=photos/*.png' --save 'out=blurred/{stem}.png'\n"
    "\n"
    "NAME is the variable's name in the shader, or its place: 0.1 is @group(0) @binding(1).\n"
    "--zero takes f16, f32, i32, u32 and vectors of them, or a size in bytes of the shader's own "
    "type;\n"
    "f32[] has as many elements as the input.\n"
    "Arrays of f2, f4, i4 and u4 fit f16, f32, i32 and u32; the last axis of an array of vectors\n"
    "is the vector: (N, 3) for array<vec3f>. Quote the [ ] of --zero against the shell.\n"
    "--stream cuts arrays along their first axis and runs chunk after chunk, several in flight, "
    "in\n"
    "bounded memory: arrayLength is that of the chunk, and a var<uniform> chunk_first: u32 is its "
    "first\n"
    "row. What is not streamed stays for all chunks (a sum, a histogram). --each is a run for each "
    "file,\n"
    "several in flight; {stem} and {name} are those of the file. docs/run.md has more of both.\n"
    "Images fit texture_2d and texture_storage_2d: .png of any kind, .npy of (height, width) and\n"
    "(height, width, channels); a first axis more for the layers of *_2d_array. An output is as\n"
    "large as what is loaded, or --zero out=640x480. Saved as .png, .npy or .raw by the name; on\n"
    "standard output as .npy (NAME=-), or as NAME=png:- and NAME=raw:- say. docs/images.md has "
    "more.\n";
} // namespace

void add_run(CLI::App& app, Common& common, int& exit_code) {
    auto* command =
        app.add_subcommand("run", "Run a compute shader over .npy arrays and .png images");
    auto options = std::make_shared<RunOptions>();
    const auto repeated = [&](const char* name, std::vector<std::string>& into, const char* value,
                              const char* help) {
        command->add_option(name, into, help)
            ->type_name(value)
            ->allow_extra_args(false)
            ->take_all();
    };
    command
        ->add_option("shader", options->shader,
                     "WGSL file with a compute entry point; - is standard input")
        ->required()
        ->type_name("SHADER.wgsl");
    repeated("--load", options->load, "NAME=FILE",
             "Fill a binding from a .npy or .png file; - is stdin");
    repeated("--save", options->save, "NAME=FILE",
             "Write a result to a file; - is stdout as .npy, or png:-, raw:-");
    repeated("--zero", options->zero, "NAME=TYPE[SHAPE]",
             "Fill a binding with zeros: f32[1024], 64MiB, or 640x480");
    repeated("--set", options->set, "NAME=VALUE",
             "Set an override, a uniform, or a member of it: p.offset=1,2");
    command->add_option("--entry", options->entry, "Entry point, where the shader has several")
        ->type_name("NAME");
    command
        ->add_option("--threads", options->threads,
                     "Threads at least; default: texels of the result, or elements")
        ->type_name("N[,N[,N]]");
    command->add_option("--groups", options->groups, "Workgroups to run, instead of --threads")
        ->type_name("N[,N[,N]]");
    repeated("--stream", options->stream, "NAME",
             "Run chunk by chunk over an array, in bounded memory");
    command
        ->add_option("--chunk", options->chunk,
                     "Of the largest --stream, at most one dispatch; default: 16MiB")
        ->type_name("SIZE");
    repeated("--each", options->each, "NAME='in/*.npy'",
             "Run for each file that matches; {stem} or {name} in --save");
    add_common(*command, common);
    command->footer(examples);
    command->callback(
        [options, &common, &exit_code] { exit_code = run_command(*options, common); });
}

} // namespace app
