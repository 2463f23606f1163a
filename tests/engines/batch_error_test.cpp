// SPDX-License-Identifier: MIT
// Batches that are wrong, are not submitted, or lose their device; encoders of the program's own.
#include "batch_fixture.hpp"

namespace ferry::test::batches {
namespace {

using BatchErrors = BatchTest;

TEST_F(BatchErrors, TheFirstReadThatIsWrongIsNamedByItsIndex) {
    const Modelled source = modelled(100);
    const Buffer secret = make_buffer(device(), 16, Usage::copy_dst, "secret");
    Device other = open_device();
    const Buffer foreign = make_buffer(other, 16, copied, "foreign");
    std::vector<BufferView> views(9, BufferView(source.buffer, ByteRange{0, 4}));
    const auto refusal = [&](const BufferView& wrong, const Refusal& wanted) {
        auto all = views;
        all[7] = wrong;
        all[8] = {source.buffer, {200, 4}};
        return refused(device().read_each<std::uint32_t>(all).wait(patience), wanted);
    };
    EXPECT_TRUE(refusal({source.buffer, {98, 4}}, invalid("K-05", {"modelled"}, {7, 98, 4, 100})));
    EXPECT_TRUE(refusal({source.buffer, {0, 6}}, invalid("", {}, {7, 6, 4})));
    EXPECT_TRUE(refusal(secret, invalid("K-03", {"secret", "copy_src"}, {7})));
    EXPECT_TRUE(refusal(foreign, invalid("K-03", {"foreign"}, {7})));
    EXPECT_TRUE(refusal(Buffer(), invalid("", {}, {7})));
}

TEST_F(BatchErrors, ReadsThatWereNotSubmittedEndAsCancelled) {
    const Modelled source = modelled(8192);
    Wanted wanted;
    for (std::size_t i = 0; i < 20; ++i) wanted.add(source, i * 400, 16);
    for (BatchWay way : {BatchWay::copies, BatchWay::compute}) {
        Ticket<Batch<std::byte>> ticket;
        {
            auto commands = device().record();
            ticket = commands.read_each<std::byte>(wanted.views, {.way = way});
            EXPECT_TRUE(refused(ticket.wait(0ms), {{Errc::not_submitted}}));
        }
        EXPECT_TRUE(refused(ticket.wait(patience), {{Errc::cancelled}}));
        const auto next =
            must(device().read_each<std::byte>(wanted.views, {.way = way}).wait(patience));
        EXPECT_EQ(results(next), wanted.bytes);
    }
}

TEST_F(BatchErrors, ADestroyedSourceIsRefusedAtTheSubmit) {
    Modelled source = modelled(4096);
    Wanted wanted;
    for (std::size_t i = 0; i < 5; ++i) wanted.add(source, i * 800, 16);
    source.buffer.destroy();
    for (BatchWay way : ways) {
        EXPECT_TRUE(
            refused(device().read_each<std::byte>(wanted.views, {.way = way}).wait(patience),
                    wrong_state("S-02", {"destroyed"})));
    }
}

TEST_F(BatchErrors, ADeviceThatIsClosedOrLostEndsItsBatches) {
    for (BatchWay way : {BatchWay::copies, BatchWay::compute}) {
        Device own = open_device();
        const Buffer buffer = make_filled(own, pattern(4096), stored);
        const std::vector<BufferView> views{{buffer, {0, 4}}, {buffer, {1000, 4}}};
        auto commands = own.record();
        auto ticket = commands.read_each<std::byte>(views, {.way = way});
        own.close();
        EXPECT_FALSE(own.submit(std::move(commands)).has_value());
        EXPECT_TRUE(refused(ticket.wait(patience), {{Errc::cancelled}}));
        EXPECT_TRUE(
            refused(own.read_each<std::byte>(views, {.way = way}).wait(patience), wrong_state()));
    }
    FERRY_NEEDS_RAW_ENGINE();
    for (BatchWay way : {BatchWay::copies, BatchWay::compute}) {
        Device own = open_device();
        const Buffer buffer = make_filled(own, pattern(4096), stored);
        const std::vector<BufferView> views{{buffer, {0, 4}}, {buffer, {1000, 4}}};
        auto commands = own.record();
        auto ticket = commands.read_each<std::byte>(views, {.way = way});
        lose(own);
        EXPECT_FALSE(own.submit(std::move(commands)).has_value());
        EXPECT_TRUE(refused(ticket.wait(patience), {{Errc::device_lost}}));
        EXPECT_TRUE(refused(own.read_each<std::byte>(views, {.way = way}).wait(patience),
                            {{Errc::device_lost}}));
        const Bytes data = pattern(4);
        const std::vector<BatchWrite> writes{{buffer, data}};
        EXPECT_TRUE(refused(own.write_each(writes, {.way = way}), {{Errc::device_lost}}));
    }
}

TEST_F(BatchErrors, TheFirstWriteThatIsWrongIsNamedByItsIndexAndNothingIsWritten) {
    const Modelled target = modelled(102);
    const Buffer fixed = make_buffer(device(), 16, Usage::copy_src, "fixed");
    const Bytes four = pattern(4, 9), six = pattern(6, 9);
    const std::vector<BatchWrite> writes(5, {target.buffer, four});
    const auto refusal = [&](const BatchWrite& wrong, const Refusal& wanted) {
        auto all = writes;
        all[3] = wrong;
        all[4] = {{target.buffer, {200, 4}}, four};
        return refused(device().write_each(all), wanted);
    };
    EXPECT_TRUE(refusal({{target.buffer, {100, {}}}, four}, invalid("W-09", {}, {3, 100, 4, 102})));
    EXPECT_TRUE(refusal({{target.buffer, {2, {}}}, four}, invalid("W-09", {}, {3, 2})));
    EXPECT_TRUE(refusal({target.buffer, six}, invalid("W-04", {}, {3, 6})));
    EXPECT_TRUE(refusal({{target.buffer, {0, 8}}, four}, invalid("K-02", {}, {3, 4, 8})));
    EXPECT_TRUE(refusal({fixed, four}, invalid("W-08", {"fixed", "copy_dst"}, {3})));
    EXPECT_TRUE(refusal({Buffer(), four}, invalid("", {}, {3})));
    EXPECT_EQ(bytes_of(target.buffer), target.bytes);
}

TEST_F(BatchErrors, WritesThatWereNotSubmittedChangeNothing) {
    for (BatchWay way : {BatchWay::copies, BatchWay::compute}) {
        const Modelled target = modelled(4096);
        const Bytes data = pattern(16, 9);
        const std::vector<BatchWrite> writes{{{target.buffer, {16, {}}}, data},
                                             {{target.buffer, {2000, {}}}, data}};
        {
            auto commands = device().record();
            commands.write_each(writes, {.way = way});
        }
        EXPECT_EQ(bytes_of(target.buffer), target.bytes);
    }
}

TEST_F(BatchErrors, MoreThanABufferHoldsIsOverTheLimit) {
    constexpr std::uint64_t half = std::uint64_t{160} << 20; // the default limit is 256 MiB
    const Buffer first = make_buffer(device(), half, copied);
    const Buffer second = make_buffer(device(), half, copied);
    const std::vector<BufferView> views{first, second};
    ASSERT_EQ(device().limits().max_buffer_size_bytes, std::uint64_t{256} << 20);
    for (BatchWay way : ways) {
        EXPECT_TRUE(refused(device().read_each<std::byte>(views, {.way = way}).wait(patience),
                            over_limit("B-07", {2 * half, std::uint64_t{256} << 20})));
    }
}

TEST_F(BatchErrors, AnEncoderOfTheProgramsOwnTakesBatches) {
    FERRY_NEEDS_RAW_ENGINE();
    const auto raw = interop::raw(device());
    for (BatchWay way : {BatchWay::copies, BatchWay::compute}) {
        Modelled buffer = modelled(8192);
        Wanted before, after;
        for (std::size_t i = 0; i < 20; ++i) before.add(buffer, i * 400 + 1, 10);
        Planned plan(20);
        for (std::size_t i = 0; i < 20; ++i) plan.add(buffer, i * 400, 8, 9);
        for (std::size_t i = 0; i < 20; ++i) after.add(buffer, i * 400 + 1, 10);
        WGPUCommandEncoder encoder = raw_engine().get<WGPUProcDeviceCreateCommandEncoder>(
            "wgpuDeviceCreateCommandEncoder")(raw.device, nullptr);
        auto commands = must(interop::record_into(device(), encoder));
        auto first = commands.read_each<std::byte>(before.views, {.way = way});
        commands.write_each(plan.writes, {.way = way});
        auto second = commands.read_each<std::byte>(after.views, {.way = way});
        WGPUCommandBuffer finished = raw_engine().get<WGPUProcCommandEncoderFinish>(
            "wgpuCommandEncoderFinish")(encoder, nullptr);
        raw_engine().get<WGPUProcCommandEncoderRelease>("wgpuCommandEncoderRelease")(encoder);
        const std::array<WGPUCommandBuffer, 1> all{finished};
        ASSERT_TRUE(ok(interop::submit(device(), all, std::move(commands))));
        raw_engine().get<WGPUProcCommandBufferRelease>("wgpuCommandBufferRelease")(finished);
        EXPECT_EQ(results(must(first.wait(patience))), before.bytes) << name(way);
        EXPECT_EQ(results(must(second.wait(patience))), after.bytes) << name(way);
    }
}

} // namespace
} // namespace ferry::test::batches
