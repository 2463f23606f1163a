// SPDX-License-Identifier: MIT
#include "film_writer.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "interrupt.hpp"

namespace app {

namespace {
/// As many as fit 256 MiB, from 2 to 8.
std::size_t frames_in_memory(std::uint64_t frame_bytes) {
    constexpr std::uint64_t room_bytes = std::uint64_t{256} << 20;
    return static_cast<std::size_t>(std::clamp<std::uint64_t>(room_bytes / frame_bytes, 2, 8));
}

Result<> add(Film& film, std::span<const std::byte> frame) try {
    return film.add(frame);
} catch (const std::bad_alloc&) {
    return fail(Errc::out_of_memory, "The host has no more memory to convert a frame.",
                "Use a smaller --size, or --format raw, which needs no conversion.");
}
} // namespace

FilmWriter::FilmWriter(Film film, std::uint64_t frame_bytes) : film_(std::move(film)) {
    free_.resize(frames_in_memory(frame_bytes));
    for (Frame& each : free_) each.resize(frame_bytes);
    thread_ = std::thread([this] { run(); });
}

FilmWriter::~FilmWriter() {
    {
        const std::lock_guard lock(mutex_);
        ended_ = dropped_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
}

bool FilmWriter::has_room() {
    const std::lock_guard lock(mutex_);
    return !current_.empty() || !free_.empty();
}

Result<std::span<std::byte>> FilmWriter::frame(std::chrono::milliseconds patience) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, patience,
                      [&] { return !outcome_ || !current_.empty() || !free_.empty(); });
    if (!outcome_) return std::unexpected(outcome_.error());
    if (current_.empty() && !free_.empty()) {
        current_ = std::move(free_.back());
        free_.pop_back();
    }
    return current_;
}

void FilmWriter::push() {
    {
        const std::lock_guard lock(mutex_);
        full_.push_back(std::exchange(current_, {}));
    }
    changed_.notify_all();
}

Result<bool> FilmWriter::finish() {
    std::unique_lock lock(mutex_);
    ended_ = true;
    changed_.notify_all();
    while (!done_) {
        const std::uint64_t before = written_;
        const bool moved = changed_.wait_for(lock, std::chrono::seconds(10),
                                             [&] { return done_ || written_ != before; });
        if (!moved && interrupting_signal() != 0) return false;
    }
    lock.unlock();
    thread_.join();
    if (!outcome_) return std::unexpected(outcome_.error());
    return true;
}

std::uint64_t FilmWriter::frames_written() {
    const std::lock_guard lock(mutex_);
    return written_;
}

std::optional<FilmWriter::Frame> FilmWriter::next() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return ended_ || !full_.empty(); });
    if (dropped_ || full_.empty()) return std::nullopt;
    Frame frame = std::move(full_.front());
    full_.pop_front();
    return frame;
}

void FilmWriter::run() {
    Result<> ok;
    while (auto frame = next()) {
        ok = add(film_, *frame);
        {
            const std::lock_guard lock(mutex_);
            free_.push_back(*std::move(frame));
            written_ = film_.frames();
        }
        changed_.notify_all();
        if (!ok) break;
    }
    const std::lock_guard lock(mutex_);
    if (ok && !dropped_) ok = film_.finish();
    outcome_ = std::move(ok);
    done_ = true;
    changed_.notify_all();
}

} // namespace app
