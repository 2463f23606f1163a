// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <thread>
#include <type_traits>
#include <vector>

namespace ferry::base {

/// A few threads that only move bytes: one core alone does not fill the memory bus. They are made
/// on the first large move, sleep between moves, and are joined when the crew is dropped. Where the
/// system gives fewer threads than asked for, or none, the moves are slower and otherwise the same.
///
/// Each call returns when its work is done; no thread of the crew touches the memory afterwards. A
/// crew serves one call at a time: no two threads call it at once, and no part calls it back.
class CopyCrew {
public:
    /// `threads` beside the caller's, which works too; with 0 it works alone.
    explicit CopyCrew(unsigned threads) noexcept : missing_(threads) {}
    ~CopyCrew();
    CopyCrew(const CopyCrew&) = delete;
    CopyCrew& operator=(const CopyCrew&) = delete;

    /// As many as are worth having on this machine; 0 where it has one core.
    [[nodiscard]] static unsigned default_threads() noexcept;

    /// Like std::memcpy: source and target do not overlap.
    void copy(std::byte* target, const std::byte* source, std::size_t size_bytes) noexcept;

    /// `rows` rows of `row_bytes`, whose starts lie a pitch of at least `row_bytes` apart (the
    /// pitch of one row means nothing). The bytes between rows are neither read nor written. Source
    /// and target do not overlap.
    void copy_rows(std::byte* target, std::size_t target_pitch, const std::byte* source,
                   std::size_t source_pitch, std::size_t row_bytes, std::size_t rows) noexcept;

    /// Calls body(part) once for each part of [0, parts), on the caller's thread and the crew's, in
    /// any order and at the same time.
    template <class Body>
    requires std::is_nothrow_invocable_v<Body&, std::size_t>
    void run(std::size_t parts, Body&& body) noexcept {
        using Plain = std::remove_reference_t<Body>;
        const auto call = [](const void* context, std::size_t part) noexcept {
            (*const_cast<Plain*>(static_cast<const Plain*>(context)))(part);
        };
        run_parts({.call = call, .context = std::addressof(body), .parts = parts});
    }

private:
    struct Job {
        void (*call)(const void* context, std::size_t part) noexcept = nullptr;
        const void* context = nullptr;
        std::size_t parts = 0;
    };

    void run_parts(const Job& job) noexcept;
    void start_threads() noexcept;
    void serve() noexcept;
    void take_parts() noexcept;
    bool enter() noexcept;
    void leave() noexcept;

    unsigned missing_; ///< threads not made yet
    std::vector<std::thread> threads_{};
    Job job_{};                           ///< changes only while the gate is closed and empty
    std::atomic<std::size_t> next_{0};    ///< the first part nobody has taken
    std::atomic<std::uint32_t> gate_{0};  ///< how many threads are at the job; and whether more may
    std::atomic<std::uint32_t> round_{0}; ///< counts jobs; idle threads sleep on it
    std::atomic<bool> closing_{false};
};

} // namespace ferry::base
