// SPDX-License-Identifier: MIT
#include <chrono>

#include <fmt/format.h>

#include "common.hpp"
#include "job.hpp"
#include "report.hpp"
#include "text.hpp"

namespace app {

namespace {
using Clock = std::chrono::steady_clock;

struct Times {
    double open_ms = 0; ///< shader and images read, device opened, kernel compiled
    double load_ms = 0;
    double compute_ms = 0;
    double save_ms = 0;
};

double lap(Clock::time_point& start) {
    const auto now = Clock::now();
    const double ms = std::chrono::duration<double, std::milli>(now - start).count();
    start = now;
    return ms;
}

nlohmann::ordered_json slots_json(const Plan& plan) {
    auto list = nlohmann::ordered_json::array();
    for (const Slot& slot : plan.slots) {
        nlohmann::ordered_json one{{"name", slot.binding->name},
                                   {"group", slot.binding->group},
                                   {"binding", slot.binding->binding},
                                   {"type", slot.binding->type.name},
                                   {"from", slot.origin},
                                   {"dtype", numpy_name(slot.array.dtype)},
                                   {"shape", slot.array.shape},
                                   {"bytes", slot.layout.buffer_bytes},
                                   {"saved", slot.saves}};
        if (slot.picture) {
            const auto& size = slot.picture->size;
            one["format"] = ferry::name(slot.picture->format.format);
            one["size"] = {size.width, size.height, size.depth_or_array_layers};
        }
        list.push_back(std::move(one));
    }
    return list;
}

nlohmann::ordered_json summary_json(const Job& job, const Times& times) {
    const auto& device = job.device();
    return {{"engine", {{"name", device.engine().name()}, {"version", device.engine().version()}}},
            {"adapter", {{"index", device.adapter().index}, {"name", device.adapter().name}}},
            {"entry", job.plan().entry->name},
            {"groups", job.groups()},
            {"workgroup_size", job.kernel().workgroup_size()},
            {"bindings", slots_json(job.plan())},
            {"notes", job.plan().notes},
            {"ms",
             {{"open", times.open_ms},
              {"load", times.load_ms},
              {"compute", times.compute_ms},
              {"save", times.save_ms}}}};
}

std::string grid_text(std::span<const std::uint64_t> grid) {
    if (grid[1] == 1 && grid[2] == 1) return count_text(grid[0]);
    return grid[2] == 1 ? fmt::format("{}x{}", grid[0], grid[1])
                        : fmt::format("{}x{}x{}", grid[0], grid[1], grid[2]);
}

std::string summary_text(const Job& job, const Times& times) {
    const auto size = job.kernel().workgroup_size();
    const std::array<std::uint64_t, 3> threads{size[0], size[1], size[2]};
    const auto groups = job.groups();
    return fmt::format(
        "{} on {}, {}: {} group(s) of {}; open {:.0f}, load {:.0f}, compute {:.0f}, save {:.0f} ms",
        job.plan().entry->name, job.device().engine().name(),
        shortened(job.device().adapter().name, 36), grid_text(groups), grid_text(threads),
        times.open_ms, times.load_ms, times.compute_ms, times.save_ms);
}

Result<> run(const RunOptions& options, const Common& common) {
    auto start = Clock::now();
    Times times;
    auto plan = make_plan(options);
    if (!plan) return std::unexpected(std::move(plan).error());
    for (const std::string& note : plan->notes) say(common, "note: " + note);
    Job job(*std::move(plan), common);
    if (auto ok = job.create_outputs(); !ok) return ok;
    if (auto ok = job.open(options.shader); !ok) return ok;
    if (const std::string note = job.driver_note(); !note.empty()) say(common, "note: " + note);
    if (job.device().engine().name() == "ferry_fake") {
        say(common,
            "note: ferry_fake runs no shaders: arrays and images come back as they were sent");
    }
    times.open_ms = lap(start);
    if (auto ok = job.load(); !ok) return ok;
    times.load_ms = lap(start);
    if (auto ok = job.compute(); !ok) return ok;
    times.compute_ms = lap(start);
    if (auto ok = job.save(); !ok) return ok;
    times.save_ms = lap(start);
    if (common.json) return print_json(summary_json(job, times));
    say(common, summary_text(job, times));
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
    "\n"
    "NAME is the variable's name in the shader, or its place: 0.1 is @group(0) @binding(1).\n"
    "--zero takes f16, f32, i32, u32 and vectors of them, or a size in bytes of the shader's own "
    "type.\n"
    "Arrays of f2, f4, i4 and u4 fit f16, f32, i32 and u32; the last axis of an array of vectors\n"
    "is the vector: (N, 3) for array<vec3f>. Quote the [ ] of --zero against the shell.\n"
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
    add_common(*command, common);
    command->footer(examples);
    command->callback(
        [options, &common, &exit_code] { exit_code = run_command(*options, common); });
}

} // namespace app
