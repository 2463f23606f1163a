// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "core/operation.hpp"
#include "core/staged.hpp"
#include "ferry/readback_ring.hpp"
#include "transfer/ring_meter.hpp"

namespace ferry::detail {

struct CommandsState;

/// Of a slot, in bytes: where its parts begin, and what stands behind them for a stamp. 16 suits
/// every block of every format, and words.
inline constexpr std::uint64_t ring_part_alignment = 16;
inline constexpr std::uint64_t ring_stamp_bytes = 16;

/// A copy of a result's bytes, without the gaps of padded rows.
struct RingBlock {
    std::vector<std::byte> bytes;
    std::vector<RingPart> parts;
    RingMark mark;
};

/// One of the sources of a record, and where its bytes lie in the slot.
struct RingRead {
    std::shared_ptr<BufferState> buffer{}; ///< or a texture
    std::shared_ptr<TextureState> texture{};
    std::uint64_t from_bytes = 0; ///< in the buffer
    std::uint64_t at_bytes = 0;   ///< in the slot
    std::uint64_t copy_bytes = 0; ///< whole words
    std::uint64_t skip_bytes = 0; ///< before the wanted ones
    std::uint64_t row_bytes = 0, rows = 1, pitch_bytes = 0;
    CopyPlan plan{}; ///< of a texture
};

/// A staging buffer of a ring and the read that it is used for.
struct RingSlot {
    enum class State : std::uint8_t {
        free,
        recorded, ///< in commands that were not sent
        pending,  ///< the map was asked for
        ready,    ///< mapped, and not taken
        leased,   ///< mapped, in the consumer's hands
        broken,   ///< the buffer was let go of; made again when it is needed
        gone,     ///< the ring is closed
    };
    WGPUBuffer buffer = nullptr;
    State state = State::broken;
    RingMark mark{};
    std::uint64_t stamp = 0;      ///< expected behind the bytes; 0: none
    std::uint64_t last_stamp = 0; ///< what stands there now
    std::uint64_t mapped_bytes = 0;
    Signal* signal = nullptr;
    const std::byte* data = nullptr;
    std::uint64_t arrived_turn = 0; ///< of a ready one
    std::vector<RingRead> reads;
    std::uint64_t turn = 0; ///< of the ring when it was recorded
    std::chrono::steady_clock::time_point sent_at{};
    std::uint64_t answers_before = 0; ///< maps of the ring that were answered when it was sent
    std::uint64_t pumps_before = 0;
};

/// Behind `ReadbackRing`. Shared with the commands that hold recorded slots and with leases.
class Ring final : public Operation, public Staged {
public:
    Ring(std::shared_ptr<Core> core, const RingOptions& options);
    ~Ring() override;

    [[nodiscard]] Result<> make_slots(std::uint32_t count);
    [[nodiscard]] RingRecord record(Commands& commands, std::span<const RingSource> sources,
                                    std::uint64_t tag, std::source_location where);

    [[nodiscard]] std::shared_ptr<const RingBlock> latest();
    [[nodiscard]] std::shared_ptr<const RingBlock> next();
    [[nodiscard]] std::optional<std::uint32_t> lease_next();
    void end_lease(std::uint32_t index) noexcept;
    [[nodiscard]] const RingSlot& slot(std::uint32_t index) const { return slots_[index]; }

    [[nodiscard]] std::uint64_t version() const noexcept { return version_; }
    [[nodiscard]] const std::optional<Error>& last_error() const noexcept { return last_error_; }
    [[nodiscard]] RingStats stats() const;
    [[nodiscard]] RingDiagnosis diagnose();
    void close(std::string_view why) noexcept;
    void poll();

    void settle() override;
    void sent(std::uint32_t index) override;
    void never_sent(std::uint32_t index, const Error& reason) noexcept override;

private:
    using State = RingSlot::State;

    void let_go() noexcept override;
    [[nodiscard]] Result<> make_buffer_of(RingSlot& slot, std::size_t index);
    [[nodiscard]] std::optional<std::uint32_t> acquire();
    [[nodiscard]] std::optional<std::uint32_t> make_room();
    [[nodiscard]] bool repair(RingSlot& slot);
    [[nodiscard]] Error all_busy() const;
    [[nodiscard]] RingRecord record_into(CommandsState& state, std::span<const RingSource> sources,
                                         std::uint64_t tag, std::source_location where);
    [[nodiscard]] Result<RingRecord> record_reads(CommandsState& state,
                                                  std::span<const RingSource> sources,
                                                  std::uint64_t tag);
    [[nodiscard]] Result<> plan(const Core& core, std::span<const RingSource> sources);
    void encode(CommandsState& state, RingSlot& slot);
    [[nodiscard]] Result<> stamp(CommandsState& state, RingSlot& slot);
    void settle(RingSlot& slot);
    void arrive(RingSlot& slot);
    void count_arrivals() noexcept;
    void drop_older_than(std::uint64_t sequence) noexcept;
    void free(RingSlot& slot) noexcept;
    void unmap_and_free(RingSlot& slot) noexcept;
    void break_slot(RingSlot& slot) noexcept;
    void fail_slot(RingSlot& slot, Error error) noexcept;
    [[nodiscard]] RingSlot* newest_ready() noexcept;
    [[nodiscard]] RingSlot* next_ready() noexcept;
    [[nodiscard]] std::shared_ptr<RingBlock> spare_block();
    [[nodiscard]] std::shared_ptr<const RingBlock> copy_out(RingSlot& slot);
    void account_waits() noexcept;
    [[nodiscard]] std::optional<RingDiagnosis> diagnose_stuck() const;
    [[nodiscard]] RingDiagnosis diagnose_window(const RingStats& now, const RingStats& before,
                                                const RingWindow& window) const;
    [[nodiscard]] std::string named() const;
    [[nodiscard]] const RingSlot* oldest(State state) const noexcept;
    [[nodiscard]] std::uint64_t frames_since(const RingSlot& slot) const noexcept;
    [[nodiscard]] std::uint64_t in_flight() const noexcept;
    [[nodiscard]] std::uint32_t count(State state) const noexcept;

    std::string label_;
    std::uint64_t size_bytes_;
    std::uint64_t capacity_bytes_; ///< of a slot, with room for a widened end and a stamp
    std::uint32_t max_slots_;
    RingPolicy policy_;
    RingOrder order_;
    std::vector<RingSlot> slots_;
    std::vector<RingRead> planned_;
    struct Arrival {
        std::uint64_t frame = 0;
        std::chrono::nanoseconds after{};
    };
    std::vector<Arrival> arrived_; ///< whose latency is still to be counted
    std::vector<std::shared_ptr<RingBlock>> blocks_;
    std::shared_ptr<const RingBlock> latest_;
    std::optional<Error> last_error_;

    std::uint64_t sequence_ = 0;
    std::uint64_t taken_sequence_ = 0; ///< nothing older is handed out any more
    std::uint64_t version_ = 0;
    std::uint64_t frame_ = 0;     ///< number of the current frame, from 1
    std::uint64_t recording_ = 0; ///< that the current frame is recorded into
    std::uint64_t turn_ = 1;      ///< of the next search for a slot
    std::uint64_t answers_ = 0;   ///< of maps

    RingStats totals_{};
    LatencyMeter latency_;
    RingWindow window_;
    RingStats window_start_{};
    std::uint64_t waits_seen_ = 0;
};

} // namespace ferry::detail
