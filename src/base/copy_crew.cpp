// SPDX-License-Identifier: MIT
#include "base/copy_crew.hpp"

#include <algorithm>
#include <bit>
#include <csignal>
#include <cstring>
#include <exception>
#include <utility>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace ferry::base {
namespace {

/// Below this, waking the crew costs more than it saves.
constexpr std::size_t smallest_shared_move = std::size_t{1} << 20;
/// Powers of two. A piece starts at a multiple of its size in the target, so that each page, also a
/// huge one, is first touched by one thread.
constexpr std::size_t smallest_piece = std::size_t{256} << 10;
constexpr std::size_t largest_piece = std::size_t{2} << 20;
constexpr unsigned most_threads = 7;

constexpr std::uint32_t gate_is_open = std::uint32_t{1} << 31;

/// From this size on a move goes past the caches, which it would only fill with what they cannot
/// keep; short rows would be mostly heads and tails.
constexpr std::size_t smallest_streamed_move = std::size_t{32} << 20;
constexpr std::size_t smallest_streamed_row = 1024;

struct Rows {
    std::byte* target;
    std::size_t target_pitch;
    const std::byte* source;
    std::size_t source_pitch;
    std::size_t row_bytes;
    bool streamed;
};

void plain(std::byte* target, const std::byte* source, std::size_t size) noexcept {
    std::memcpy(target, source, size);
}

#ifdef __SSE2__
/// Like std::memcpy with non-temporal stores: the target's lines are not fetched to be overwritten.
/// (glibc does so for one copy larger than most of the cache it sees, not for the pieces of one.)
void stream(std::byte* target, const std::byte* source, std::size_t size) noexcept {
    constexpr std::size_t line = 64;
    const std::size_t head = std::min(size, -std::bit_cast<std::uintptr_t>(target) % line);
    std::memcpy(target, source, head);
    std::size_t at = head;
    for (; size - at >= line; at += line) {
        const auto* from = reinterpret_cast<const __m128i*>(source + at);
        auto* to = reinterpret_cast<__m128i*>(target + at);
        const __m128i first = _mm_loadu_si128(from);
        const __m128i second = _mm_loadu_si128(from + 1);
        const __m128i third = _mm_loadu_si128(from + 2);
        const __m128i fourth = _mm_loadu_si128(from + 3);
        _mm_stream_si128(to, first);
        _mm_stream_si128(to + 1, second);
        _mm_stream_si128(to + 2, third);
        _mm_stream_si128(to + 3, fourth);
    }
    std::memcpy(target + at, source + at, size - at);
}

/// Streamed bytes are ordered before what this thread stores next.
void end_stream() noexcept { _mm_sfence(); }
#else
constexpr auto stream = plain;
void end_stream() noexcept {}
#endif

/// Moves the bytes [begin, end) of all rows' bytes taken one after the other.
void move_bytes(const Rows& rows, std::size_t begin, std::size_t end) noexcept {
    std::size_t row = begin / rows.row_bytes;
    std::size_t column = begin % rows.row_bytes;
    const auto copy = rows.streamed ? stream : plain;
    while (begin < end) {
        const std::size_t size = std::min(rows.row_bytes - column, end - begin);
        copy(rows.target + row * rows.target_pitch + column,
             rows.source + row * rows.source_pitch + column, size);
        begin += size;
        column = 0;
        ++row;
    }
    if (rows.streamed) end_stream();
}

/// Several pieces for each thread, so that a slow one does not hold up the others.
std::size_t piece_size(std::size_t size, std::size_t threads) noexcept {
    return std::clamp(std::bit_floor(size / (threads * 8)), smallest_piece, largest_piece);
}

/// Keeps the program's signals off the threads made meanwhile. A fault stays with the thread that
/// causes it: the program may handle it.
class SignalsBlocked {
public:
    SignalsBlocked() noexcept {
        sigset_t signals;
        sigfillset(&signals);
        for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP}) {
            sigdelset(&signals, fault);
        }
        pthread_sigmask(SIG_SETMASK, &signals, &before_);
    }
    SignalsBlocked(const SignalsBlocked&) = delete;
    SignalsBlocked& operator=(const SignalsBlocked&) = delete;
    ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

