// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "ferry/readback_ring.hpp"
#include "film_writer.hpp"
#include "painter.hpp"
#include "progress.hpp"

namespace app {

/// Draws frame after frame, several of them in flight, and hands each to the film in order. Here
/// waiting is right when the ring is full: every frame is wanted.
class Recorder {
public:
    [[nodiscard]] static Result<Recorder> create(ferry::Device& device, const RecordPlan& plan);

    /// Until the last frame is handed over, or until a signal comes.
    [[nodiscard]] Result<> run(FilmWriter& film, Progress& progress);
    [[nodiscard]] ferry::RingStats stats() const { return ring_.stats(); }

private:
    Recorder(ferry::Device& device, const RecordPlan& plan, Painter painter,
             ferry::ReadbackRing ring)
        : device_(&device), plan_(&plan), painter_(std::move(painter)), ring_(std::move(ring)) {}
    [[nodiscard]] Result<> send_frame();
    /// Hands the oldest frame over if it is there and the film has room for it within `patience`.
    [[nodiscard]] Result<bool> take_frame(FilmWriter& film, std::chrono::milliseconds patience);
    /// Waits for the oldest frame; returns early when a signal comes.
    [[nodiscard]] Result<> wait_for_frame(FilmWriter& film, Progress& progress);
    void show(Progress& progress) const;

    ferry::Device* device_;
    const RecordPlan* plan_;
    Painter painter_;
    ferry::ReadbackRing ring_;
    std::uint64_t sent_ = 0;
    std::uint64_t taken_ = 0;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

} // namespace app
