// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <random>
#include <vector>

#include "fake_world.hpp"

namespace ferry::test {

/// The numbers of a pool that only grow.
inline constexpr std::array upload_counts{
    &UploadStats::requested,  &UploadStats::reused,       &UploadStats::made,
    &UploadStats::one_use,    &UploadStats::queue_writes, &UploadStats::refused,
    &UploadStats::failed,     &UploadStats::sent,         &UploadStats::dropped,
    &UploadStats::bytes_sent, &UploadStats::map_failures, &UploadStats::trimmed};
inline void add(UploadStats& sum, const UploadStats& more) {
    for (auto count : upload_counts) sum.*count += more.*count;
}

/// A program that uploads at random, in a world with random latencies and faults, beside a model of
/// what the buffers hold.
class UploadRun {
public:
    explicit UploadRun(std::uint64_t seed);
    /// Answers how many steps were made: fewer when the device is lost on the way.
    std::uint64_t steps(std::uint64_t most);
    /// Lets go of everything, in some order.
    void end();

    [[nodiscard]] const UploadStats& totals() const { return totals_; }

private:
    using Bytes = std::vector<std::byte>;
    struct Target {
        Buffer buffer;
        Bytes model;
        bool known = true; ///< false after a write of which ferry said that it went wrong
    };
    struct Piece {
        std::size_t target = 0;
        std::size_t offset = 0;
        Bytes bytes;
    };
    struct Held {
        Staging<std::byte> memory;
        Piece piece;
    };

    [[nodiscard]] std::uint64_t below(std::uint64_t limit) { return random_() % limit; }
    [[nodiscard]] bool chance(unsigned per_thousand) { return below(1000) < per_thousand; }
    [[nodiscard]] Piece some_piece();
    void apply(const Piece& piece);

    void set_weather();
    void script_fault();
    void step();
    void acquire();
    void copy();
    void write_in_commands();
    void write_now();
    void submit();
    void drop_commands();
    void compare();
    void make_pool();
    void check();

    World world_;
    std::mt19937_64 random_;
    Device device_;
    std::uint64_t cap_bytes_ = 0;
    UploadPool pool_;
    std::vector<Target> targets_;
    std::vector<Held> held_;
    Commands commands_;
    std::vector<Piece> recorded_; ///< in `commands_`
    UploadStats totals_;          ///< of the pools that have ended
    bool calm_;
};

} // namespace ferry::test