private:
    sigset_t before_;
};

} // namespace

CopyCrew::~CopyCrew() {
    closing_.store(true, std::memory_order_relaxed);
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
    for (std::thread& thread : threads_) thread.join();
}

unsigned CopyCrew::default_threads() noexcept {
    const unsigned cores = std::thread::hardware_concurrency();
    return cores <= 1 ? 0 : std::min(cores - 1, most_threads);
}

void CopyCrew::copy(std::byte* target, const std::byte* source, std::size_t size_bytes) noexcept {
    copy_rows(target, size_bytes, source, size_bytes, size_bytes, 1);
}

void CopyCrew::copy_rows(std::byte* target, std::size_t target_pitch, const std::byte* source,
                         std::size_t source_pitch, std::size_t row_bytes,
                         std::size_t rows) noexcept {
    const std::size_t size = row_bytes * rows;
    if (size == 0) return;
    const bool adjacent = target_pitch == row_bytes && source_pitch == row_bytes;
    const std::size_t run_bytes = adjacent ? size : row_bytes;
    const bool streamed = size >= smallest_streamed_move && run_bytes >= smallest_streamed_row;
    const Rows all{target, target_pitch, source, source_pitch, run_bytes, streamed};
    const std::size_t others = threads_.size() + missing_;
    if (size < smallest_shared_move || others == 0) return move_bytes(all, 0, size);

    const std::size_t piece = piece_size(size, others + 1);
    const std::size_t first = piece - std::bit_cast<std::uintptr_t>(target) % piece;
    const std::size_t parts = size <= first ? 1 : 1 + (size - first + piece - 1) / piece;
    run(parts, [&](std::size_t part) noexcept {
        const std::size_t begin = part == 0 ? 0 : first + (part - 1) * piece;
        move_bytes(all, begin, std::min(size, first + part * piece));
    });
}

void CopyCrew::run_parts(const Job& job) noexcept {
    if (job.parts > 1) start_threads();
    if (job.parts <= 1 || threads_.empty()) {
        for (std::size_t part = 0; part < job.parts; ++part) job.call(job.context, part);
        return;
    }
    job_ = job;
    next_.store(0, std::memory_order_relaxed);
    gate_.store(gate_is_open, std::memory_order_release);
    round_.fetch_add(1, std::memory_order_release);
    const std::size_t others = std::min(job.parts - 1, threads_.size());
    for (std::size_t woken = 0; woken < others; ++woken) round_.notify_one();
    take_parts();
    std::uint32_t inside = gate_.fetch_sub(gate_is_open, std::memory_order_acquire) - gate_is_open;
    while (inside != 0) {
        gate_.wait(inside, std::memory_order_acquire);
        inside = gate_.load(std::memory_order_acquire);
    }
}

void CopyCrew::start_threads() noexcept {
    const unsigned missing = std::exchange(missing_, 0U);
    if (missing == 0) return;
    const SignalsBlocked blocked;
    try {
        threads_.reserve(missing);
        while (threads_.size() < missing) threads_.emplace_back([this]() noexcept { serve(); });
    } catch (const std::exception&) {
        return; // the threads made so far do
    }
}

void CopyCrew::serve() noexcept {
    for (;;) {
        const std::uint32_t round = round_.load(std::memory_order_acquire);
        if (closing_.load(std::memory_order_relaxed)) return;
        if (enter()) {
            take_parts();
            leave();
        }
        round_.wait(round, std::memory_order_acquire);
    }
}

void CopyCrew::take_parts() noexcept {
    const Job job = job_;
    for (;;) {
        const std::size_t part = next_.fetch_add(1, std::memory_order_relaxed);
        if (part >= job.parts) return;
        job.call(job.context, part);
    }
}

/// False when the job is over already: the thread woke too late.
bool CopyCrew::enter() noexcept {
    std::uint32_t gate = gate_.load(std::memory_order_relaxed);
    while ((gate & gate_is_open) != 0) {
        if (gate_.compare_exchange_weak(gate, gate + 1, std::memory_order_acquire)) return true;
    }
    return false;
}

void CopyCrew::leave() noexcept {
    if (gate_.fetch_sub(1, std::memory_order_release) == 1) gate_.notify_one();
}

} // namespace ferry::base
