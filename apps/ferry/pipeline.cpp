// SPDX-License-Identifier: MIT
#include "pipeline.hpp"

#include <algorithm>
#include <utility>

#include "interrupt.hpp"

namespace app {

using namespace std::chrono_literals;

Result<> Pipeline::run(Progress& progress) {
    while (finished_ < rounds_.count()) {
        if (auto ok = check_interrupted(); !ok) return ok;
        if (lane(finished_).stage == Stage::failed) {
            if (auto lost = job_.device().lost()) // and not what came of it
                return within(*std::move(lost), rounds_.label(finished_));
            return std::unexpected(std::move(lane(finished_).error));
        }
        const std::uint64_t seen = bell_.rings();
        const std::uint64_t end = std::min(finished_ + lanes, rounds_.count());
        bool moved = false;
        for (std::uint64_t number = finished_; number < end; ++number)
            moved = advance(number) || moved;
        rounds_.show(progress, finished_);
        if (!moved && received_ == submitted_) bell_.wait(seen, 50ms);
        patience_ = moved ? 0ms : 1ms;
    }
    return {};
}

bool Pipeline::stop() {
    const bool read = reader_.stop(2s);
    return writer_.stop(2s) && read;
}

bool Pipeline::advance(std::uint64_t number) {
    auto moved = try_advance(number);
    if (moved) return *moved;
    lane(number).error = within(std::move(moved).error(), rounds_.label(number)).error();
    lane(number).stage = Stage::failed;
    return true;
}

void Pipeline::give(Worker& worker, Lane& lane, Stage stage, std::function<Result<>()> work) {
    lane.stage = stage;
    lane.task.work = std::move(work);
    worker.push(lane.task);
}

Result<bool> Pipeline::try_advance(std::uint64_t number) {
    Lane& at = lane(number);
    const bool on_worker =
        at.stage == Stage::opening || at.stage == Stage::loading || at.stage == Stage::saving;
    if (on_worker && !at.task.done) return false;
    if (on_worker && !at.task.outcome) return std::unexpected(std::move(at.task.outcome).error());
    switch (at.stage) {
    case Stage::idle:
        give(reader_, at, Stage::opening, [this, &at, number]() -> Result<> {
            auto round = rounds_.open(number);
            if (!round) return std::unexpected(std::move(round).error());
            at.round = *std::move(round);
            return {};
        });
        return true;
    case Stage::opening:
        if (auto ok = prepare(at); !ok) return std::unexpected(std::move(ok).error());
        give(reader_, at, Stage::loading, [&at] { return at.memory.load(false); });
        return true;
    case Stage::loading:
        if (number != submitted_) return false;
        if (auto ok = submit(at); !ok) return std::unexpected(std::move(ok).error());
        at.stage = Stage::computing;
        ++submitted_;
        return true;
    case Stage::computing: {
        if (number != received_) return false;
        auto there = receive(at);
        if (!there || !*there) return there;
        ++received_;
        give(writer_, at, Stage::saving, [this, &at] { return rounds_.save(at.round, at.memory); });
        return true;
    }
    case Stage::saving:
        if (auto ok = rounds_.end(at.round); !ok) return std::unexpected(std::move(ok).error());
        at.memory.release();
        at.stage = Stage::idle;
        ++finished_;
        return true;
    case Stage::failed: break;
    }
    return false;
}

Result<> Pipeline::prepare(Lane& lane) {
    if (auto ok = rounds_.begin(lane.round); !ok) return ok;
    if (auto ok = lane.memory.prepare(job_.device(), lane.round.parts); !ok) return ok;
    if (lane.bindings && !lane.memory.is_new()) return {};
    auto bindings = job_.bind(lane.memory);
    if (!bindings) return std::unexpected(std::move(bindings).error());
    lane.bindings = *std::move(bindings);
    return {};
}

Result<> Pipeline::submit(Lane& lane) {
    if (auto ok = lane.memory.send(); !ok) return ok;
    if (auto ok = job_.submit(lane.memory, lane.bindings, lane.round.grid); !ok) return ok;
    lane.done = job_.device().done();
    return {};
}

/// The end of the GPU's work, then the memory that comes back.
Result<bool> Pipeline::receive(Lane& lane) {
    const auto told = [](const Error& error) -> Result<bool> {
        if (error.code == Errc::timeout) return false;
        return std::unexpected(error);
    };
    if (lane.done) {
        if (auto done = lane.done.wait(patience_); !done) return told(done.error());
    }
    if (auto ok = lane.memory.receive(patience_); !ok) return told(ok.error());
    return true;
}

} // namespace app
