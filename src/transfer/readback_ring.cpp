// SPDX-License-Identifier: MIT
#include "ferry/readback_ring.hpp"

#include <algorithm>

#include "base/align.hpp"
#include "base/error.hpp"
#include "resource/buffer_state.hpp"
#include "transfer/ring.hpp"

namespace ferry {

using base::fail;
using base::text;

namespace {

// Of a slot: rounding and the stamp.
constexpr std::uint64_t beside_the_bytes =
    2 * detail::ring_part_alignment + detail::ring_stamp_bytes;
constexpr std::uint32_t most_slots = 1024;

Result<> check(const detail::Core& core, const RingOptions& options) {
    if (options.size_bytes == 0 || options.slots == 0) {
        return fail(Errc::invalid_argument, {},
                    text("The ring \"", options.label, "\" has (", options.slots, ") slots of (",
                         options.size_bytes, ") bytes."),
                    "Give .size_bytes of what one record reads, and at least one slot; 4 are the "
                    "default.");
    }
    if (std::max(options.slots, options.max_slots) > most_slots) {
        return fail(Errc::limit_exceeded, {},
                    text("The ring \"", options.label, "\" has (", options.slots,
                         ") slots and at most (", options.max_slots, "), over (", most_slots, ")."),
                    text("Give .slots and .max_slots of up to ", most_slots,
                         "; frames in flight are a handful."));
    }
    const std::uint64_t limit = core.limits.max_buffer_size_bytes;
    if (base::fits(beside_the_bytes, options.size_bytes, limit)) return {};
    return fail(Errc::limit_exceeded, "B-07",
                text("Slots of (", base::grouped(options.size_bytes), ") bytes for the ring \"",
                     options.label, "\" are over the device's limit of (", base::grouped(limit),
                     ") bytes."),
                text("Give .size_bytes of up to ", limit - beside_the_bytes,
                     " and read in parts, or open the device with a higher "
                     "required_limits.max_buffer_size_bytes."));
}

} // namespace

std::string_view name(RingHealth health) noexcept {
    switch (health) {
    case RingHealth::healthy: return "healthy";
    case RingHealth::idle: return "idle";
    case RingHealth::ring_too_small: return "ring_too_small";
    case RingHealth::queue_saturated: return "queue_saturated";
    case RingHealth::events_not_running: return "events_not_running";
    case RingHealth::leases_held: return "leases_held";
    case RingHealth::results_not_taken: return "results_not_taken";
    case RingHealth::not_submitted: return "not_submitted";
    case RingHealth::waits_in_frame: return "waits_in_frame";
    case RingHealth::closed: return "closed";
    }
    return "unknown";
}

ReadbackRing::ReadbackRing() noexcept = default;
ReadbackRing::ReadbackRing(std::shared_ptr<detail::Ring> ring) noexcept : ring_(std::move(ring)) {}
ReadbackRing::ReadbackRing(ReadbackRing&&) noexcept = default;
ReadbackRing& ReadbackRing::operator=(ReadbackRing&& other) noexcept {
    ReadbackRing taken(std::move(other));
    ring_.swap(taken.ring_); // the ring that was here is dropped
    return *this;
}
ReadbackRing::~ReadbackRing() {
    if (ring_) ring_->close("dropped");
}

Result<ReadbackRing> ReadbackRing::create(Device& device, const RingOptions& options, Where where) {
    auto made = [&]() -> Result<std::shared_ptr<detail::Ring>> {
        if (!device) return std::unexpected(detail::empty_handle("device", {}));
        const auto core = device.core();
        core->pump();
        if (auto ok = core->check_usable({"create ring", options.label}); !ok)
            return std::unexpected(std::move(ok).error());
        if (auto ok = check(*core, options); !ok) return std::unexpected(std::move(ok).error());
        auto ring = std::make_shared<detail::Ring>(core, options);
        if (auto ok = ring->make_slots(options.slots); !ok)
            return std::unexpected(std::move(ok).error());
        return ring;
    }();
    if (made) return ReadbackRing(*std::move(made));
    made.error().where = where;
    return std::unexpected(std::move(made).error());
}

RingRecord ReadbackRing::record(Commands& commands, const RingSource& source, std::uint64_t tag,
                                Where where) {
    const auto ring = ring_; // a callback of the user's may drop the handle
    return ring ? ring->record(commands, {&source, 1}, tag, where) : RingRecord::closed;
}

RingRecord ReadbackRing::record(Commands& commands, std::initializer_list<RingSource> sources,
                                std::uint64_t tag, Where where) {
    const auto ring = ring_;
    return ring ? ring->record(commands, {sources.begin(), sources.size()}, tag, where)
                : RingRecord::closed;
}

std::shared_ptr<const detail::RingBlock> ReadbackRing::latest_block() {
    const auto ring = ring_;
    return ring ? ring->latest() : nullptr;
}

std::shared_ptr<const detail::RingBlock> ReadbackRing::next_block() {
    const auto ring = ring_;
    return ring ? ring->next() : nullptr;
}

std::optional<MappedReadback> ReadbackRing::next_mapped() {
    const auto ring = ring_;
    const auto index = ring ? ring->lease_next() : std::nullopt;
    if (!index) return std::nullopt;
    return MappedReadback(ring, *index);
}

std::uint64_t ReadbackRing::version() {
    const auto ring = ring_;
    if (!ring) return 0;
    ring->poll();
    return ring->version();
}

std::optional<Error> ReadbackRing::last_error() const {
    return ring_ ? ring_->last_error() : std::nullopt;
}

RingStats ReadbackRing::stats() const { return ring_ ? ring_->stats() : RingStats{}; }

RingDiagnosis ReadbackRing::diagnose() {
    if (!ring_) return {RingHealth::closed, 0, "The ring handle is empty."};
    return ring_->diagnose();
}

void ReadbackRing::close() noexcept {
    if (ring_) ring_->close("closed");
}

bool ReadbackRing::is_open() const noexcept { return ring_ && !ring_->done(); }

MappedReadback::MappedReadback() noexcept = default;
MappedReadback::MappedReadback(std::shared_ptr<detail::Ring> ring, std::uint32_t slot) noexcept
    : ring_(std::move(ring)), slot_(slot) {}
MappedReadback::MappedReadback(MappedReadback&&) noexcept = default;
MappedReadback& MappedReadback::operator=(MappedReadback&& other) noexcept {
    MappedReadback taken(std::move(other));
    std::swap(ring_, taken.ring_);
    std::swap(slot_, taken.slot_);
    return *this;
}
MappedReadback::~MappedReadback() {
    if (ring_) ring_->end_lease(slot_);
}

Result<std::span<const std::byte>> MappedReadback::bytes(std::size_t part) const {
    if (!ring_) return std::unexpected(detail::empty_handle("readback", {}));
    const detail::RingSlot& slot = ring_->slot(slot_);
    if (auto ok = ring_->core()->check_usable({"look at a mapped readback"}); !ok)
        return std::unexpected(std::move(ok).error());
    if (part >= slot.reads.size()) {
        return fail(
            Errc::invalid_argument, {},
            text("Part (", part, ") is outside the (", slot.reads.size(), ") reads of the record."),
            text("Give a part of up to ", slot.reads.size() - 1, '.'));
    }
    const detail::RingRead& read = slot.reads[part];
    const bool padded = read.texture && !read.plan.is_empty();
    const std::uint64_t size = padded ? read.plan.required_bytes : read.row_bytes * read.rows;
    return std::span(slot.data + read.at_bytes + read.skip_bytes, static_cast<std::size_t>(size));
}

CopyPlan MappedReadback::plan(std::size_t part) const {
    if (!ring_) return {};
    const auto& reads = ring_->slot(slot_).reads;
    return part < reads.size() ? reads[part].plan : CopyPlan{};
}

std::uint64_t MappedReadback::tag() const noexcept {
    return ring_ ? ring_->slot(slot_).mark.tag : 0;
}
std::uint64_t MappedReadback::frame() const noexcept {
    return ring_ ? ring_->slot(slot_).mark.frame : 0;
}
std::uint64_t MappedReadback::sequence() const noexcept {
    return ring_ ? ring_->slot(slot_).mark.sequence : 0;
}

} // namespace ferry
