// SPDX-License-Identifier: MIT
#include "job.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "engine_talk.hpp"
#include "interrupt.hpp"
#include "needs.hpp"
#include "progress.hpp"
#include "text.hpp"

namespace app {

using namespace std::chrono_literals;

namespace {
/// Asks in slices, so that Ctrl-C ends a run whose kernel takes minutes.
template <class Ask>
auto wait_for(Progress& progress, Ask ask) -> decltype(ask()) {
    for (;;) {
        auto result = ask();
        if (result || result.error().code != Errc::timeout) return result;
        if (interrupting_signal() != 0) leave_interrupted();
        progress.tick();
    }
}
} // namespace

Result<> Job::create_outputs() {
    auto outputs = app::create_outputs(plan_, false);
    if (!outputs) return std::unexpected(std::move(outputs).error());
    outputs_ = *std::move(outputs);
    return {};
}

Result<> Job::open(std::string_view shader_path) {
    EngineTalk talk;
    auto engine = ferry::Engine::find(common_.engine);
    if (!engine) return std::unexpected(std::move(engine).error());
    auto device = ferry::Device::open({.engine = *engine,
                                       .adapter = common_.adapter,
                                       .required_features = plan_.features,
                                       .required_limits = plan_.limits,
                                       .label = "ferry run"});
    if (!device) return std::unexpected(device_refused(plan_, std::move(device).error()));
    talk.discard();
    device_ = *std::move(device);
    std::vector<ferry::Constant> constants;
    for (const auto& [name, value] : plan_.constants) constants.push_back({name, value});
    auto kernel =
        device_.create_kernel(plan_.wgsl, {.entry = plan_.entry->name, .constants = constants});
    if (!kernel) return within(std::move(kernel).error(), fmt::format("in {}", shader_path));
    kernel_ = *std::move(kernel);
    return check_interrupted();
}

Result<> Job::load() {
    std::vector<Part> parts;
    for (Slot& slot : plan_.slots) {
        if (!slot.varies) parts.push_back({.slot = &slot, .layout = slot.layout});
    }
    if (auto ok = stays_.prepare(device_, parts); !ok) return ok;
    if (auto ok = stays_.load(shows_progress()); !ok) return ok;
    return stays_.send();
}

Result<ferry::Bindings> Job::bind(const SlotSet& round) {
    std::vector<ferry::Binding> list;
    stays_.add_bindings(list);
    if (&round != &stays_) round.add_bindings(list);
    return device_.bind(kernel_, std::span<const ferry::Binding>(list));
}

Result<> Job::submit(SlotSet& round, const ferry::Bindings& bindings,
                     const ferry::DispatchOptions& grid) {
    auto commands = device_.record(plan_.entry->name);
    round.record_inputs(commands);
    commands.dispatch(kernel_, bindings, grid);
    if (auto ok = round.record_outputs(device_, commands); !ok) return ok;
    if (auto sent = device_.submit(std::move(commands)); !sent)
        return std::unexpected(over_limit(std::move(sent).error()));
    round.ask();
    return {};
}

Result<> Job::compute() {
    auto bindings = bind(stays_);
    if (!bindings) return std::unexpected(std::move(bindings).error());
    if (auto ok = submit(stays_, *bindings, plan_.grid); !ok) return ok;
    return receive();
}

Result<> Job::collect() {
    auto commands = device_.record(plan_.entry->name);
    if (auto ok = stays_.record_outputs(device_, commands); !ok) return ok;
    if (auto sent = device_.submit(std::move(commands)); !sent)
        return std::unexpected(std::move(sent).error());
    stays_.ask();
    return receive();
}

Result<> Job::receive() {
    Progress progress(shows_progress(), fmt::format("computing {}", plan_.entry->name), 0);
    auto done = device_.done();
    auto finished = wait_for(progress, [&] { return done.wait(50ms); });
    if (!finished) return std::unexpected(std::move(finished).error());
    if (auto ok = wait_for(progress, [&] { return stays_.receive(50ms); }); !ok) return ok;
    return check_interrupted();
}

Result<> Job::save() { return stays_.save(outputs_, true, shows_progress()); }

std::string Job::driver_note() const {
    constexpr std::uint64_t most = 65'535;
    const auto [x, y, z] = groups();
    const auto size = kernel_.workgroup_size();
    const std::uint64_t threads = x * y * z * size[0] * size[1] * size[2];
    std::uint64_t elements = 0;
    for (const Slot& slot : plan_.slots) elements = std::max(elements, slot.layout.elements);
    const bool llvmpipe = device_.adapter().name.starts_with("llvmpipe");
    if (!llvmpipe || threads == 0 || elements / threads < most) return {};
    return fmt::format(
        "llvmpipe (Mesa 22.3) ends the loops of a thread after {} rounds without an error, and {} "
        "elements for {} threads are more: use more --groups",
        count_text(most), count_text(elements), count_text(threads));
}

std::array<std::uint64_t, 3> Job::groups() const noexcept {
    const auto& [threads, groups] = plan_.grid;
    if (groups.given) return {groups.x, groups.y, groups.z};
    const auto size = kernel_.workgroup_size();
    const auto rounded = [](std::uint64_t a, std::uint64_t b) {
        return a / b + (a % b == 0 ? 0 : 1);
    };
    return {rounded(threads.x, size[0]), rounded(threads.y, size[1]), rounded(threads.z, size[2])};
}

/// The library says that there are too many workgroups; the program says what its user can do about
/// it.
Error Job::over_limit(Error error) const {
    const std::uint64_t most = device_.limits().max_compute_workgroups_per_dimension;
    const auto count = groups();
    if (error.code != Errc::limit_exceeded || *std::max_element(count.begin(), count.end()) <= most)
        return error;
    error.fix = fmt::format("Let each thread do several elements in a strided loop, \"for (var i = "
                            "id.x; i < arrayLength(&data); i += "
                            "groups.x * {}) {{ ... }}\" with groups from @builtin(num_workgroups), "
                            "and run it with --groups 4096. "
                            "examples/double.wgsl does so.",
                            kernel_.workgroup_size()[0]);
    return error;
}

} // namespace app
