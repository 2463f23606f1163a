// SPDX-License-Identifier: MIT
// Batches of reads: every way gives the bytes of a model on the host.
#include "batch_fixture.hpp"

namespace ferry::test::batches {
namespace {

using BatchReads = BatchTest;

TEST_F(BatchReads, RandomReadsOfSeveralBuffersAreByteExactInEveryWay) {
    Random random{std::mt19937(11)};
    const auto sources = three();
    for (int turn = 0; turn < 30; ++turn) {
        Wanted wanted;
        for (std::size_t i = random.up_to(60); i > 0; --i) {
            const Modelled& from = sources[random.up_to(2)];
            const std::size_t offset = random.up_to(from.bytes.size());
            const std::size_t most =
                std::min<std::size_t>(from.bytes.size() - offset, random.up_to(9) == 0 ? 9000 : 40);
            wanted.add(from, offset, random.up_to(most));
        }
        for (BatchWay way : ways) {
            const auto batch =
                must(device().read_each<std::byte>(wanted.views, {.way = way}).wait(patience));
            ASSERT_EQ(results(batch), wanted.bytes) << turn << ' ' << name(way);
            ASSERT_EQ(batch.report().ranges, wanted.views.size());
        }
    }
}

TEST_F(BatchReads, TenThousandReadsComeBackInTheOrderOfTheCallThroughOneMap) {
    const Modelled source = modelled(4 << 20);
    Wanted wanted;
    Random random{std::mt19937(5)};
    for (int i = 0; i < 10'000; ++i) wanted.add(source, random.up_to((4 << 20) - 16), 16);
    for (BatchWay way : ways) {
        const auto batch =
            must(device().read_each<std::byte>(wanted.views, {.way = way}).wait(patience));
        EXPECT_EQ(results(batch), wanted.bytes) << name(way);
        EXPECT_EQ(batch.all().size(), 160'000U);
    }
}

TEST_F(BatchReads, ReadsThatTouchOrOverlapAreOneRun) {
    const Modelled source = modelled(65'536);
    Wanted wanted;
    for (std::size_t i = 0; i < 100; ++i) wanted.add(source, (99 - i) * 16, 16); // touch, backwards
    wanted.add(source, 8, 100);                                                  // inside of them
    wanted.add(source, 60'000, 16);
    wanted.add(source, 60'000, 16);
    for (BatchWay way : {BatchWay::copies, BatchWay::compute}) {
        const auto batch =
            must(device().read_each<std::byte>(wanted.views, {.way = way}).wait(patience));
        EXPECT_EQ(results(batch), wanted.bytes);
        const BatchReport report = batch.report();
        EXPECT_EQ(report.ranges, 103U);
        EXPECT_EQ(report.runs, 2U);
        EXPECT_EQ(report.staged_bytes, 1616U);
        EXPECT_EQ(report.way, way);
        EXPECT_EQ(report.dispatches, way == BatchWay::compute ? 1U : 0U);
        EXPECT_EQ(report.copies, 2U);
        EXPECT_FALSE(report.reason.empty());
    }
}

TEST_F(BatchReads, NothingIsABatchToo) {
    const Modelled source = modelled(16);
    for (BatchWay way : ways) {
        const auto none =
            must(device().read_each<float>(std::vector<BufferView>{}, {.way = way}).wait(patience));
        EXPECT_EQ(none.size(), 0U);
        EXPECT_TRUE(none.all().empty());
        Wanted wanted;
        wanted.add(source, 16, 0);
        wanted.add(source, 3, 0);
        const auto empty =
            must(device().read_each<float>(wanted.views, {.way = way}).wait(patience));
        EXPECT_EQ(empty.size(), 2U);
        EXPECT_TRUE(empty[0].empty());
        EXPECT_TRUE(empty[1].empty());
        const auto nothing = must(device().write_each(std::vector<BatchWrite>{}, {.way = way}));
        EXPECT_EQ(nothing.runs, 0U);
    }
}

TEST_F(BatchReads, TypesAreReadAtAnyOffsetAndASpanOfThemIsAligned) {
    const Modelled source = modelled(64);
    Wanted wanted;
    for (std::size_t offset : {0U, 3U, 9U, 22U}) wanted.add(source, offset, 8);
    for (BatchWay way : ways) {
        const auto batch =
            must(device().read_each<std::uint64_t>(wanted.views, {.way = way}).wait(patience));
        EXPECT_EQ(results(batch), wanted.bytes);
        ASSERT_EQ(batch[3].size(), 1U);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(batch[3].data()) % alignof(std::uint64_t), 0U);
    }
}

TEST_F(BatchReads, ResultsCanBeTakenIntoMemoryOfTheCaller) {
    const Modelled source = modelled(64);
    Wanted wanted;
    wanted.add(source, 40, 8);
    wanted.add(source, 1, 4);
    auto ticket = device().read_each<std::byte>(wanted.views);
    std::array<std::byte, 11> small{};
    EXPECT_TRUE(refused(ticket.wait_into(small, patience), invalid("", {}, {11, 12})));
    std::array<std::byte, 13> large{};
    EXPECT_EQ(must(ticket.wait_into(large, patience)), 12U);
    EXPECT_EQ(part(Bytes(large.begin(), large.end()), 0, 8), wanted.bytes[0]);
    EXPECT_EQ(part(Bytes(large.begin(), large.end()), 8, 4), wanted.bytes[1]);
}

TEST_F(BatchReads, AResultOutlivesItsTicketAndItsDevice) {
    std::optional<Device> own = open_device();
    const Bytes bytes = pattern(64);
    std::optional<Buffer> buffer = make_filled(*own, bytes);
    const std::vector<BufferView> views{{*buffer, {5, 7}}};
    const auto batch = must(own->read_each<std::byte>(views).wait(patience));
    buffer.reset();
    own.reset();
    const auto copy = batch;
    EXPECT_EQ(results(copy), std::vector<Bytes>{part(bytes, 5, 7)});
}

TEST_F(BatchReads, ReadsSeeTheBytesOfTheirPlaceBetweenTheCommands) {
    const auto kernel = must(device().create_kernel(wgsl::twice));
    const std::vector<float> before(1024, 1.5F);
    const Buffer buffer = make_filled(device(), before, stored);
    std::vector<BufferView> views;
    for (std::size_t i = 0; i < 100; ++i) views.emplace_back(buffer, ByteRange{i * 40, 8});
    for (BatchWay way : {BatchWay::copies, BatchWay::compute}) {
        must(device().write(buffer, before));
        auto commands = device().record();
        auto first = commands.read_each<float>(views, {.way = way});
        commands.dispatch(kernel, {{"data", buffer}}, {.threads = 1024});
        auto second = commands.read_each<float>(views, {.way = way});
        commands.dispatch(kernel, {{"data", buffer}}, {.threads = 1024});
        must(device().submit(std::move(commands)));
        for (auto [ticket, value] : {std::pair{&first, 1.5F}, std::pair{&second, 3.0F}}) {
            const auto batch = must(ticket->wait(patience));
            EXPECT_EQ(std::vector<float>(batch.all().begin(), batch.all().end()),
                      std::vector<float>(200, value))
                << name(way);
        }
    }
}

TEST_F(BatchReads, BatchesRecordedBeforeOneSubmitDoNotDisturbEachOther) {
    const Modelled source = modelled(8192);
    std::vector<Wanted> wanted(3);
    std::vector<Commands> recorded;
    std::vector<Ticket<Batch<std::byte>>> tickets;
    for (std::size_t turn = 0; turn < 6; ++turn) { // two in each recording
        Wanted& one = wanted[turn / 2];
        if (turn % 2 == 0) {
            for (std::size_t i = 0; i < 20 + 30 * turn; ++i)
                one.add(source, (i * 277 + turn * 4) % 8000, 12);
            recorded.push_back(device().record());
        }
        tickets.push_back(
            recorded.back().read_each<std::byte>(one.views, {.way = BatchWay::compute}));
    }
    for (std::size_t i = recorded.size(); i > 0; --i) // in the other order
        must(device().submit(std::move(recorded[i - 1])));
    for (std::size_t i = 0; i < tickets.size(); ++i)
        EXPECT_EQ(results(must(tickets[i].wait(patience))), wanted[i / 2].bytes) << i;
}

TEST_F(BatchReads, ABufferWithoutStorageIsCopiedAndTheReportSaysSo) {
    const Modelled source = modelled(4096, 1, copied);
    Wanted wanted;
    for (std::size_t i = 0; i < 5; ++i) wanted.add(source, i * 800, 16);
    const auto batch = must(
        device().read_each<std::byte>(wanted.views, {.way = BatchWay::compute}).wait(patience));
    EXPECT_EQ(results(batch), wanted.bytes);
    EXPECT_EQ(batch.report().way, BatchWay::copies);
    EXPECT_EQ(batch.report().copies, 5U);
    EXPECT_TRUE(says(batch.report().reason, "storage")) << batch.report().reason;
}

TEST_F(BatchReads, ThousandsOfRunsAreGatheredByThemselvesWhereThatWasMeasured) {
    const bool measured = engine_name() != "fake";
    const Modelled source = modelled(4 << 20);
    Wanted wanted;
    for (std::size_t i = 0; i < 4000; ++i) wanted.add(source, i * 1000, 16);
    const auto many = must(device().read_each<std::byte>(wanted.views).wait(patience));
    EXPECT_EQ(results(many), wanted.bytes);
    EXPECT_EQ(many.report().way, measured ? BatchWay::compute : BatchWay::copies);
    EXPECT_EQ(many.report().dispatches, measured ? 1U : 0U);
    EXPECT_EQ(many.report().copies, measured ? 2U : 4000U);
    wanted.views.erase(wanted.views.begin() + 10, wanted.views.end());
    const auto few = must(device().read_each<std::byte>(wanted.views).wait(patience));
    EXPECT_EQ(few.report().way, BatchWay::copies);
}

} // namespace
} // namespace ferry::test::batches
