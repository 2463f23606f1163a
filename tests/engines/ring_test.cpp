// SPDX-License-Identifier: MIT
// ReadbackRing on every engine: what is read, in which order it comes, and what is refused.
#include "ring_fixture.hpp"

namespace ferry::test {
namespace {

class Ring : public SharedDevice {
protected:
    static ReadbackRing make(const RingOptions& options) {
        return must(ReadbackRing::create(device(), options));
    }
};

TEST_F(Ring, GivesNothingBeforeTheFirstResultAndThenTheBytesOfTheRecord) {
    const Buffer source = make_filled(device(), pattern(64));
    auto ring = make({.size_bytes = 64, .label = "bytes"});
    EXPECT_FALSE(ring.latest<std::byte>());
    EXPECT_EQ(ring.version(), 0U);
    read_once(device(), ring, source, 77);
    const auto latest = ring.latest<std::byte>();
    ASSERT_TRUE(latest);
    EXPECT_EQ(to_vector(latest->span()), pattern(64));
    EXPECT_EQ(latest->tag(), 77U);
    EXPECT_EQ(latest->frame(), 0U);
    EXPECT_EQ(latest->sequence(), 1U);
    EXPECT_EQ(ring.version(), 1U);
}

TEST_F(Ring, AnyRangeOfABufferComesExactly) {
    const auto all = pattern(70);
    const Buffer source = make_filled(device(), all);
    for (std::uint64_t offset : {0U, 1U, 2U, 3U, 4U, 7U, 10U, 65U}) {
        for (std::uint64_t size : {0U, 1U, 2U, 3U, 4U, 5U}) {
            SCOPED_TRACE(testing::Message() << size << " bytes at " << offset);
            auto ring = make({.size_bytes = 5, .slots = 1});
            read_once(device(), ring, BufferView{source, {offset, size}});
            const auto latest = ring.latest<std::byte>();
            ASSERT_TRUE(latest);
            EXPECT_EQ(to_vector(latest->span()), part(all, offset, size));
        }
    }
}

TEST_F(Ring, SizesOneAndThreeWork) {
    const Buffer source = make_filled(device(), pattern(16));
    for (std::uint64_t size : {1U, 3U}) {
        auto ring = make({.size_bytes = size, .slots = 2});
        read_once(device(), ring, source); // as many bytes as the ring has
        EXPECT_EQ(to_vector(ring.latest<std::byte>()->span()), part(pattern(16), 0, size));
        EXPECT_TRUE(ring.latest<std::uint32_t>()->span().empty()) << "no whole number of words";
        EXPECT_EQ(ring.latest<std::uint32_t>()->front(), 0U);
    }
}

TEST_F(Ring, ReadsTheBytesOfThatPointOfTheRecording) {
    const Buffer source = make_filled(device(), pattern(8));
    auto ring = make({.size_bytes = 8, .slots = 3, .order = RingOrder::all});
    auto commands = device().record();
    EXPECT_EQ(ring.record(commands, source, 1), RingRecord::recorded);
    commands.clear({source, {0, 4}});
    EXPECT_EQ(ring.record(commands, source, 2), RingRecord::recorded);
    must(device().submit(std::move(commands)));
    auto cleared = pattern(8);
    std::fill_n(cleared.begin(), 4, std::byte(0));
    const auto first = next(device(), ring), second = next(device(), ring);
    EXPECT_EQ(to_vector(first.span()), pattern(8));
    EXPECT_EQ(first.tag(), 1U);
    EXPECT_EQ(to_vector(second.span()), cleared);
    EXPECT_EQ(second.tag(), 2U);
    EXPECT_EQ(first.frame(), second.frame());
    EXPECT_EQ(second.sequence(), first.sequence() + 1);
}

TEST_F(Ring, TextureRegionsComeTightAndSeveralReadsKeepTheirParts) {
    constexpr std::uint32_t width = 30, height = 9; // rows of 120 bytes, padded to 256
    const auto texels = pattern(std::size_t{4} * width * height);
    const Texture picture =
        must(device().create_texture({.format = Format::rgba8_unorm,
                                      .size = {width, height},
                                      .usage = TextureUsage::copy_src | TextureUsage::copy_dst}));
    must(device().write(picture, texels, {.tight = true}));
    const Buffer words = make_filled(device(), pattern(40, 3));
    auto ring = make({.size_bytes = 256 * (height + 3) + 64, .slots = 2});
    read_once(device(), ring,
              {BufferView{words, {5, 7}},
               TextureAt(picture),
               {TextureAt(picture, {.origin = {3, 2, 0}}), {4, 3, 1}},
               words});
    const auto latest = ring.latest<std::byte>();
    ASSERT_TRUE(latest);
    EXPECT_EQ(to_vector(latest->part(0)), part(pattern(40, 3), 5, 7));
    EXPECT_EQ(to_vector(latest->part(1)), texels);
    std::vector<std::byte> region;
    for (std::size_t y = 2; y < 5; ++y) {
        const auto row = part(texels, 4 * (y * width + 3), 16);
        region.insert(region.end(), row.begin(), row.end());
    }
    EXPECT_EQ(to_vector(latest->part(2)), region);
    EXPECT_EQ(to_vector(latest->part(3)), pattern(40, 3));
    EXPECT_TRUE(latest->part(4).empty());
}

TEST_F(Ring, ALeaseShowsTheMemoryWithoutACopyAndPaddedRows) {
    const auto texels = pattern(4 * 5 * 3);
    const Texture picture =
        must(device().create_texture({.format = Format::rgba8_unorm,
                                      .size = {5, 3},
                                      .usage = TextureUsage::copy_src | TextureUsage::copy_dst}));
    must(device().write(picture, texels, {.tight = true}));
    const Buffer words = make_filled(device(), pattern(16));
    auto ring = make({.size_bytes = 1024, .slots = 1});
    read_once(device(), ring, {BufferView{words, {1, 6}}, picture}, 5);
    const BufferView all(words, {0, 16});
    auto lease = next_mapped(device(), ring);
    EXPECT_EQ(to_vector(must(lease.bytes())), part(pattern(16), 1, 6));
    const CopyPlan plan = lease.plan(1);
    EXPECT_EQ(plan.bytes_per_row, 256U);
    const auto padded = must(lease.bytes(1));
    ASSERT_EQ(padded.size(), 256U * 2 + 20);
    for (std::size_t y = 0; y < 3; ++y)
        EXPECT_EQ(to_vector(padded.subspan(256 * y, 20)), part(texels, 20 * y, 20));
    EXPECT_TRUE(refused(lease.bytes(2), invalid({}, {}, {2})));
    EXPECT_EQ(lease.tag(), 5U);
    EXPECT_EQ(lease.sequence(), 1U);
    EXPECT_EQ(ring.stats().leases, 1U);
    EXPECT_EQ(ring.stats().delivered, 1U);

    auto commands = device().record();
    EXPECT_EQ(ring.record(commands, all), RingRecord::skipped) << "its only slot is lent";
    MappedReadback other(std::move(lease));
    EXPECT_FALSE(lease); // NOLINT: moved from
    EXPECT_TRUE(refused(lease.bytes(), invalid()));
    EXPECT_EQ(lease.tag() + lease.frame() + lease.sequence(), 0U);
    EXPECT_EQ(ring.record(commands, all), RingRecord::skipped);
    other = MappedReadback();
    EXPECT_EQ(ring.record(commands, all), RingRecord::recorded);
    EXPECT_EQ(ring.stats().leases, 0U);
}

TEST_F(Ring, LatestStaysAndAKeptResultKeepsItsBytes) {
    const Buffer source = make_buffer(device(), 4, Usage::copy_src | Usage::copy_dst);
    auto ring = make({.size_bytes = 4, .slots = 2});
    std::vector<Readback<std::uint32_t>> kept;
    for (std::uint32_t value = 1; value <= 20; ++value) {
        must(device().write(source, std::vector{value}));
        read_once(device(), ring, source, value);
        kept.push_back(*ring.latest<std::uint32_t>());
        EXPECT_EQ(ring.latest<std::uint32_t>()->front(), value) << "the same one again";
        EXPECT_EQ(ring.version(), value);
    }
    EXPECT_EQ(ring.stats().delivered, 20U) << "asking again delivers nothing more";
    ring.close();
    EXPECT_FALSE(ring.is_open());
    EXPECT_EQ(ring.latest<std::uint32_t>()->front(), 20U);
    EXPECT_EQ(ring.version(), 20U);
    ring = {};
    for (std::uint32_t value = 1; value <= 20; ++value) {
        EXPECT_EQ(kept[value - 1].front(), value);
        EXPECT_EQ(kept[value - 1].tag(), value);
        EXPECT_EQ(kept[value - 1].frame(), value - 1);
    }
}

TEST_F(Ring, AllGivesEveryResultInOrderAndNewestOnlyTheNewest) {
    const Buffer source = make_buffer(device(), 4, Usage::copy_src | Usage::copy_dst);
    for (RingOrder order : {RingOrder::all, RingOrder::newest}) {
        auto ring = make({.size_bytes = 4, .slots = 5, .order = order});
        for (std::uint32_t value = 1; value <= 5; ++value) {
            must(device().write(source, std::vector{value}));
            read_once(device(), ring, source, value);
        }
        std::vector<std::uint32_t> seen;
        while (auto result = ring.next<std::uint32_t>()) seen.push_back(result->front());
        EXPECT_EQ(seen, order == RingOrder::all ? counting<std::uint32_t>(5, 1)
                                                : std::vector<std::uint32_t>{5});
        EXPECT_EQ(ring.stats().dropped, order == RingOrder::all ? 0U : 4U);
        EXPECT_EQ(ring.version(), 5U);
    }
}

TEST_F(Ring, LatestPassesOverOlderResultsOfAll) {
    const Buffer source = make_filled(device(), pattern(4));
    auto ring = make({.size_bytes = 4, .slots = 3, .order = RingOrder::all});
    for (std::uint64_t tag = 1; tag <= 3; ++tag) read_once(device(), ring, source, tag);
    EXPECT_EQ(ring.next<std::byte>()->tag(), 1U);
    EXPECT_EQ(ring.latest<std::byte>()->tag(), 3U);
    EXPECT_FALSE(ring.next<std::byte>()) << "an older one does not come after a newer one";
    EXPECT_EQ(ring.stats().dropped, 1U);
}

TEST_F(Ring, AFullRingDoesWhatItsPolicySays) {
    const Buffer source = make_filled(device(), pattern(4), Usage::copy_src, "counted");
    auto fill = [&](RingPolicy policy) {
        auto ring = make({.size_bytes = 4,
                          .slots = 2,
                          .max_slots = 3,
                          .when_full = policy,
                          .order = RingOrder::all,
                          .label = "full"});
        for (std::uint64_t tag = 1; tag <= 2; ++tag) read_once(device(), ring, source, tag);
        return ring;
    };
    auto commands = device().record();
    auto skipping = fill(RingPolicy::skip);
    EXPECT_EQ(skipping.record(commands, source), RingRecord::skipped);
    EXPECT_EQ(skipping.stats().skipped, 1U);

    auto dropping = fill(RingPolicy::drop_oldest);
    EXPECT_EQ(dropping.record(commands, source, 3), RingRecord::recorded);
    EXPECT_EQ(dropping.record(commands, source, 4), RingRecord::recorded);
    EXPECT_EQ(dropping.record(commands, source), RingRecord::skipped) << "nothing to drop is left";
    EXPECT_EQ(dropping.stats().dropped, 2U);

    auto growing = fill(RingPolicy::grow);
    EXPECT_EQ(growing.record(commands, source, 3), RingRecord::recorded);
    EXPECT_EQ(growing.stats().slots, 3U);
    EXPECT_EQ(growing.record(commands, source), RingRecord::skipped) << "at its cap";

    EXPECT_TRUE(ok(device().submit(std::move(commands)))) << "the frame goes on";
    EXPECT_EQ(next(device(), dropping).tag(), 3U);
    for (std::uint64_t tag = 1; tag <= 3; ++tag) EXPECT_EQ(next(device(), growing).tag(), tag);

    auto refusing = fill(RingPolicy::refuse);
    auto other = device().record("frame");
    EXPECT_EQ(refusing.record(other, source), RingRecord::refused);
    EXPECT_TRUE(refused(device().submit(std::move(other)),
                        {{Errc::busy}, {}, {"full", "not taken", "ring record"}, {2}}));
    EXPECT_EQ(refusing.last_error()->code, Errc::busy);
    EXPECT_EQ(refusing.stats().refused, 1U);
}

TEST_F(Ring, SlotsAreMadeOnceAndLabelled) {
    const Buffer source = make_filled(device(), pattern(4));
    for (std::uint32_t slots : {1U, 2U, 64U}) {
        auto ring = make({.size_bytes = 4, .slots = slots});
        EXPECT_EQ(ring.stats().slots, slots);
        for (int i = 0; i < 70; ++i) {
            read_once(device(), ring, source);
            EXPECT_TRUE(ring.latest<std::byte>());
        }
        EXPECT_EQ(ring.stats().delivered, 70U);
    }
}

TEST_F(Ring, TwoRingsAndAReadShareOneRecording) {
    const Buffer source = make_filled(device(), counting<std::uint32_t>(8));
    auto one = make({.size_bytes = 4}), two = make({.size_bytes = 8});
    auto commands = device().record();
    EXPECT_EQ(one.record(commands, BufferView{source, {4, 4}}), RingRecord::recorded);
    auto ticket = commands.read<std::uint32_t>({source, {8, 4}});
    EXPECT_EQ(two.record(commands, BufferView{source, {12, 8}}), RingRecord::recorded);
    must(device().submit(std::move(commands)));
    EXPECT_EQ(next(device(), two).span().size(), 8U);
    EXPECT_EQ(next<std::uint32_t>(device(), one).front(), 1U);
    EXPECT_EQ(must(ticket.wait(patience)), std::vector<std::uint32_t>{2});
}

TEST_F(Ring, TheSourceMayBeDroppedOnceItIsSubmitted) {
    auto ring = make({.size_bytes = 16});
    {
        const Buffer source = make_filled(device(), pattern(16));
        auto commands = device().record();
        EXPECT_EQ(ring.record(commands, source), RingRecord::recorded);
        must(device().submit(std::move(commands)));
    }
    EXPECT_EQ(to_vector(next(device(), ring).span()), pattern(16));
}

TEST_F(Ring, AnEmptyRingAnswersAndDoesNothing) {
    ReadbackRing ring;
    auto commands = device().record();
    const Buffer source = make_filled(device(), pattern(4));
    EXPECT_EQ(ring.record(commands, source), RingRecord::closed);
    EXPECT_EQ(ring.record(commands, {source, source}), RingRecord::closed);
    EXPECT_FALSE(ring.latest<std::byte>());
    EXPECT_FALSE(ring.next<std::byte>());
    EXPECT_FALSE(ring.next_mapped());
    EXPECT_FALSE(ring.last_error());
    EXPECT_FALSE(ring.is_open());
    EXPECT_EQ(ring.version() + ring.stats().requested, 0U);
    ring.close();
    EXPECT_TRUE(ok(device().submit(std::move(commands))));
    auto made = make({.size_bytes = 4});
    ring = std::move(made);
    EXPECT_TRUE(ring.is_open());
    read_once(device(), ring, source);
    EXPECT_TRUE(ring.latest<std::byte>());
}

} // namespace
} // namespace ferry::test
