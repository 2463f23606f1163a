// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>

#include "base/error.hpp"
#include "transfer/make_slots.hpp"
#include "transfer/send_slot.hpp"
#include "transfer/stream_run.hpp"

namespace ferry::detail {

namespace {

/// Of `depth` chunks together.
std::uint64_t sum_of(std::uint64_t chunk_bytes, std::uint32_t depth) noexcept {
    const Checked sum = Checked(UploadSlots::buffer_bytes(chunk_bytes)) * Checked(depth);
    return sum.over ? std::numeric_limits<std::uint64_t>::max() : sum.value;
}

std::shared_ptr<UploadSlots> slots_beside(const std::shared_ptr<Core>& core,
                                          std::uint64_t chunk_bytes, std::uint32_t depth) {
    const std::uint64_t two = 2 * UploadSlots::buffer_bytes(chunk_bytes); // or none is kept
    return make_slots(core, "upload's memory",
                      {.cap_bytes = std::max(two, sum_of(chunk_bytes, depth)),
                       .floor_bytes = 0,
                       .when_full = PoolPolicy::refuse});
}

/// The device's own slots, which stay warm from one upload to the next, or some beside them for
/// chunks that are too large for those.
std::shared_ptr<UploadSlots> slots_for(const std::shared_ptr<Core>& core, std::uint64_t chunk_bytes,
                                       std::uint32_t depth) {
    const std::uint64_t cap = core->uploads().cap_bytes();
    const bool fit =
        sum_of(chunk_bytes, depth) <= cap && UploadSlots::buffer_bytes(chunk_bytes) <= cap / 2;
    if (fit) return {core, &core->uploads()};
    return slots_beside(core, chunk_bytes, depth);
}

bool has_gaps(const CopyPlan& plan) {
    return plan.bytes_per_row != plan.row_bytes && plan.block_rows * plan.images > 1;
}

} // namespace

UploadRun::UploadRun(std::shared_ptr<Core> core, StreamPlan plan, StreamReader& reader,
                     const StreamOptions& options)
    : StreamRun(core, std::move(plan), options), reader_(reader),
      slots_(slots_for(core, plan_.staging_bytes(), plan_.depth())) {
    verb_ = "upload to";
}

Result<bool> UploadRun::move_next() {
    if (next_ == plan_.chunks() && !error_) return true;
    if (auto ok = check_going("upload to"); !ok) return std::unexpected(std::move(ok).error());
    forget_done();
    if (sent_.size() >= plan_.depth()) return false;
    const std::uint64_t bytes = plan_.texture() != nullptr ? plan_.band(next_).required_bytes
                                                           : plan_.range(next_).size_bytes;
    auto slot = slots_->acquire(bytes, PoolPolicy::refuse);
    if (!slot && slot.error().code == Errc::busy) {
        if (slots_->waits_for_gpu() || slots_.get() != &core_->uploads()) return false;
        // Only commands that were not submitted hold slots: this thread's own.
        slots_ = slots_beside(core_, plan_.staging_bytes(), plan_.depth());
        slot = slots_->acquire(bytes, PoolPolicy::refuse);
    }
    if (!slot) return fail_with(std::move(slot).error());
    const StagingHandle held(slots_, *slot); // goes back, unless it is sent
    const auto memory = memory_of(held);
    if (!memory) return fail_with(memory.error());
    if (auto ok = fill({*memory, static_cast<std::size_t>(bytes)}); !ok)
        return fail_with(std::move(ok).error());
    // The reader may have done anything.
    if (auto ok = check_going("upload to"); !ok) return std::unexpected(std::move(ok).error());
    if (auto ok = send(*slot); !ok) return fail_with(std::move(ok).error());
    return next_ == plan_.chunks();
}

Result<> UploadRun::fill(std::span<std::byte> memory) {
    if (plan_.texture() == nullptr) return reader_.fill(memory, *core_);
    const CopyPlan band = plan_.band(next_);
    if (!has_gaps(band)) return reader_.fill(memory, *core_);
    auto& rows = scratch(band.tight_bytes);
    if (auto ok = reader_.fill(rows, *core_); !ok) return ok;
    core_->crew().copy_rows(memory.data(), band.bytes_per_row, rows.data(), band.row_bytes,
                            band.row_bytes, band.block_rows * band.images);
    return {};
}

Result<> UploadRun::send(std::uint32_t slot) {
    const UploadSlot& staged = slots_->slot(slot);
    const Sent sent{slot, staged.use, staged.capacity_bytes};
    std::uint64_t bytes = 0;
    Result<> done;
    if (const TextureState* texture = plan_.texture()) {
        const CopyPlan band = plan_.band(next_);
        bytes = band.tight_bytes;
        done = send_slot(*slots_, slot, *texture, band);
    } else {
        const Span64 range = plan_.range(next_);
        bytes = range.size_bytes;
        done = send_slot(*slots_, slot, *plan_.buffer(), range.offset_bytes);
    }
    if (!done) return done;
    ++next_;
    sent_.push_back(sent);
    std::uint64_t in_flight = 0;
    for (const Sent& each : sent_) in_flight += each.bytes;
    report_.staging_bytes = std::max(report_.staging_bytes, in_flight);
    return moved(bytes);
}

void UploadRun::forget_done() {
    std::erase_if(sent_, [this](const Sent& each) {
        const UploadSlot& slot = slots_->slot(each.slot);
        return slot.use != each.use || slot.state != UploadSlot::State::pending;
    });
}

} // namespace ferry::detail
