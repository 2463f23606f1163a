// SPDX-License-Identifier: MIT
// What `ferry doctor` runs in a child process: one engine, the drivers that the environment names.
#include <chrono>

#include "adapters.hpp"
#include "common.hpp"
#include "ferry/device.hpp"
#include "report.hpp"

namespace app {

using namespace std::chrono_literals;
using ferry::BufferUsage;

namespace {
constexpr const char* kernel_text = R"(
@group(0) @binding(0) var<storage, read_write> numbers: array<u32>;
@compute @workgroup_size(1) fn main(@builtin(global_invocation_id) id: vec3u) {
    numbers[id.x] = numbers[id.x] * 2u + 1u;
})";

/// A few numbers through a kernel and back.
Result<> try_kernel(ferry::Device& device) {
    const std::vector<std::uint32_t> numbers{21, 0, 4294967295U};
    auto buffer = device.create_buffer(
        numbers, {.usage = BufferUsage::storage | BufferUsage::copy_src, .label = "numbers"});
    if (!buffer) return std::unexpected(std::move(buffer).error());
    auto kernel = device.create_kernel(kernel_text);
    if (!kernel) return std::unexpected(std::move(kernel).error());
    auto commands = device.record("probe");
    commands.dispatch(*kernel, {{"numbers", *buffer}}, {.threads = numbers.size()});
    auto ticket = commands.read<std::uint32_t>(*buffer);
    if (auto sent = device.submit(std::move(commands)); !sent)
        return std::unexpected(std::move(sent).error());
    const auto result = ticket.wait(10s);
    if (!result) return std::unexpected(result.error());
    if (*result == std::vector<std::uint32_t>{43, 1, 4294967295U}) return {};
    return fail(Errc::engine, "The kernel ran and its results are wrong.");
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
        return try_kernel(*device);
    }
    return {};
}
} // namespace

void add_probe(CLI::App& app, Common& common, int& exit_code) {
    auto* command = app.add_subcommand("probe")->group(""); // not shown in the help
    add_common(*command, common);
    command->callback([&common, &exit_code] {
        nlohmann::ordered_json out{{"adapters", nlohmann::ordered_json::array()}};
        const auto done = probe(common, out);
        if (!done) out["error"] = to_json(done.error());
        exit_code = done ? 0 : app::exit_code(done.error().code);
        // One line, the last: an engine may have printed before it.
        const auto text =
            out.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
        if (!print("\n" + text + "\n")) exit_code = app::exit_code(Errc::io);
    });
}

} // namespace app
