// SPDX-License-Identifier: MIT
// Batches of writes: every way leads to the bytes of a model on the host.
#include "batch_fixture.hpp"

namespace ferry::test::batches {
namespace {

using BatchWrites = BatchTest;

TEST_F(BatchWrites, RandomWritesLeadToTheModelsBytesInEveryWay) {
    Random random{std::mt19937(12)};
    for (BatchWay way : ways) {
        auto targets = three();
        for (int turn = 0; turn < 20; ++turn) {
            Planned plan(60);
            for (std::size_t i = random.up_to(60); i > 0; --i) {
                Modelled& to = targets[random.up_to(2)];
                const std::size_t offset = random.up_to(to.bytes.size() / 4) * 4;
                const std::size_t room = to.bytes.size() - offset;
                const std::size_t most =
                    std::min<std::size_t>(room, random.up_to(9) == 0 ? 9000 : 40);
                const bool to_the_end = most == room;
                plan.add(to, offset, to_the_end ? room : random.up_to(most / 4) * 4,
                         static_cast<unsigned>(i));
            }
            ASSERT_TRUE(ok(device().write_each(plan.writes, {.way = way})));
            for (const Modelled& target : targets)
                ASSERT_EQ(bytes_of(target.buffer), target.bytes) << turn << ' ' << name(way);
        }
    }
}

TEST_F(BatchWrites, TheLaterOfOverlappingWritesCounts) {
    for (BatchWay way : {BatchWay::copies, BatchWay::compute}) {
        Modelled target = modelled(4096);
        Planned plan(8);
        plan.add(target, 64, 64, 5);
        plan.add(target, 32, 64, 6);
        plan.add(target, 80, 4, 7);
        plan.add(target, 64, 64, 8);
        plan.add(target, 100, 8, 9);
        plan.add(target, 128, 16, 10); // touches
        plan.add(target, 2000, 16, 11);
        const auto report = must(device().write_each(plan.writes, {.way = way}));
        EXPECT_EQ(bytes_of(target.buffer), target.bytes) << name(way);
        EXPECT_EQ(report.ranges, 7U);
        EXPECT_EQ(report.runs, 2U);
        EXPECT_EQ(report.staged_bytes, 112U + 16U);
        EXPECT_EQ(report.way, way);
        EXPECT_EQ(report.copies, 2U);
    }
}

TEST_F(BatchWrites, TenThousandWritesInRandomOrder) {
    for (BatchWay way : ways) {
        Modelled target = modelled(4 << 20);
        Planned plan(10'000);
        Random random{std::mt19937(6)};
        for (unsigned i = 0; i < 10'000; ++i)
            plan.add(target, random.up_to((1 << 20) - 4) * 4, 16, i);
        ASSERT_TRUE(ok(device().write_each(plan.writes, {.way = way})));
        EXPECT_EQ(bytes_of(target.buffer), target.bytes) << name(way);
    }
}

TEST_F(BatchWrites, BytesBehindTheVisibleEndBecomeZeros) {
    const auto kernel = must(device().create_kernel(wgsl::two_buffers));
    for (BatchWay way : {BatchWay::copies, BatchWay::compute}) {
        const Buffer odd = make_buffer(device(), 6, stored);
        const Buffer whole = make_buffer(device(), 64, stored);
        const Buffer seen = make_buffer(device(), 8, stored);
        const Bytes six = pattern(6), many = pattern(64);
        for (int turn = 0; turn < 8; ++turn) { // until staging memory is used again
            const std::vector<BatchWrite> fill{{whole, many}};
            must(device().write_each(fill, {.way = way}));
            must(device().done().wait(patience));
            const std::vector<BatchWrite> writes{{odd, six}};
            must(device().write_each(writes, {.way = way}));
        }
        auto commands = device().record();
        commands.dispatch(kernel, {{"source", odd}, {"target_", seen}}, {.groups = 2});
        auto ticket = commands.read<std::uint32_t>(seen);
        must(device().submit(std::move(commands)));
        const auto last = static_cast<std::uint32_t>(six[4]) | static_cast<std::uint32_t>(six[5])
                                                                   << 8;
        EXPECT_EQ(must(ticket.wait(patience))[1], last + 1) << name(way);
    }
}

TEST_F(BatchWrites, WritesHappenAtTheirPlaceBetweenTheCommands) {
    const auto kernel = must(device().create_kernel(wgsl::twice));
    for (BatchWay way : {BatchWay::copies, BatchWay::compute}) {
        const Buffer buffer = make_filled(device(), std::vector<float>(1024, 1.0F), stored);
        const std::vector<float> five(2, 5.0F);
        std::vector<BatchWrite> writes;
        for (std::size_t i = 0; i < 100; ++i)
            writes.emplace_back(BufferView(buffer, ByteRange{i * 40, {}}), five);
        auto commands = device().record();
        commands.dispatch(kernel, {{"data", buffer}}, {.threads = 1024});
        const auto before = commands.write_each(writes, {.way = way});
        commands.dispatch(kernel, {{"data", buffer}}, {.threads = 1024});
        auto ticket = commands.read<float>(buffer);
        must(device().submit(std::move(commands)));
        EXPECT_EQ(before.runs, 100U);
        const auto values = must(ticket.wait(patience));
        for (std::size_t i = 0; i < 1024; ++i) {
            const bool written = i < 1000 && i % 10 < 2;
            ASSERT_EQ(values[i], written ? 10.0F : 4.0F) << i << ' ' << name(way);
        }
    }
}

} // namespace
} // namespace ferry::test::batches
