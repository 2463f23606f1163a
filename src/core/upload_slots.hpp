// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/staged.hpp"
#include "engine/signals.hpp"
#include "ferry/upload_pool.hpp"

namespace ferry::detail {

class Core;

/// A buffer of a pool, or host memory in its place.
struct UploadSlot {
    enum class State : std::uint8_t {
        empty,    ///< nothing is here
        free,     ///< mapped and ready
        held,     ///< in somebody's hands, who writes to it
        recorded, ///< in commands that were not sent
        pending,  ///< the map was asked for
    };
    State state = State::empty;
    StagingWay way = StagingWay::made;
    bool foreign = false; ///< recorded into an encoder of the user's, who may send it at any time
    WGPUBuffer buffer = nullptr;
    std::uint64_t capacity_bytes = 0; ///< of the buffer
    std::uint64_t size_bytes = 0;     ///< asked for
    std::byte* memory = nullptr;
    std::unique_ptr<std::byte[]> host{};
    Signal* signal = nullptr;
    std::uint64_t use = 0; ///< tells one use of the slot from the next
};

/// Upload buffers that stay mapped: behind `UploadPool`, and one for each device. Does not keep its
/// core alive: who shares it does.
class UploadSlots final : public Staged {
    using State = UploadSlot::State;

public:
    /// `name`: a noun phrase for messages, `pool "x"`.
    UploadSlots(Core& core, std::string name, const UploadPoolOptions& options);
    UploadSlots(const UploadSlots&) = delete;
    UploadSlots& operator=(const UploadSlots&) = delete;
    ~UploadSlots() override { release_all(); }

    /// A slot that is held, of at least `size_bytes`. Looks at no events: who calls it may be in
    /// the middle of a recording. Errors: `busy`, `limit_exceeded`, `out_of_memory`, `wrong_state`
    /// (closed), `device_lost`.
    [[nodiscard]] Result<std::uint32_t> acquire(std::uint64_t size_bytes) {
        return acquire(size_bytes, policy_);
    }
    [[nodiscard]] Result<std::uint32_t> acquire(std::uint64_t size_bytes, PoolPolicy when_full);
    /// Whether `count` requests of `each_bytes`, the last of `last_bytes`, can be in hand at a
    /// time.
    [[nodiscard]] Result<> check_series(std::uint64_t count, std::uint64_t each_bytes,
                                        std::uint64_t last_bytes) const;
    /// Counts a request that is refused before it comes here.
    void note_refused() noexcept {
        ++totals_.requested;
        ++totals_.refused;
    }
    /// A held slot was not used.
    void drop(std::uint32_t index) noexcept;
    /// The writing of a held slot has ended: its buffer, for one copy that is recorded now.
    [[nodiscard]] Result<WGPUBuffer> stage(std::uint32_t index, bool foreign);
    /// Why a held slot has no memory.
    [[nodiscard]] Error memory_gone() const;
    void sent(std::uint32_t index) override;
    void never_sent(std::uint32_t index, const Error& reason) noexcept override;

    [[nodiscard]] const UploadSlot& slot(std::uint32_t index) const { return slots_[index]; }
    [[nodiscard]] UploadStats stats() const noexcept;
    [[nodiscard]] Core& core() const noexcept { return core_; }
    [[nodiscard]] const std::string& name() const noexcept { return name_; }

    /// Whether some slot comes back by itself.
    [[nodiscard]] bool waits_for_gpu() const noexcept { return bytes_in(State::pending) != 0; }
    /// Of the buffer that a request gets.
    [[nodiscard]] static std::uint64_t buffer_bytes(std::uint64_t size_bytes) noexcept;
    [[nodiscard]] std::uint64_t cap_bytes() const noexcept { return cap_bytes_; }
    void set_cap(std::uint64_t bytes) noexcept { cap_bytes_ = bytes; }
    /// Queue writes of any number of bytes: the data is the user's, and there already.
    void lift_host_cap() noexcept { host_cap_bytes_ = std::numeric_limits<std::uint64_t>::max(); }
    /// Looks whether maps were answered, and lets go of what is free for long.
    void settle();
    void trim() noexcept;
    void close() noexcept;
    [[nodiscard]] bool is_open() const noexcept { return !closed_; }
    /// The device has ended: memory in hand is gone as well.
    void end_with_device() noexcept;
    void release_all() noexcept;

private:
    [[nodiscard]] Result<std::uint32_t> find_or_make(std::uint64_t size_bytes,
                                                     PoolPolicy when_full);
    [[nodiscard]] std::optional<std::uint32_t> find_free(std::uint64_t size_bytes) const noexcept;
    [[nodiscard]] Result<std::uint32_t> make(std::uint64_t size_bytes, PoolPolicy when_full);
    [[nodiscard]] Result<std::uint32_t> make_host(std::uint64_t size_bytes);
    [[nodiscard]] bool make_room(std::uint64_t size_bytes) noexcept;
    [[nodiscard]] std::uint32_t empty_slot();
    [[nodiscard]] Error full(std::uint64_t size_bytes, PoolPolicy when_full) const;
    [[nodiscard]] Result<WGPUBuffer> stage_host(UploadSlot& slot);
    void settle(std::uint32_t index);
    void map_again(UploadSlot& slot);
    void over(UploadSlot& slot) noexcept;
    void release(UploadSlot& slot) noexcept;
    void decay() noexcept;
    void release_free(std::uint64_t most_bytes, std::uint64_t least_bytes) noexcept;
    [[nodiscard]] std::uint64_t bytes_in(State state) const noexcept;
    [[nodiscard]] std::uint64_t bytes_in_use() const noexcept;

    Core& core_;
    std::string name_;
    std::uint64_t cap_bytes_;
    std::uint64_t host_cap_bytes_;
    std::uint64_t floor_bytes_;
    PoolPolicy policy_;
    std::deque<UploadSlot> slots_; ///< a callback of the program's may make more meanwhile
    UploadStats totals_{};         ///< but for what `stats` counts
    std::uint64_t bytes_ = 0;
    std::uint64_t host_bytes_ = 0;
    std::uint64_t recent_peak_ = 0; ///< of the bytes in use, in this window
    std::uint64_t last_peak_ = 0;   ///< in the window before
    std::uint32_t ticks_ = 0;
    std::chrono::steady_clock::time_point last_tick_{};
    bool closed_ = false;
};

/// The memory of a slot in hand, asked for once: it may be gone at any moment. Errors:
/// `wrong_state`.
[[nodiscard]] Result<std::byte*> memory_of(const StagingHandle& handle);

} // namespace ferry::detail
