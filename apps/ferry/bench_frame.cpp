// SPDX-License-Identifier: MIT
#include <array>
#include <chrono>

#include <fmt/format.h>

#include "bench.hpp"
#include "ferry/ferry.hpp"
#include "report.hpp"
#include "text.hpp"

namespace app {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

namespace {

enum class Mode : std::size_t { none, waiting, ring };
constexpr std::array<std::string_view, 3> mode_names{"none", "waiting", "ring"};
constexpr std::size_t frames_in_flight = 2;
constexpr std::uint32_t threads = 1 << 16;

/// Counts the even ones, after as much arithmetic as `rounds` says.
constexpr std::string_view frame_wgsl = R"(
    @group(0) @binding(0) var<uniform> rounds: u32;
    @group(0) @binding(1) var<storage, read_write> counter: atomic<u32>;
    @group(0) @binding(2) var<storage, read_write> noise: array<u32>;

    @compute @workgroup_size(64)
    fn cull(@builtin(global_invocation_id) id: vec3u) {
        var hash = id.x;
        for (var i = 0u; i < rounds; i++) { hash = hash * 1664525u + 1013904223u; }
        noise[id.x] = hash;
        if (id.x % 2u == 0u) { atomicAdd(&counter, 1u); }
    }
)";

struct Tally {
    double microseconds = 0;
    std::uint64_t frames = 0, delivered = 0, skipped = 0, latency_frames = 0;
};

/// A frame's work for the CPU and the GPU, with at most two frames on the GPU, as a display keeps
/// it.
class Frame {
public:
    static Result<Frame> create(ferry::Device& device, std::chrono::microseconds cpu_work) {
        using enum ferry::BufferUsage;
        Frame frame;
        frame.device_ = &device;
        frame.cpu_work_ = cpu_work;
        auto rounds =
            device.create_buffer({.usage = uniform | copy_dst, .size_bytes = 4, .label = "rounds"});
        if (!rounds) return std::unexpected(rounds.error());
        auto counter = device.create_buffer(
            {.usage = storage | copy_src | copy_dst, .size_bytes = 4, .label = "counter"});
        if (!counter) return std::unexpected(counter.error());
        auto noise = device.create_buffer({.usage = storage, .size_bytes = 4 * threads});
        if (!noise) return std::unexpected(noise.error());
        auto kernel = device.create_kernel(frame_wgsl);
        if (!kernel) return std::unexpected(kernel.error());
        auto bindings =
            device.bind(*kernel, {{"rounds", *rounds}, {"counter", *counter}, {"noise", *noise}});
        if (!bindings) return std::unexpected(bindings.error());
        frame.rounds_ = *std::move(rounds);
        frame.counter_ = *std::move(counter);
        frame.kernel_ = *std::move(kernel);
        frame.bindings_ = *std::move(bindings);
        return frame;
    }

    Result<> set_rounds(std::uint32_t rounds) {
        return device_->write(rounds_, std::vector<std::uint32_t>{rounds});
    }

    /// Draws `count` frames and waits for the last one.
    Result<Tally> run(Mode mode, int count) {
        auto ring = ferry::ReadbackRing::create(*device_, {.size_bytes = 4, .label = "bench"});
        if (!ring) return std::unexpected(ring.error());
        Tally tally{.frames = static_cast<std::uint64_t>(count)};
        const auto start = Clock::now();
        for (int i = 0; i < count; ++i) {
            if (auto ok = draw(mode, *ring, tally); !ok) return std::unexpected(ok.error());
        }
        for (auto& done : in_flight_) {
            if (!done) continue;
            if (auto ok = done.wait(60s); !ok) return std::unexpected(ok.error());
        }
        tally.microseconds =
            std::chrono::duration<double, std::micro>(Clock::now() - start).count();
        (void)ring->latest<std::uint32_t>();
        const ferry::RingStats stats = ring->stats();
        tally.delivered += stats.delivered;
        tally.skipped = stats.skipped;
        tally.latency_frames = stats.latency.max_frames;
        return tally;
    }

private:
    Result<> draw(Mode mode, ferry::ReadbackRing& ring, Tally& tally) {
        auto& oldest = in_flight_[turn_++ % frames_in_flight];
        if (oldest) {
            if (auto ok = oldest.wait(60s); !ok) return std::unexpected(ok.error());
        }
        ferry::Commands frame = device_->record("frame");
        frame.clear(counter_);
        frame.dispatch(kernel_, bindings_, {.threads = threads});
        if (mode == Mode::ring) ring.record(frame, counter_);
        auto read = mode == Mode::waiting ? frame.read<std::uint32_t>(counter_)
                                          : ferry::Ticket<std::vector<std::uint32_t>>();
        if (auto sent = device_->submit(std::move(frame)); !sent)
            return std::unexpected(sent.error());
        oldest = device_->done();
        if (mode == Mode::waiting) {
            auto value = read.wait(60s);
            if (!value) return std::unexpected(value.error());
            if (auto ok = check(value->front()); !ok) return ok;
            ++tally.delivered;
        }
        if (mode == Mode::ring) {
            const auto value = ring.latest<std::uint32_t>();
            if (value && !check(value->front())) return check(value->front());
        }
        for (const auto end = Clock::now() + cpu_work_; Clock::now() < end;) {
        }
        return {};
    }

