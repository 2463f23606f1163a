// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "job.hpp"
#include "progress.hpp"
#include "worker.hpp"

namespace app {

/// One time through the kernel: a chunk of the arrays, or the files of one turn.
struct Round {
    std::optional<Plan> plan{}; ///< of its own, where it has one; `parts` may point into it
    std::vector<Part> parts{};
    ferry::DispatchOptions grid{};
    std::vector<SlotOutputs> outputs{}; ///< of its own
};

/// The rounds of a run, in order.
class Rounds {
public:
    [[nodiscard]] virtual std::uint64_t count() const = 0;
    /// For errors: "in chunk 3 of 10 (rows 8,192 to 12,287)".
    [[nodiscard]] virtual std::string label(std::uint64_t number) const = 0;
    /// Finds out what the round is. On a thread of its own.
    [[nodiscard]] virtual Result<Round> open(std::uint64_t number) = 0;
    /// Before its data is loaded.
    [[nodiscard]] virtual Result<> begin(Round& round) = 0;
    /// On a thread of its own: writes what came back.
    [[nodiscard]] virtual Result<> save(Round& round, SlotSet& memory) = 0;
    /// After that.
    [[nodiscard]] virtual Result<> end(Round& round) = 0;
    virtual void show(Progress& progress, std::uint64_t finished) const = 0;
    virtual ~Rounds() = default;
};

/// Takes rounds through a job, several at a time: one is loaded on a thread, the next is at the
/// GPU, and another is saved on a second thread. Memory is that of `lanes` rounds.
class Pipeline {
public:
    Pipeline(Job& job, Rounds& rounds) : job_(job), rounds_(rounds) {}
    /// Ends with the error of the first round that fails, after those before it.
    [[nodiscard]] Result<> run(Progress& progress);
    /// After an error: false when a thread is stuck in a pipe, and the process is to be left.
    [[nodiscard]] bool stop();

    [[nodiscard]] double load_ms() const noexcept { return reader_.busy_ms(); }
    [[nodiscard]] double save_ms() const noexcept { return writer_.busy_ms(); }
    [[nodiscard]] std::uint64_t finished() const noexcept { return finished_; }

private:
    static constexpr std::size_t lanes = 3;
    enum class Stage : std::uint8_t { idle, opening, loading, computing, saving, failed };
    struct Lane {
        Stage stage = Stage::idle;
        Task task{};
        Round round{};
        SlotSet memory{};
        ferry::Bindings bindings{};
        ferry::Ticket<ferry::Submission> done{};
        Error error{};
    };
    [[nodiscard]] Lane& lane(std::uint64_t number) noexcept { return lanes_[number % lanes]; }
    /// Takes a round one stage further; false when it has to wait.
    [[nodiscard]] bool advance(std::uint64_t number);
    [[nodiscard]] Result<bool> try_advance(std::uint64_t number);
    [[nodiscard]] Result<> prepare(Lane& lane);
    [[nodiscard]] Result<> submit(Lane& lane);
    [[nodiscard]] Result<bool> receive(Lane& lane);
    void give(Worker& worker, Lane& lane, Stage stage, std::function<Result<>()> work);

    Job& job_;
    Rounds& rounds_;
    std::array<Lane, lanes> lanes_{};
    std::chrono::milliseconds patience_{0}; ///< with the GPU, when there is nothing else to do
    std::uint64_t submitted_ = 0;
    std::uint64_t received_ = 0;
    std::uint64_t finished_ = 0;
    Bell bell_;
    Worker reader_{bell_};
    Worker writer_{bell_};
};

} // namespace app
