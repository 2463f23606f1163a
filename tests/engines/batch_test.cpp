// SPDX-License-Identifier: MIT
// Batches of reads and writes: every way gives the bytes of a model on the host.
#include <random>

#include "ferry/interop.hpp"
#include "raw_engine.hpp"
#include "shaders.hpp"

namespace ferry::test {
namespace {

constexpr Usage copied = Usage::copy_src | Usage::copy_dst;
constexpr Usage stored = copied | Usage::storage;
constexpr BatchWay ways[] = {BatchWay::automatic, BatchWay::copies, BatchWay::compute};

using Bytes = std::vector<std::byte>;

struct Random {
    std::mt19937 engine;
    std::size_t up_to(std::size_t most) {
        return std::uniform_int_distribution<std::size_t>(0, most)(engine);
    }
};

/// A buffer and what it should hold.
struct Modelled {
    Buffer buffer;
    Bytes bytes;
};

class Batches : public SharedDevice {
protected:
    static Modelled modelled(std::size_t size, unsigned seed = 1, Usage usage = stored) {
        Bytes bytes = pattern(size, seed);
        return {make_filled(device(), bytes, usage, "modelled"), bytes};
    }
    /// Of different sizes; the last one lacks `storage`.
    static std::vector<Modelled> three() {
        std::vector<Modelled> out;
        out.push_back(modelled(4096, 1));
        out.push_back(modelled(1001, 2));
        out.push_back(modelled(50'000, 3, copied));
        return out;
    }
};

struct Wanted {
    std::vector<BufferView> views;
    std::vector<Bytes> bytes;

    void add(const Modelled& from, std::size_t offset, std::size_t size) {
        views.emplace_back(from.buffer, ByteRange{offset, size});
        bytes.push_back(part(from.bytes, offset, size));
    }
};

template <class T>
std::vector<Bytes> results(const Batch<T>& batch) {
    std::vector<Bytes> out;
    for (std::size_t i = 0; i < batch.size(); ++i) {
        const auto bytes = std::as_bytes(batch[i]);
        out.emplace_back(bytes.begin(), bytes.end());
    }
    return out;
}

TEST_F(Batches, RandomReadsOfSeveralBuffersAreByteExactInEveryWay) {
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

TEST_F(Batches, TenThousandReadsComeBackInTheOrderOfTheCallThroughOneMap) {
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

TEST_F(Batches, ReadsThatTouchOrOverlapAreOneRun) {
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

TEST_F(Batches, NothingIsABatchToo) {
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

TEST_F(Batches, TypesAreReadAtAnyOffsetAndASpanOfThemIsAligned) {
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

TEST_F(Batches, ResultsCanBeTakenIntoMemoryOfTheCaller) {
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

TEST_F(Batches, AResultOutlivesItsTicketAndItsDevice) {
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

TEST_F(Batches, ReadsSeeTheBytesOfTheirPlaceBetweenTheCommands) {
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

TEST_F(Batches, BatchesRecordedBeforeOneSubmitDoNotDisturbEachOther) {
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

TEST_F(Batches, ABufferWithoutStorageIsCopiedAndTheReportSaysSo) {
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

TEST_F(Batches, ThousandsOfRunsAreGatheredByThemselvesWhereThatWasMeasured) {
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

TEST_F(Batches, TheFirstReadThatIsWrongIsNamedByItsIndex) {
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

TEST_F(Batches, ReadsThatWereNotSubmittedEndAsCancelled) {
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

TEST_F(Batches, ADestroyedSourceIsRefusedAtTheSubmit) {
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

TEST_F(Batches, ADeviceThatIsClosedOrLostEndsItsBatches) {
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

// --- writes
// -----------------------------------------------------------------------------------------------------------

/// Writes that keep their data, and the bytes that they lead to.
struct Planned {
    std::vector<Bytes> data{};
    std::vector<BatchWrite> writes{};

    explicit Planned(std::size_t most) { data.reserve(most); }
    void add(Modelled& to, std::size_t offset, std::size_t size, unsigned seed) {
        writes.emplace_back(BufferView(to.buffer, ByteRange{offset, {}}),
                            data.emplace_back(pattern(size, seed)));
        std::ranges::copy(data.back(), to.bytes.begin() + static_cast<std::ptrdiff_t>(offset));
    }
};

TEST_F(Batches, RandomWritesLeadToTheModelsBytesInEveryWay) {
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

TEST_F(Batches, TheLaterOfOverlappingWritesCounts) {
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

TEST_F(Batches, TenThousandWritesInRandomOrder) {
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

TEST_F(Batches, WritesHappenAtTheirPlaceBetweenTheCommands) {
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

TEST_F(Batches, TheFirstWriteThatIsWrongIsNamedByItsIndexAndNothingIsWritten) {
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

TEST_F(Batches, WritesThatWereNotSubmittedChangeNothing) {
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

// --- limits, encoders of the program's own
// -----------------------------------------------------------------------------

TEST_F(Batches, MoreThanABufferHoldsIsOverTheLimit) {
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

TEST_F(Batches, AnEncoderOfTheProgramsOwnTakesBatches) {
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
} // namespace ferry::test
