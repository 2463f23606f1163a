// SPDX-License-Identifier: MIT
// What `ferry doctor` runs in a child process: one engine, the drivers that the environment names.
#include <chrono>

#include <fmt/format.h>

#include "adapters.hpp"
#include "common.hpp"
#include "ferry/device.hpp"
#include "report.hpp"

namespace app {

using namespace std::chrono_literals;
using ferry::BufferUsage;

namespace {
using Numbers = std::vector<std::uint32_t>;

constexpr const char* head =
    "@group(0) @binding(0) var<storage, read_write> numbers: array<u32>;\n";
constexpr const char* arithmetic =
    "@compute @workgroup_size(1) fn main(@builtin(global_invocation_id) id: vec3u) {"
    "    numbers[id.x] = numbers[id.x] * 2u + 1u; }";
constexpr const char* long_loop =
    "@compute @workgroup_size(1) fn main() {"
    "    for (var i = 0u; i < numbers[0]; i++) { numbers[1] += 1u; } }";

/// A few numbers through a kernel and back.
Result<Numbers> through(ferry::Device& device, const char* wgsl, const Numbers& numbers,
                        std::size_t threads) {
    auto buffer = device.create_buffer(
        numbers, {.usage = BufferUsage::storage | BufferUsage::copy_src, .label = "numbers"});
    if (!buffer) return std::unexpected(std::move(buffer).error());
    auto kernel = device.create_kernel(std::string(head) + wgsl);
    if (!kernel) return std::unexpected(std::move(kernel).error());
    auto commands = device.record("probe");
    commands.dispatch(*kernel, {{"numbers", *buffer}}, {.threads = threads});
    auto ticket = commands.read<std::uint32_t>(*buffer);
    if (auto sent = device.submit(std::move(commands)); !sent)
        return std::unexpected(std::move(sent).error());
    return ticket.wait(10s);
}

/// Whether kernels run, and what they do not do right.
Result<> try_kernels(ferry::Device& device, nlohmann::ordered_json& out) {
    auto result = through(device, arithmetic, {21, 0, 4294967295U}, 3);
    if (!result) return std::unexpected(std::move(result).error());
    if (*result != Numbers{43, 1, 4294967295U})
        return fail(Errc::engine, "A kernel ran and its results are wrong.");
    result = through(device, long_loop, {100'000, 0}, 1);
    if (!result) return std::unexpected(std::move(result).error());
    if ((*result)[1] != 100'000) {
        out["remark"] = fmt::format(
            "it ends the loops of a thread after {} rounds, without an error: in a strided loop, "
            "use more --groups",
            (*result)[1]);
    }
    return {};
}

Result<> probe(const Common& common, nlohmann::ordered_json& out) {
    auto engine = ferry::Engine::find(common.engine);
    if (!engine) return std::unexpected(std::move(engine).error());
    auto adapters = ferry::adapters(*engine);
    if (!adapters) return std::unexpected(std::move(adapters).error());
    for (const auto& each : *adapters) out["adapters"].push_back(to_json(each));
    for (const auto& each : *adapters) {
        if (!each.refusal.empty() || !wanted(each, common.adapter)) continue;
        out["used"] = each.index;
        const std::string index = std::to_string(each.index);
        auto device =
            ferry::Device::open({.engine = *engine, .adapter = index, .label = "ferry doctor"});
        if (!device) return std::unexpected(std::move(device).error());
        if (engine->name() == "ferry_fake")
            return {}; // runs no shaders; opening it moved bytes already
        return try_kernels(*device, out);
    }
    return {};
}

int answer(const nlohmann::ordered_json& document, const Result<>& done) {
    auto out = document;
    if (!done) out["error"] = to_json(done.error());
    // One line, the last: an engine may have printed before it.
    const auto text = out.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
    if (!print("\n" + text + "\n")) return exit_code(Errc::io);
    return done ? 0 : exit_code(done.error().code);
}

Result<> identify(const Common& common, nlohmann::ordered_json& out) {
    auto engine = ferry::Engine::find(common.engine);
    if (!engine) return std::unexpected(std::move(engine).error());
    out = {{"name", engine->name()}, {"version", engine->version()}, {"path", engine->origin()}};
    return {};
}
} // namespace

void add_probe(CLI::App& app, Common& common, int& exit_code) {
    auto* command = app.add_subcommand("probe")->group(""); // not shown in the help
    add_common(*command, common);
    auto only_identify = std::make_shared<bool>(false);
    command->add_flag("--identify", *only_identify);
    command->callback([only_identify, &common, &exit_code] {
        nlohmann::ordered_json out{{"adapters", nlohmann::ordered_json::array()}};
        const auto done = *only_identify ? identify(common, out) : probe(common, out);
        exit_code = answer(out, done);
    });
}

} // namespace app
