// SPDX-License-Identifier: MIT
#include "stream.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "text.hpp"
#include "transfer.hpp"

namespace app {

Result<Stream> Stream::create(Plan& plan) {
    auto outputs = create_outputs(plan, true);
    if (!outputs) return std::unexpected(std::move(outputs).error());
    for (SlotOutputs& each : *outputs) {
        for (Output& file : each.files) {
            if (auto ok = save_header(file, each.slot->array); !ok) {
                return within(std::move(ok).error(),
                              fmt::format("while saving \"{}\"", each.slot->binding->name));
            }
        }
    }
    return Stream(plan, *std::move(outputs));
}

std::uint64_t Stream::rows_of(std::uint64_t number) const noexcept {
    return std::min(cut_.chunk_rows, cut_.rows - number * cut_.chunk_rows);
}

std::string Stream::label(std::uint64_t number) const {
    const std::uint64_t first = number * cut_.chunk_rows;
    return fmt::format("in chunk {} of {} (rows {} to {})", count_text(number + 1),
                       count_text(count()), count_text(first),
                       count_text(first + rows_of(number) - 1));
}

Result<Round> Stream::open(std::uint64_t number) {
    const std::uint64_t rows = rows_of(number);
    Round round{.grid = plan_->grid};
    for (Slot& slot : plan_->slots) {
        if (!slot.varies) continue;
        Part part{.slot = &slot, .layout = slot.layout, .first_row = number * cut_.chunk_rows};
        if (slot.preset.empty()) part.layout = slot.layout.part(rows, cut_.chunk_rows);
        if (slot.binding == plan_->counted) round.grid.threads = ferry::Grid{part.layout.elements};
        round.parts.push_back(part);
    }
    return round;
}

Result<> Stream::begin(Round&) { return {}; }

Result<> Stream::save(Round&, SlotSet& memory) { return memory.save(outputs_, false, false); }

Result<> Stream::end(Round&) { return {}; }

std::uint64_t Stream::bytes() const {
    std::uint64_t in = 0, out = 0;
    for (const Slot& slot : plan_->slots) {
        if (!slot.varies || !slot.preset.empty()) continue;
        if (slot.file) in += slot.array.bytes();
        if (!slot.saves.empty()) out += slot.array.bytes();
    }
    return std::max(in, out);
}

void Stream::show(Progress& progress, std::uint64_t finished) const {
    const std::uint64_t rows = std::min(finished * cut_.chunk_rows, cut_.rows);
    progress.at(rows, [&] {
        return fmt::format("{}, chunk {} of {}", size_text(bytes()), count_text(finished),
                           count_text(count()));
    });
}

} // namespace app
