// SPDX-License-Identifier: MIT
#include "ring_run.hpp"

#include <array>

#include "ring_scene.hpp"

namespace ferry::test {
namespace {

/// What a source holds when the read with that tag is recorded.
std::uint64_t value_of(std::uint64_t tag) { return (tag + 1) * 0xD1B54A32D192ED03ULL; }

constexpr std::size_t value_bytes = sizeof(std::uint64_t);

std::uint64_t value_in(std::span<const std::byte> bytes) {
    std::uint64_t value = 0;
    if (bytes.size() == value_bytes) std::memcpy(&value, bytes.data(), value_bytes);
    return value;
}

} // namespace

RingRun::RingRun(std::uint64_t seed, RingPolicy policy)
    : random_(seed),
      device_(world_.open({.engine = seed % 2 == 0 ? fake_engine() : wgpu_like_engine()})),
      calm_(seed % 4 == 0) {
    for (int i = 0; i < 2; ++i)
        sources_.push_back(make_buffer(device_, 8, Usage::copy_src | Usage::copy_dst));
    ring_ = must(
        ReadbackRing::create(device_, {.size_bytes = value_bytes,
                                       .slots = static_cast<std::uint32_t>(1 + below(6)),
                                       .max_slots = static_cast<std::uint32_t>(1 + below(12)),
                                       .when_full = policy,
                                       .order = chance(500) ? RingOrder::newest : RingOrder::all,
                                       .label = "random"}));
    consumer_ = static_cast<Consumer>(below(5));
    tag_of_.push_back(0); // sequences begin at 1
    delivered_.push_back(false);
    set_weather();
}

void RingRun::set_weather() {
    world_.set_map_order(static_cast<FerryFakeMapOrder>(below(5)), random_());
    const bool like_wgpu = device_.engine().name() == "wgpu-native";
    world_.set_delivery(like_wgpu ? FERRY_FAKE_DELIVER_ANYWHERE
                                  : static_cast<FerryFakeDelivery>(below(3)));
    world_.set_submission_time(std::chrono::microseconds(below(20)));
    world_.set_map_latency(std::chrono::microseconds(below(60)));
    world_.set_pump_step(std::chrono::nanoseconds(below(3'000)));
}

void RingRun::script_fault() {
    static constexpr std::array actions{FERRY_FAKE_FAIL, FERRY_FAKE_ABORT, FERRY_FAKE_TWICE,
                                        FERRY_FAKE_LATE};
    if (chance(600)) {
        world_.script("wgpuBufferMapAsync",
                      {.nth = 1 + below(3), .action = actions[below(4)], .delay = 50us});
    } else if (chance(500)) {
        world_.script("wgpuQueueSubmit", {});
    } else if (chance(500)) {
        world_.script("wgpuCommandEncoderFinish", {});
    } else if (chance(900)) {
        world_.script("wgpuBufferGetConstMappedRange", {});
    } else {
        world_.script("wgpuBufferMapAsync", {.action = FERRY_FAKE_NEVER_CALLS_BACK});
    }
}

std::uint64_t RingRun::frames(std::uint64_t most) {
    std::uint64_t done = 0;
    for (; done < most && ring_.is_open() && !testing::Test::HasFailure(); ++done) {
        if (chance(5)) set_weather();
        if (!calm_ && chance(15)) script_fault();
        if (!calm_ && below(20'000) == 0) world_.lose_devices();
        frame();
        world_.advance(std::chrono::microseconds(5 + below(15)));
    }
    return done;
}

void RingRun::frame() {
    send_late_ones();
    if (!calm_ && chance(30)) return frame_of_the_user();
    Commands commands = device_.record("frame");
    if (!calm_ && chance(5)) commands.clear({sources_[0], {2, 4}}); // faulty from here on
    record_reads(commands);
    check();
    if (calm_ || !chance(20)) (void)device_.submit(std::move(commands));
    commands = {};
    check();
    consume(consumer_);
}

void RingRun::record_reads(Commands& commands) {
    if (chance(900)) record_one(commands, sources_[0]);
    if (chance(100)) record_one(commands, sources_[1]);
}

void RingRun::record_one(Commands& commands, const Buffer& source) {
    const std::uint64_t tag = tags_++;
    (void)device_.write(source, std::array{value_of(tag)});
    switch (ring_.record(commands, source, tag)) {
    case RingRecord::recorded:
        tag_of_.push_back(tag);
        delivered_.push_back(false);
        break;
    case RingRecord::skipped: ++skipped_; break;
    case RingRecord::refused: ++refused_; break;
    case RingRecord::closed: return;
    }
    ++requested_;
}

/// Recorded into an encoder of the user's: he sends it through ferry, or himself, or says so and
/// does not, or drops what was recorded and sends it some day.
void RingRun::frame_of_the_user() {
    const interop::RawDevice own = interop::raw(device_);
    WGPUCommandEncoder encoder = FERRY_RAW(DeviceCreateCommandEncoder)(own.device, nullptr);
    auto commands = interop::record_into(device_, encoder);
    if (commands) record_reads(*commands);
    const std::uint64_t faults = world_.faults_applied();
    WGPUCommandBuffer finished = FERRY_RAW(CommandEncoderFinish)(encoder, nullptr);
    FERRY_RAW(CommandEncoderRelease)(encoder);
    const bool good = commands && commands->error() == nullptr && faults == world_.faults_applied();
    const std::uint64_t how = good && !device_.lost() ? below(4) : 3;
    if (how == 0) (void)interop::submit(device_, std::array{finished}, *std::move(commands));
    if (how == 1) FERRY_RAW(QueueSubmit)(own.queue, 1, &finished);
    if (how == 1 || how == 2) (void)interop::submitted(device_, *std::move(commands));
    commands = std::unexpected(Error{});
    check();
    if (good && how == 3) {
        late_.push_back(finished);
    } else {
        FERRY_RAW(CommandBufferRelease)(finished);
    }
    consume(consumer_);
}

/// Commands whose reads ferry has given up are sent all the same.
void RingRun::send_late_ones() {
    if (late_.empty() || !chance(300)) return;
    WGPUCommandBuffer commands = late_.back();
    late_.pop_back();
    if (!device_.lost()) FERRY_RAW(QueueSubmit)(interop::raw(device_).queue, 1, &commands);
    FERRY_RAW(CommandBufferRelease)(commands);
}

void RingRun::consume(Consumer how) {
    if (how == Consumer::any) how = static_cast<Consumer>(below(4));
    if (how == Consumer::latest) take_latest();
    if (how == Consumer::next) take_next();
    if (how == Consumer::leases) take_lease();
    if (how != Consumer::leases || chance(300)) drop_leases(below(3));
    if (how == Consumer::none && chance(2)) take_latest();
    check();
}

void RingRun::take_latest() {
    const auto result = ring_.latest<std::uint64_t>();
    if (!result) {
        EXPECT_EQ(newest_, 0U) << "latest has forgotten its result";
        return;
    }
    EXPECT_GE(result->sequence(), newest_) << "latest goes backwards";
    newest_ = std::max(newest_, result->sequence());
    if (delivered_.at(result->sequence())) {
        EXPECT_EQ(result->front(), value_of(result->tag()));
    } else {
        note(result->sequence(), result->tag(), result->front());
    }
}

void RingRun::take_next() {
    const auto result = ring_.next<std::uint64_t>();
    if (!result) return;
    note(result->sequence(), result->tag(), result->front());
    newest_ = std::max(newest_, result->sequence()); // and latest gives it, too
}

void RingRun::take_lease() {
    auto lease = ring_.next_mapped();
    if (!lease) return;
    auto bytes = lease->bytes();
    note(lease->sequence(), lease->tag(),
         bytes ? value_in(*bytes) : value_of(lease->tag())); // the device may be lost by now
    EXPECT_TRUE(bytes || device_.lost()) << to_string(bytes.error());
    leases_.push_back(*std::move(lease));
}

void RingRun::drop_leases(std::size_t keep) {
    while (leases_.size() > keep) {
        const auto bytes = leases_.front().bytes();
        if (bytes) {
            EXPECT_EQ(value_in(*bytes), value_of(leases_.front().tag()));
        }
        leases_.erase(leases_.begin());
    }
}

void RingRun::note(std::uint64_t sequence, std::uint64_t tag, std::uint64_t value) {
    EXPECT_FALSE(delivered_.at(sequence)) << "result " << sequence << " came twice";
    EXPECT_EQ(tag, tag_of_.at(sequence));
    EXPECT_EQ(value, value_of(tag)) << "the bytes of another read";
    delivered_.at(sequence) = true;
    ++deliveries_;
}

void RingRun::check() {
    const RingStats now = ring_.stats();
    EXPECT_TRUE(adds_up(now));
    EXPECT_EQ(now.requested, requested_);
    EXPECT_EQ(now.skipped, skipped_);
    EXPECT_EQ(now.refused, refused_);
    EXPECT_EQ(now.delivered, deliveries_);
    EXPECT_EQ(now.bytes_delivered, deliveries_ * value_bytes);
    EXPECT_EQ(now.leases, leases_.size());
    EXPECT_GE(now.dropped, last_.dropped);
    EXPECT_GE(now.cancelled, last_.cancelled);
    EXPECT_GE(now.failed, last_.failed);
    const std::uint64_t version = ring_.version();
    EXPECT_GE(version, version_);
    version_ = version;
    last_ = now;
}

void RingRun::end() {
    if (chance(500)) world_.lose_devices();
    if (chance(300)) take_lease();
    if (chance(500)) drop_leases(0);
    ring_.close();
    check();
    EXPECT_EQ(last_.in_flight, 0U) << "a read has no end";
    take_latest();
    for (WGPUCommandBuffer commands : late_) FERRY_RAW(CommandBufferRelease)(commands);
    late_.clear();
    drop_leases(0);
    check();
    EXPECT_EQ(last_.slots, 0U);
    ring_ = {};
    sources_.clear();
    device_ = {};
    EXPECT_EQ(world_.complaints(), "");
}

} // namespace ferry::test
