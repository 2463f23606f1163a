// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "film.hpp"

namespace app {

/// Writes frames beside the GPU's work, on a thread of its own. The number of frames in memory is
/// fixed: a slow disk makes the caller wait.
class FilmWriter {
public:
    FilmWriter(Film film, std::uint64_t frame_bytes);

    /// Whether `frame` would answer at once.
    [[nodiscard]] bool has_room();
    /// Memory for the next frame; empty while there is none: try again. Errors: what the writing
    /// failed with.
    [[nodiscard]] Result<std::span<std::byte>> frame(std::chrono::milliseconds patience);
    /// Hands over the memory that `frame` gave, filled.
    void push();

    /// Waits for the frames that were handed over and finishes the film. After a signal it does not
    /// wait for a reader that takes nothing: false.
    [[nodiscard]] Result<bool> finish();
    [[nodiscard]] std::uint64_t frames_written();

    FilmWriter(const FilmWriter&) = delete;
    FilmWriter& operator=(const FilmWriter&) = delete;
    /// Frames that are not written yet are dropped.
    ~FilmWriter();

private:
    using Frame = std::vector<std::byte>;
    void run();
    /// Waits for a frame; nothing at the end.
    [[nodiscard]] std::optional<Frame> next();

    Film film_; ///< the thread's, until it has ended
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<Frame> free_;
    std::deque<Frame> full_;
    Frame current_{}; ///< that the caller fills
    Result<> outcome_{};
    std::uint64_t written_ = 0;
    bool ended_ = false;   ///< no more frames will come
    bool dropped_ = false; ///< those that are there are not wanted
    bool done_ = false;    ///< the thread is at its end
    std::thread thread_;
};

} // namespace app
