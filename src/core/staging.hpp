// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "engine/table.hpp"
#include "ferry/error.hpp"

namespace ferry::detail {

class Core;
class StagingPool;

/// A buffer of ours that the GPU copies into and the CPU maps. Goes back to its pool when dropped.
class StagingSlot {
public:
    StagingSlot() noexcept = default;
    StagingSlot(StagingPool& pool, WGPUBuffer buffer, std::uint64_t capacity_bytes) noexcept;
    StagingSlot(StagingSlot&& other) noexcept;
    StagingSlot& operator=(StagingSlot&& other) noexcept;
    ~StagingSlot();

    /// Lets go of the buffer instead of reusing it: somebody else's commands may still write to it.
    void discard() noexcept;

    [[nodiscard]] WGPUBuffer buffer() const noexcept { return buffer_; }
    [[nodiscard]] explicit operator bool() const noexcept { return buffer_ != nullptr; }

private:
    friend class StagingPool;
    StagingPool* pool_ = nullptr;
    WGPUBuffer buffer_ = nullptr;
    std::uint64_t capacity_bytes_ = 0;
};

/// Staging slots of a device. Idle ones are kept up to a budget, since making one costs more than a
/// small read.
class StagingPool {
public:
    explicit StagingPool(Core& core) noexcept : core_(core) {}
    StagingPool(const StagingPool&) = delete;
    StagingPool& operator=(const StagingPool&) = delete;
    ~StagingPool() { clear(); }

    /// A slot of at least `size_bytes`, a multiple of 4. Errors: `out_of_memory`, `limit_exceeded`,
    /// `device_lost`.
    [[nodiscard]] Result<StagingSlot> acquire(std::uint64_t size_bytes);

    void set_budget(std::uint64_t bytes) noexcept { budget_bytes_ = bytes; }
    /// Frees the idle slots.
    void clear() noexcept;

private:
    friend class StagingSlot;
    void put_back(WGPUBuffer buffer, std::uint64_t capacity_bytes) noexcept;
    void release(WGPUBuffer buffer) noexcept;

    struct Idle {
        WGPUBuffer buffer;
        std::uint64_t capacity_bytes;
    };
    Core& core_;
    std::vector<Idle> idle_;
    std::uint64_t idle_bytes_ = 0;
    std::size_t live_ = 0; ///< slots, idle or not
    std::uint64_t budget_bytes_ = 0;
};

} // namespace ferry::detail
