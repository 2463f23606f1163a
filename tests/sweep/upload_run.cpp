// SPDX-License-Identifier: MIT
#include "upload_run.hpp"

#include <array>

#include "engines/upload_fixture.hpp"

namespace ferry::test {
namespace {

constexpr Usage copied = Usage::copy_src | Usage::copy_dst;
constexpr std::array<std::size_t, 4> sizes{7, 66, 100'001, 192 << 10};

} // namespace

UploadRun::UploadRun(std::uint64_t seed)
    : random_(seed),
      device_(world_.open({.engine = seed % 2 == 0 ? fake_engine() : wgpu_like_engine(),
                           .staging_budget_bytes = seed % 3 == 0 ? 0U : 256U << 10})),
      calm_(seed % 4 == 0) {
    for (std::size_t size : sizes)
        targets_.push_back({make_buffer(device_, size, copied), Bytes(size)});
    make_pool();
    set_weather();
    commands_ = device_.record("first");
}

void UploadRun::make_pool() {
    cap_bytes_ = chance(100) ? 1 : (std::uint64_t{16} << 10) << below(6);
    auto made = UploadPool::create(
        device_, {.cap_bytes = cap_bytes_,
                  .floor_bytes = below(2) * (32 << 10),
                  .when_full = chance(300) ? PoolPolicy::refuse : PoolPolicy::queue_write,
                  .label = "random"});
    if (made) pool_ = *std::move(made);
}

void UploadRun::set_weather() {
    const bool like_wgpu = device_.engine().name() == "wgpu-native";
    world_.set_delivery(like_wgpu ? FERRY_FAKE_DELIVER_ANYWHERE
                                  : static_cast<FerryFakeDelivery>(below(3)));
    world_.set_map_order(static_cast<FerryFakeMapOrder>(below(5)), random_());
    world_.set_submission_time(std::chrono::microseconds(below(20)));
    world_.set_map_latency(std::chrono::microseconds(below(100)));
    world_.set_pump_step(std::chrono::nanoseconds(below(3'000)));
}

void UploadRun::script_fault() {
    struct Choice {
        const char* function;
        FerryFakeAction action;
    };
    static constexpr std::array choices{
        Choice{"wgpuBufferMapAsync", FERRY_FAKE_FAIL},
        Choice{"wgpuBufferMapAsync", FERRY_FAKE_ABORT},
        Choice{"wgpuBufferMapAsync", FERRY_FAKE_TWICE},
        Choice{"wgpuBufferMapAsync", FERRY_FAKE_LATE},
        Choice{"wgpuBufferGetMappedRange", FERRY_FAKE_NULL},
        Choice{"wgpuDeviceCreateBuffer", FERRY_FAKE_OUT_OF_MEMORY},
        Choice{"wgpuDeviceCreateBuffer", FERRY_FAKE_NULL},
        Choice{"wgpuCommandEncoderFinish", FERRY_FAKE_FAIL},
        Choice{"wgpuQueueSubmit", FERRY_FAKE_FAIL},
        Choice{"wgpuQueueWriteBuffer", FERRY_FAKE_FAIL},
    };
    const Choice& choice = choices[below(choices.size())];
    world_.script(choice.function, {.nth = 1 + below(3), .action = choice.action, .delay = 50us});
}

std::uint64_t UploadRun::steps(std::uint64_t most) {
    std::uint64_t done = 0;
    for (; done < most && !device_.lost() && !testing::Test::HasFailure(); ++done) {
        if (chance(5)) set_weather();
        if (!calm_ && chance(20)) script_fault();
        if (!calm_ && below(4'000) == 0) world_.lose_devices();
        step();
        check();
        world_.advance(std::chrono::microseconds(below(15)));
    }
    return done;
}

void UploadRun::step() {
    const std::uint64_t what = below(1000);
    if (what < 350) return acquire();
    if (what < 600) return copy();
    if (what < 660) return write_in_commands();
    if (what < 700) return write_now();
    if (what < 820) return submit();
    if (what < 840) return drop_commands();
    if (what < 880 && !held_.empty()) held_.erase(held_.begin());
    if (what < 920) return device_.poll();
    if (what < 930) return pool_.trim();
    if (what < 932) return pool_.close();
    if (what < 945) {
        add(totals_, sums(pool_));
        return make_pool(); // what is in hand outlives the one before
    }
    compare();
}

/// A legal range of some target, and bytes for it.
UploadRun::Piece UploadRun::some_piece() {
    const std::size_t target = below(targets_.size());
    const std::size_t size = targets_[target].model.size();
    const std::size_t offset = below(size / 4 + 1) * 4;
    const std::size_t whole = size - offset;
    const bool to_the_end = chance(500) || whole < 4;
    return {
        target, offset,
        pattern(to_the_end ? whole : below(whole / 4) * 4, static_cast<unsigned>(below(1 << 16)))};
}

void UploadRun::apply(const Piece& piece) {
    std::ranges::copy(piece.bytes, targets_[piece.target].model.begin() +
                                       static_cast<std::ptrdiff_t>(piece.offset));
}

void UploadRun::acquire() {
    if (held_.size() > 12) held_.clear();
    Piece piece = some_piece();
    auto memory = pool_.acquire<std::byte>(piece.bytes.size());
    if (!memory) return;
    EXPECT_EQ(memory->size(), piece.bytes.size());
    (void)memory->span().copy_from(piece.bytes); // the device may be lost by now
    held_.push_back({*std::move(memory), std::move(piece)});
}

void UploadRun::copy() {
    if (held_.empty()) return;
    Held held = std::move(held_.back());
    held_.pop_back();
    commands_.copy(std::move(held.memory),
                   {targets_[held.piece.target].buffer, {.offset_bytes = held.piece.offset}});
    recorded_.push_back(std::move(held.piece));
}

void UploadRun::write_in_commands() {
    Piece piece = some_piece();
    commands_.write(targets_[piece.target].buffer, piece.bytes, {.offset_bytes = piece.offset});
    recorded_.push_back(std::move(piece));
}

void UploadRun::write_now() {
    static constexpr std::array paths{UploadPath::pool, UploadPath::queue_whole};
    const Piece piece = some_piece();
    Target& target = targets_[piece.target];
    const auto written = device_.write(target.buffer, piece.bytes,
                                       {.offset_bytes = piece.offset, .path = paths[below(2)]});
    if (!written) target.known = false;
    apply(piece);
}

/// Errors mean that nothing of the commands ran, except for what the queue itself says.
void UploadRun::submit() {
    const auto sent = device_.submit(std::move(commands_));
    for (const Piece& piece : recorded_) {
        if (sent) apply(piece);
    }
    recorded_.clear();
    commands_ = device_.record("next");
}

void UploadRun::drop_commands() {
    commands_ = device_.record("other");
    recorded_.clear();
}

void UploadRun::compare() {
    Target& target = targets_[below(targets_.size())];
    auto read = device_.read<std::byte>(target.buffer);
    const VirtualTime time([&](auto slept) { world_.advance(slept); }, 100);
    const auto bytes = read.wait(patience);
    if (!bytes) return;
    if (target.known) {
        EXPECT_TRUE(*bytes == target.model) << "other bytes in a buffer of " << bytes->size();
    }
    target.model = *bytes;
    target.known = true;
}

void UploadRun::check() {
    const UploadStats now = sums(pool_);
    if (!pool_.is_open()) return;
    EXPECT_LE(now.bytes, cap_bytes_);
    EXPECT_LE(now.peak_bytes, cap_bytes_);
    EXPECT_LE(now.host_bytes, std::max<std::uint64_t>(cap_bytes_, sizes.back()));
}

void UploadRun::end() {
    if (chance(300)) world_.lose_devices();
    if (chance(300)) device_.poll();
    if (chance(300)) device_.close();
    if (chance(500)) held_.clear();
    pool_.close();
    if (chance(500)) commands_ = {};
    held_.clear();
    commands_ = {};
    const UploadStats last = sums(pool_);
    EXPECT_EQ(last.in_hand + last.recorded + last.buffers + last.host_bytes, 0U);
    add(totals_, sums(pool_));
    pool_ = {};
    targets_.clear();
    device_ = {};
    EXPECT_EQ(world_.complaints(), "");
}

} // namespace ferry::test
