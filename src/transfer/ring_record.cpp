// SPDX-License-Identifier: MIT
#include <algorithm>

#include "base/align.hpp"
#include "base/error.hpp"
#include "commands/copy_rules.hpp"
#include "commands/record_command.hpp"
#include "commands/texel_copy.hpp"
#include "resource/texels.hpp"
#include "transfer/ring.hpp"

namespace ferry::detail {

using base::text;

namespace {

Result<> plan_buffer(const Core& core, const BufferView& view, RingRead& read) {
    if (auto ok = check_buffer(core, view, "source"); !ok) return ok;
    auto wide = plan_read(view, 1);
    if (!wide) return std::unexpected(std::move(wide).error());
    read.buffer = view.buffer;
    read.from_bytes = wide->copy.offset_bytes;
    read.copy_bytes = wide->copy.size_bytes;
    read.skip_bytes = wide->skip_bytes;
    read.row_bytes = wide->size_bytes;
    return {};
}

Result<> plan_texture(const Core& core, const RingSource& source, RingRead& read) {
    const auto& place = std::get<TextureAt>(source.from);
    if (auto ok = check_texture_side(core, place.texture, TextureUsage::copy_src, "source"); !ok)
        return ok;
    read.plan =
        ferry::plan_read(place.texture->options, place.at, source.size, core.row_alignment_bytes);
    if (!read.plan) return std::unexpected(about(read.plan.error(), *place.texture));
    read.texture = place.texture;
    read.copy_bytes = read.plan.is_empty() ? 0 : read.plan.staging_bytes;
    read.row_bytes = read.plan.row_bytes;
    read.rows = read.plan.is_empty() ? 0 : read.plan.block_rows * read.plan.images;
    read.pitch_bytes = read.plan.bytes_per_row;
    return {};
}

} // namespace

/// Checks the sources and lays them out in a slot, in `planned_`.
Result<> Ring::plan(const Core& device, std::span<const RingSource> sources) {
    planned_.clear();
    if (sources.empty()) {
        return base::fail(Errc::invalid_argument, {},
                          text("A record of the ", named(), " reads nothing."),
                          "Name at least one buffer or texture.");
    }
    std::uint64_t end = 0, wanted = 0;
    for (const RingSource& source : sources) {
        RingRead& read = planned_.emplace_back();
        Result<> planned;
        if (const auto* view = std::get_if<BufferView>(&source.from)) {
            BufferView range = *view;
            if (sources.size() == 1 && !range.range.size_bytes)
                range.range.size_bytes = size_bytes_; // the ring says how much
            planned = plan_buffer(device, range, read);
        } else {
            planned = plan_texture(device, source, read);
        }
        if (!planned) return planned;
        read.at_bytes = end;
        wanted = end + (read.buffer ? read.row_bytes : read.copy_bytes);
        if (wanted > size_bytes_) break;
        end = *base::round_up(end + read.copy_bytes, ring_part_alignment);
    }
    if (wanted <= size_bytes_) return {};
    return base::fail(Errc::invalid_argument, {},
                      text("The reads of one record need (", wanted,
                           ") bytes or more, and a slot of "
                           "the ",
                           named(), " has (", size_bytes_, ")."),
                      "Make the ring with a larger .size_bytes: for a texture plan_read(...)"
                      ".staging_bytes, for several reads each rounded up to 16.");
}

RingRecord Ring::record(Commands& commands, std::span<const RingSource> sources, std::uint64_t tag,
                        std::source_location where) {
    account_waits();
    if (done()) return RingRecord::closed;
    core()->pump();
    if (done()) return RingRecord::closed;   // the pump has told of the device's end
    CommandsState* state = commands.state(); // a callback in the pump may have submitted them
    if (state == nullptr || state->number != recording_) {
        ++frame_;
        recording_ = state != nullptr ? state->number : 0;
    }
    count_arrivals();
    ++totals_.requested;
    if (state != nullptr) return record_into(*state, sources, tag, where);
    ++totals_.refused;
    last_error_ = empty_handle("commands", where);
    return RingRecord::refused;
}

RingRecord Ring::record_into(CommandsState& state, std::span<const RingSource> sources,
                             std::uint64_t tag, std::source_location where) {
    const OpenCommand kept(state); // its error is looked at below
    RingRecord outcome = RingRecord::refused;
    record_command(&state, "ring record", where, [&](CommandsState& open) -> Result<> {
        auto done = record_reads(open, sources, tag);
        if (!done) return std::unexpected(std::move(done).error());
        outcome = *done;
        return {};
    });
    planned_.clear(); // lets go of the sources
    if (outcome == RingRecord::recorded && state.error) return RingRecord::refused; // by the engine
    if (outcome == RingRecord::skipped) ++totals_.skipped;
    if (outcome == RingRecord::refused) {
        ++totals_.refused;
        last_error_ = state.error;
    }
    return outcome;
}

Result<RingRecord> Ring::record_reads(CommandsState& state, std::span<const RingSource> sources,
                                      std::uint64_t tag) {
    if (state.core != core()) {
        return base::fail(Errc::invalid_argument, {},
                          text("The ", named(), " and the commands \"", state.label,
                               "\" belong to different devices."),
                          "Make the ring on the device that records.");
    }
    if (auto ok = plan(*core(), sources); !ok) return std::unexpected(std::move(ok).error());
    const auto index = acquire();
    const std::uint64_t turn = turn_++;
    if (!index) {
        window_.turn_away();
        if (policy_ != RingPolicy::refuse) return RingRecord::skipped;
        return std::unexpected(all_busy());
    }
    RingSlot& slot = slots_[*index];
    if (auto ok = stamp(state, slot); !ok) return std::unexpected(std::move(ok).error());
    slot.reads.swap(planned_);
    slot.mark = {tag, frame_ - 1, ++sequence_};
    slot.turn = turn;
    encode(state, slot);
    slot.state = State::recorded;
    state.reads.push_back({std::static_pointer_cast<Ring>(shared_from_this()), *index});
    return RingRecord::recorded;
}

Error Ring::all_busy() const {
    auto sum = text("All (", slots_.size(), ") slots of the ", named(), " are busy: (",
                    count(State::pending), ") pending, (", count(State::ready), ") not taken, (",
                    count(State::leased), ") in the consumer's hands, (", count(State::recorded),
                    ") not submitted");
    if (const RingSlot* slot = oldest(State::pending))
        sum += text("; the oldest is pending for (", frames_since(*slot), ") frames");
    return {Errc::busy, {},
            sum + '.',  "Use more slots, or RingPolicy::skip; diagnose() says how many are enough.",
            {},         {}};
}

/// With an encoder of the user's a number travels behind the bytes.
Result<> Ring::stamp(CommandsState& state, RingSlot& slot) {
    slot.stamp = 0;
    if (state.owner != Owner::user) return {};
    const std::uint64_t at = capacity_bytes_ - ring_stamp_bytes;
    Result<Stamps::Stamp> next = core()->stamps().next(*core());
    if (next && next->value == slot.last_stamp) next = core()->stamps().next(*core());
    if (!next) return std::unexpected(std::move(next).error());
    slot.stamp = next->value;
    core()->gpu().CommandEncoderCopyBufferToBuffer(
        state.encoder.get(), next->buffer, next->offset_bytes, slot.buffer, at, sizeof(slot.stamp));
    return {};
}

void Ring::encode(CommandsState& state, RingSlot& slot) {
    std::uint64_t end = 4;
    for (const RingRead& read : slot.reads) {
        end = std::max(end, read.at_bytes + read.copy_bytes);
        if (read.texture) {
            CopyPlan placed = read.plan;
            placed.offset_bytes = read.at_bytes;
            encode_texel_copy(state, read.texture, placed, slot.buffer);
        } else if (read.copy_bytes > 0) {
            state.use({read.buffer, false});
            core()->gpu().CommandEncoderCopyBufferToBuffer(state.encoder.get(), read.buffer->handle,
                                                           read.from_bytes, slot.buffer,
                                                           read.at_bytes, read.copy_bytes);
        }
    }
    slot.mapped_bytes = slot.stamp != 0 ? capacity_bytes_ : end;
}

} // namespace ferry::detail
