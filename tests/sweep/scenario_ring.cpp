// SPDX-License-Identifier: MIT
// Frames that read through rings, with copies and with leases, into ferry's encoders.
#include <iostream>

#include "ring_run.hpp"
#include "scenarios.hpp"

namespace ferry::test {
namespace {

constexpr std::uint32_t frames = 4;

/// What a frame's read must bring, and what becomes of the ring when something fails.
class RingProgram {
public:
    RingProgram(Device& device, RingOrder order)
        : device_(device),
          source_(
              device.create_buffer({.usage = Usage::copy_src | Usage::copy_dst, .size_bytes = 8})
                  .value()),
          ring_(ReadbackRing::create(device, {.size_bytes = 8,
                                              .slots = 2,
                                              .when_full = RingPolicy::drop_oldest,
                                              .order = order,
                                              .label = "scenario"})
                    .value()) {}

    void frame(std::uint32_t number) {
        device_.write(source_, std::vector{number, ~number}).value();
        Commands commands = device_.record("frame");
        (void)ring_.record(commands, source_, number);
        device_.submit(std::move(commands)).value();
        check_sum();
        take(number % 2 == 0);
    }
    /// Until every read has ended, or none does any more.
    void finish() {
        for (int turn = 0; turn < 50 && ring_.stats().in_flight > 0; ++turn) {
            take(turn % 2 == 0);
            scenario_world().advance(std::chrono::milliseconds(100));
        }
        ring_.close();
        check_sum();
        right_ = right_ && ring_.stats().in_flight == 0;
        if (auto error = ring_.last_error()) throw std::bad_expected_access(*error);
        if (ring_.stats().cancelled > 0) throw std::runtime_error("a map was never answered");
        const RingStats stats = ring_.stats();
        right_ = right_ && taken_ + stats.dropped + stats.skipped == frames;
    }
    [[nodiscard]] bool right() const { return right_; }

private:
    void take(bool copy) {
        if (copy) {
            if (const auto result = ring_.next<std::uint32_t>())
                check(result->span(), result->tag());
        } else if (auto lease = ring_.next_mapped()) {
            const auto bytes = lease->bytes().value();
            check({reinterpret_cast<const std::uint32_t*>(bytes.data()), bytes.size() / 4},
                  lease->tag());
        }
        check_sum();
    }
    void check(std::span<const std::uint32_t> words, std::uint64_t tag) {
        ++taken_;
        right_ = right_ && words.size() == 2 && words[0] == tag && words[1] == ~words[0];
        right_ = right_ && tag > newest_;
        newest_ = tag;
    }
    void check_sum() { right_ = right_ && adds_up(ring_.stats()); }

    Device& device_;
    Buffer source_;
    ReadbackRing ring_;
    bool right_ = true;
    std::uint64_t newest_ = 0, taken_ = 0;
};

} // namespace

int scenario_ring() try {
    auto device = Device::open().value();
    bool right = true;
    for (RingOrder order : {RingOrder::newest, RingOrder::all}) {
        RingProgram program(device, order);
        for (std::uint32_t number = 1; number <= frames; ++number) program.frame(number);
        program.finish();
        right = right && program.right();
    }
    return right ? 0 : 1;
} catch (const std::bad_expected_access<Error>& failed) {
    return end_with(failed.error());
} catch (const Hung&) {
    throw;
} catch (const std::runtime_error& stuck) {
    std::cerr << stuck.what() << '\n';
    return 1;
}

} // namespace ferry::test
