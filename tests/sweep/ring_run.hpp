// SPDX-License-Identifier: MIT
#pragma once

#include <random>
#include <vector>

#include "fake_world.hpp"
#include "ferry/interop.hpp"

namespace ferry::test {

/// requested = delivered + skipped + dropped + refused + cancelled + failed + in_flight.
[[nodiscard]] inline bool adds_up(const RingStats& stats) {
    return stats.requested == stats.delivered + stats.skipped + stats.dropped + stats.refused +
                                  stats.cancelled + stats.failed + stats.in_flight;
}

/// A program that reads through a ring, with a world, faults and a consumer at random. What the
/// ring answers is counted here as well, and its numbers are compared after every step.
class RingRun {
public:
    RingRun(std::uint64_t seed, RingPolicy policy);
    /// Answers the number of frames, of which there are fewer when the device is lost on the way.
    std::uint64_t frames(std::uint64_t most);
    /// Closes or loses what is left and asks for the last time.
    void end();

    [[nodiscard]] World& world() { return world_; }
    [[nodiscard]] const RingStats& totals() const { return last_; }

private:
    enum class Consumer { none, latest, next, leases, any };

    [[nodiscard]] std::uint64_t below(std::uint64_t limit) { return random_() % limit; }
    [[nodiscard]] bool chance(unsigned per_thousand) { return below(1000) < per_thousand; }

    void set_weather();
    void script_fault();
    void frame();
    void record_reads(Commands& commands);
    void record_one(Commands& commands, const Buffer& source);
    void frame_of_the_user();
    void send_late_ones();
    void consume(Consumer how);
    void take_latest();
    void take_next();
    void take_lease();
    void drop_leases(std::size_t keep);
    void note(std::uint64_t sequence, std::uint64_t tag, std::uint64_t value);
    void check();

    World world_;
    std::mt19937_64 random_;
    Device device_;
    std::vector<Buffer> sources_;
    ReadbackRing ring_;
    std::vector<MappedReadback> leases_;
    std::vector<WGPUCommandBuffer> late_;
    Consumer consumer_;
    bool calm_;

    std::vector<std::uint64_t> tag_of_; ///< by sequence
    std::vector<bool> delivered_;       ///< by sequence
    std::uint64_t deliveries_ = 0, requested_ = 0, skipped_ = 0, refused_ = 0, tags_ = 0;
    std::uint64_t newest_ = 0, version_ = 0;
    RingStats last_;
};

} // namespace ferry::test
