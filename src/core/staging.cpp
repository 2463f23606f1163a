// SPDX-License-Identifier: MIT
#include "core/staging.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/align.hpp"
#include "base/error.hpp"
#include "core/core.hpp"
#include "core/make_buffer.hpp"

namespace ferry::detail {

namespace {

constexpr std::uint64_t smallest = 256;
constexpr std::uint64_t largest_power = std::uint64_t{64} << 10;
constexpr std::uint64_t largest_step = std::uint64_t{1} << 20;

/// Sizes are rounded up so that reads of nearly the same size share slots, large ones by at most a
/// quarter.
std::uint64_t class_of(std::uint64_t size_bytes, std::uint64_t limit) {
    const std::uint64_t step = std::min(std::bit_floor(size_bytes) / 4, largest_step);
    const std::uint64_t rounded = size_bytes <= largest_power
                                      ? std::bit_ceil(std::max(size_bytes, smallest))
                                      : base::round_up(size_bytes, step).value_or(size_bytes);
    return rounded <= limit ? rounded : size_bytes;
}

} // namespace

StagingSlot::StagingSlot(StagingPool& pool, WGPUBuffer buffer,
                         std::uint64_t capacity_bytes) noexcept
    : pool_(&pool), buffer_(buffer), capacity_bytes_(capacity_bytes) {}

StagingSlot::StagingSlot(StagingSlot&& other) noexcept
    : pool_(other.pool_), buffer_(std::exchange(other.buffer_, nullptr)),
      capacity_bytes_(other.capacity_bytes_) {}

StagingSlot& StagingSlot::operator=(StagingSlot&& other) noexcept {
    std::swap(pool_, other.pool_);
    std::swap(buffer_, other.buffer_);
    std::swap(capacity_bytes_, other.capacity_bytes_);
    return *this;
}

StagingSlot::~StagingSlot() {
    if (buffer_ != nullptr) pool_->put_back(buffer_, capacity_bytes_);
}

void StagingSlot::discard() noexcept {
    if (buffer_ != nullptr) pool_->release(std::exchange(buffer_, nullptr));
}

Result<StagingSlot> StagingPool::acquire(std::uint64_t size_bytes) {
    const std::uint64_t wanted = class_of(size_bytes, core_.limits.max_buffer_size_bytes);
    auto best = idle_.end();
    for (auto it = idle_.begin(); it != idle_.end(); ++it) {
        const bool fits = it->capacity_bytes >= size_bytes && it->capacity_bytes / 2 <= wanted;
        if (fits && (best == idle_.end() || it->capacity_bytes < best->capacity_bytes)) best = it;
    }
    if (best != idle_.end()) {
        StagingSlot slot(*this, best->buffer, best->capacity_bytes);
        idle_bytes_ -= best->capacity_bytes;
        idle_.erase(best);
        return slot;
    }
    const std::uint64_t limit = core_.limits.max_buffer_size_bytes;
    if (wanted > limit) {
        return base::fail(Errc::limit_exceeded, "B-07",
                          base::text("A staging buffer of (", base::grouped(wanted),
                                     ") bytes is over the device's limit of (",
                                     base::grouped(limit), ") bytes."),
                          "Read in pieces.");
    }
    if (idle_.capacity() <= live_) idle_.reserve(2 * live_ + 1); // put_back need not allocate
    auto made = make_buffer(core_, {.usage = WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst,
                                    .size_bytes = wanted,
                                    .label = "ferry staging"});
    if (!made) return std::unexpected(std::move(made).error());
    ++live_;
    return StagingSlot(*this, *made, wanted);
}

/// The newest stay: what was idle the longest makes room.
void StagingPool::put_back(WGPUBuffer buffer, std::uint64_t capacity_bytes) noexcept {
    const bool kept = capacity_bytes <= budget_bytes_ && core_.usable();
    if (!kept || idle_.size() == idle_.capacity()) return release(buffer);
    while (idle_bytes_ > budget_bytes_ - capacity_bytes) {
        idle_bytes_ -= idle_.front().capacity_bytes;
        release(idle_.front().buffer);
        idle_.erase(idle_.begin());
    }
    idle_.push_back({buffer, capacity_bytes});
    idle_bytes_ += capacity_bytes;
}

void StagingPool::release(WGPUBuffer buffer) noexcept {
    --live_;
    core_.gpu().BufferRelease(buffer);
}

void StagingPool::clear() noexcept {
    for (const Idle& idle : idle_) release(idle.buffer);
    idle_.clear();
    idle_bytes_ = 0;
}

} // namespace ferry::detail
