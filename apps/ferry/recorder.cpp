// SPDX-License-Identifier: MIT
#include "recorder.hpp"

#include <algorithm>
#include <cstring>
#include <thread>

#include <fmt/format.h>

#include "interrupt.hpp"
#include "text.hpp"

namespace app {

using namespace std::chrono_literals;

namespace {
Result<> copy_rows(const ferry::MappedReadback& from, std::span<std::byte> to) {
    auto bytes = from.bytes();
    if (!bytes) return std::unexpected(std::move(bytes).error());
    const ferry::CopyPlan plan = from.plan();
    for (std::uint64_t y = 0; y < plan.block_rows; ++y) {
        std::memcpy(to.data() + y * plan.row_bytes, bytes->data() + y * plan.bytes_per_row,
                    plan.row_bytes);
    }
    return {};
}
} // namespace

Result<Recorder> Recorder::create(ferry::Device& device, const RecordPlan& plan) {
    auto painter = Painter::create(device, plan);
    if (!painter) return std::unexpected(std::move(painter).error());
    auto ring = ferry::ReadbackRing::create(
        device, {.size_bytes = ferry::plan_read(painter->picture().options()).staging_bytes,
                 .slots = plan.slots,
                 .when_full = ferry::RingPolicy::refuse,
                 .order = ferry::RingOrder::all,
                 .label = "record"});
    if (!ring) return std::unexpected(std::move(ring).error());
    return Recorder(device, plan, *std::move(painter), *std::move(ring));
}

Result<> Recorder::run(FilmWriter& film, Progress& progress) {
    while (taken_ < plan_->frames && interrupting_signal() == 0) {
        const bool full = sent_ - taken_ == plan_->slots;
        if (full || sent_ == plan_->frames) {
            if (auto ok = wait_for_frame(film, progress); !ok) return ok;
        } else if (auto ok = send_frame(); !ok) {
            return ok;
        }
        while (sent_ > taken_ && film.has_room()) {
            auto more = take_frame(film, 0ms);
            if (!more) return std::unexpected(std::move(more).error());
            if (!*more) break;
        }
        show(progress);
    }
    return {};
}

Result<> Recorder::send_frame() {
    auto commands = device_->record("frame");
    if (auto ok = painter_.paint(*device_, commands, sent_); !ok) return ok;
    ring_.record(commands, painter_.picture(), sent_);
    auto sent = device_->submit(std::move(commands));
    if (!sent) return std::unexpected(std::move(sent).error());
    ++sent_;
    return {};
}

Result<bool> Recorder::take_frame(FilmWriter& film, std::chrono::milliseconds patience) {
    auto room = film.frame(patience);
    if (!room) return std::unexpected(std::move(room).error());
    if (room->empty()) return false;
    auto frame = ring_.next_mapped();
    if (auto failed = ring_.last_error()) return std::unexpected(*std::move(failed));
    if (auto lost = device_->lost()) return std::unexpected(*std::move(lost));
    if (!frame) return false;
    if (auto ok = copy_rows(*frame, *room); !ok) return std::unexpected(std::move(ok).error());
    film.push();
    ++taken_;
    return true;
}

Result<> Recorder::wait_for_frame(FilmWriter& film, Progress& progress) {
    for (auto nap = 50us; interrupting_signal() == 0;
         nap = std::min<std::chrono::microseconds>(2 * nap, 1ms)) {
        auto taken = take_frame(film, 50ms);
        if (!taken) return std::unexpected(std::move(taken).error());
        if (*taken) return {};
        show(progress);
        std::this_thread::sleep_for(nap);
    }
    return {};
}

void Recorder::show(Progress& progress) const {
    progress.at(taken_, [&] {
        const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start_;
        const ferry::RingStats now = ring_.stats();
        return fmt::format("{} frames, {:.1f} frames/s, latency {} frames {:.1f} ms, {} skipped",
                           count_text(plan_->frames), static_cast<double>(taken_) / passed.count(),
                           now.latency.last_frames,
                           std::chrono::duration<double, std::milli>(now.latency.last).count(),
                           now.skipped);
    });
}

} // namespace app