    static Result<> check(std::uint32_t counted) {
        if (counted == threads / 2) return {};
        return fail(Errc::engine,
                    fmt::format("The frame counted {} instead of {}.", counted, threads / 2));
    }

    ferry::Device* device_ = nullptr;
    std::chrono::microseconds cpu_work_{};
    ferry::Buffer rounds_, counter_;
    ferry::Kernel kernel_;
    ferry::Bindings bindings_;
    std::array<ferry::Ticket<ferry::Submission>, frames_in_flight> in_flight_{};
    std::size_t turn_ = 0;
};

/// Arithmetic for the GPU that takes about as long as the work of the CPU.
Result<> calibrate(Frame& frame, std::chrono::microseconds wanted) {
    std::uint32_t rounds = 16;
    for (int i = 0; i < 12 && rounds < 30'000; ++i) {
        if (auto ok = frame.set_rounds(rounds); !ok) return ok;
        auto seen = frame.run(Mode::waiting, 8);
        if (!seen) return std::unexpected(seen.error());
        const double each = seen->microseconds / 8 - static_cast<double>(wanted.count());
        if (each >= static_cast<double>(wanted.count())) return {};
        rounds += rounds / 2;
    }
    return {};
}

nlohmann::ordered_json to_json(Mode mode, const Tally& tally, const ferry::Device& device) {
    return {{"mode", mode_names[static_cast<std::size_t>(mode)]},
            {"us_per_frame", tally.microseconds / static_cast<double>(tally.frames)},
            {"frames", tally.frames},
            {"delivered", tally.delivered},
            {"skipped", tally.skipped},
            {"latency_frames", tally.latency_frames},
            {"engine", device.engine().name()},
            {"adapter", device.adapter().name}};
}

std::string table_text(const std::array<Tally, 3>& tallies, const ferry::Device& device) {
    Table table({"mode", "us/frame", "rate", "delivered", "skipped", "latency"});
    const double base =
        tallies[0].microseconds / static_cast<double>(tallies[0].frames); // without a read
    for (std::size_t i = 0; i < tallies.size(); ++i) {
        const Tally& tally = tallies[i];
        const double each = tally.microseconds / static_cast<double>(tally.frames);
        table.add({std::string(mode_names[i]), fmt::format("{:.1f}", each),
                   fmt::format("{:.3f}", base / each), count_text(tally.delivered),
                   count_text(tally.skipped), fmt::format("{} frames", tally.latency_frames)});
    }
    return fmt::format("{} on {}, {} frames in each mode, taking turns\n{}", device.engine().name(),
                       device.adapter().name, tallies[0].frames, table.text(2));
}

} // namespace

Result<> bench_frame(const Common& common, ferry::Device& device, const FrameBench& wanted) {
    const std::chrono::microseconds cpu_work(wanted.cpu_microseconds);
    auto frame = Frame::create(device, cpu_work);
    if (!frame) return std::unexpected(frame.error());
    if (auto ok = calibrate(*frame, cpu_work); !ok) return ok;
    std::array<Tally, 3> tallies{};
    for (int turn = -1; turn < wanted.turns; ++turn) { // the first one warms up
        for (Mode mode : {Mode::none, Mode::waiting, Mode::ring}) {
            auto seen = frame->run(mode, wanted.frames);
            if (!seen) return std::unexpected(seen.error());
            Tally& sum = tallies[static_cast<std::size_t>(mode)];
            if (turn < 0) continue;
            sum.microseconds += seen->microseconds;
            sum.frames += seen->frames;
            sum.delivered += seen->delivered;
            sum.skipped += seen->skipped;
            sum.latency_frames = std::max(sum.latency_frames, seen->latency_frames);
        }
    }
    if (!common.json) return print(table_text(tallies, device));
    std::string lines;
    for (Mode mode : {Mode::none, Mode::waiting, Mode::ring})
        lines += to_json(mode, tallies[static_cast<std::size_t>(mode)], device).dump() + '\n';
    return print(lines);
}

} // namespace app
