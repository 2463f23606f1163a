// SPDX-License-Identifier: MIT
// Commands::write at its point of the commands, Device::write before the whole of the next submit
// (A30), odd sizes (A24), and the bytes behind them.
#include <array>

#include "guarded_memory.hpp"
#include "raw_engine.hpp"
#include "upload_fixture.hpp"

namespace ferry::test {
namespace {

class UploadWrite : public UploadTest {
protected:
    /// Copies what the engine has of a buffer, the invisible bytes too.
    static std::vector<std::byte> engine_bytes(const Buffer& buffer, std::uint64_t size) {
        const Buffer copy = make_buffer(device(), size, copied, "copy");
        raw_copy(buffer, copy, size);
        return bytes_of(copy);
    }
    static void raw_copy(const Buffer& from, const Buffer& to, std::uint64_t size) {
        auto commands = device().record("raw");
        commands.uses(from);
        commands.uses(to);
        raw_engine().get<WGPUProcCommandEncoderCopyBufferToBuffer>(
            "wgpuCommandEncoderCopyBufferToBuffer")(commands.raw_encoder(), interop::raw(from), 0,
                                                    interop::raw(to), 0, size);
        must(device().submit(std::move(commands)));
    }
    static std::vector<std::string> overlaps() {
        std::vector<std::string> said = device().take_advice();
        std::erase_if(said, [](const std::string& words) { return !says(words, "A30"); });
        return said;
    }
};

constexpr std::string_view show_wgsl = R"(
@group(0) @binding(0) var<uniform> numbers: vec4f;
@group(0) @binding(1) var<storage, read_write> shown: vec4f;
@compute @workgroup_size(1)
fn main() { shown = numbers; })";

std::vector<float> four(float value) { return std::vector<float>(4, value); }

/// What three dispatches see of a uniform that `write` writes before each.
template <class Write>
std::vector<float> seen_by_three(Device& device, Write write) {
    const Kernel kernel = must(device.create_kernel(show_wgsl));
    const Buffer uniform = make_buffer(device, 16, Usage::uniform | Usage::copy_dst, "uniform");
    std::array<Buffer, 3> shown;
    auto commands = device.record("three");
    for (std::size_t i = 0; i < 3; ++i) {
        shown[i] = make_buffer(device, 16, Usage::storage | Usage::copy_src);
        write(commands, uniform, four(static_cast<float>(i + 1)));
        commands.dispatch(kernel, {{"numbers", uniform}, {"shown", shown[i]}}, {.groups = 1});
    }
    must(device.submit(std::move(commands)));
    std::vector<float> seen;
    for (const Buffer& each : shown) {
        const auto all = read_all<float>(device, each);
        EXPECT_EQ(all, four(all[0]));
        seen.push_back(all[0]);
    }
    return seen;
}

TEST_F(UploadWrite, A30_ByCommandsEachDispatchSeesItsOwn) {
    const auto seen = seen_by_three(
        device(), [](Commands& commands, const Buffer& uniform, const std::vector<float>& values) {
            commands.write(uniform, values);
        });
    EXPECT_EQ(seen, (std::vector<float>{1, 2, 3}));
    EXPECT_TRUE(overlaps().empty());
}

TEST_F(UploadWrite, A30_ByStagedMemoryEachDispatchSeesItsOwn) {
    auto pool = make_pool();
    const auto seen = seen_by_three(
        device(), [&](Commands& commands, const Buffer& uniform, const std::vector<float>& values) {
            commands.copy(stage(pool, values), uniform);
        });
    EXPECT_EQ(seen, (std::vector<float>{1, 2, 3}));
}

TEST_F(UploadWrite, A30_ByTheQueueAllSeeTheLastAndFerrySaysSo) {
    const auto seen = seen_by_three(
        device(), [&](Commands&, const Buffer& uniform, const std::vector<float>& values) {
            must(device().write(uniform, values));
        });
    EXPECT_EQ(seen, (std::vector<float>{3, 3, 3}));
    const auto said = overlaps();
    ASSERT_EQ(said.size(), 1U) << "once for a buffer";
    EXPECT_TRUE(says(said[0], "uniform") && says(said[0], "Commands::write")) << said[0];
}

TEST_F(UploadWrite, WritesThatDoNotOverlapOrHaveASubmitBetweenGiveNoAdvice) {
    const Buffer target = make_buffer(device(), 64, copied);
    for (std::uint64_t offset : {0U, 16U, 32U, 48U})
        must(device().write(target, four(1), {.offset_bytes = offset}));
    must(device().submit(device().record()));
    must(device().write(target, four(1)));
    must(device().submit(device().record()));
    must(device().write(target, four(1)));
    EXPECT_TRUE(overlaps().empty());
}

TEST_F(UploadWrite, AWriteStandsBetweenTheCommandsAroundIt) {
    const Buffer target = make_filled(device(), pattern(64));
    auto commands = device().record();
    auto before = commands.read<std::byte>(target);
    commands.write(target, pattern(16, 2), {.offset_bytes = 8});
    commands.clear({target, {0, 12}});
    commands.write(target, pattern(64, 3), {.offset_bytes = 60, .first = 5, .count = 4});
    auto after = commands.read<std::byte>(target);
    must(device().submit(std::move(commands)));
    auto expected = pattern(64);
    std::ranges::copy(pattern(16, 2), expected.begin() + 8);
    std::fill_n(expected.begin(), 12, std::byte{0});
    std::ranges::copy(part(pattern(64, 3), 5, 4), expected.begin() + 60);
    EXPECT_EQ(must(before.wait(patience)), pattern(64));
    EXPECT_EQ(must(after.wait(patience)), expected);
}

TEST_F(UploadWrite, AnySizeArrivesAndLargeOnesInPieces) {
    for (std::size_t size : {0U, 1U, 3U, 4U, 162U, 16U << 10, (9U << 20) + 2}) {
        SCOPED_TRACE(size);
        const Buffer target = make_buffer(device(), size, copied);
        auto commands = device().record();
        commands.write(target, pattern(size));
        must(device().submit(std::move(commands)));
        EXPECT_EQ(bytes_of(target), pattern(size));
    }
}

TEST_F(UploadWrite, WrongRangesAreRefusedLikeThoseOfDeviceWrite) {
    const Buffer target = make_buffer(device(), 66, copied, "target");
    const Buffer source = make_buffer(device(), 64, Usage::copy_src, "source");
    const auto data = counting<std::uint32_t>(32);
    const WriteOptions wrong[] = {{.offset_bytes = 2},
                                  {.offset_bytes = 4},
                                  {.first = 33},
                                  {.first = 1, .count = 32},
                                  {.first = 2, .count = ~std::size_t{0}},
                                  {.offset_bytes = ~std::uint64_t{3}, .count = 1},
                                  {.offset_bytes = 68, .count = 0}};
    for (const WriteOptions& each : wrong) {
        const auto told = device().write(target, data, each);
        ASSERT_FALSE(told);
        expect_command_refused([&](Commands& commands) { commands.write(target, data, each); },
                               invalid(std::string(told.error().rule)));
    }
    expect_command_refused(
        [&](Commands& commands) { commands.write(target, pattern(6), {.offset_bytes = 4}); },
        invalid("W-04", {"target"}, {6}));
    expect_command_refused([&](Commands& commands) { commands.write(source, data); },
                           invalid("W-08", {"source", "copy_dst"}));
    expect_command_refused([&](Commands& commands) { commands.write(Buffer(), data); }, invalid());
}

/// Writes a whole buffer's visible bytes in each of the ways there are.
enum class Way { staged, commands, device, device_pool, device_pieces };

void write_whole(Device& device, Way way, const Buffer& target, std::span<const std::byte> source) {
    auto pool = must(UploadPool::create(device));
    auto commands = device.record();
    if (way == Way::staged) {
        auto staged = must(pool.acquire<std::byte>(source.size()));
        std::ranges::copy(source, staged.span().begin());
        commands.copy(std::move(staged), target);
    }
    if (way == Way::commands) commands.write(target, source);
    if (way == Way::device) must(device.write(target, source));
    if (way == Way::device_pool) must(device.write(target, source, {.path = UploadPath::pool}));
    if (way == Way::device_pieces)
        must(device.write(target, source, {.path = UploadPath::queue_pieces}));
    must(device.submit(std::move(commands)));
}

TEST_F(UploadWrite, A24_TheBytesBehindAnOddEndAreZeroAndTheSourceIsNotOverRead) {
    FERRY_NEEDS_RAW_ENGINE();
    const GuardedMemory memory(162);
    for (std::size_t i = 0; i < 162; ++i) memory.as()[i] = std::byte(i | 1);
    const std::vector<std::byte> expected(memory.as().begin(), memory.as().end());
    const Buffer full = make_filled(device(), std::vector(164, std::byte{0xEE}));
    for (Way way :
         {Way::staged, Way::commands, Way::device, Way::device_pool, Way::device_pieces}) {
        SCOPED_TRACE(static_cast<int>(way));
        const Buffer target = make_buffer(device(), 162, copied);
        EXPECT_EQ(target.size_bytes(), 162U);
        raw_copy(full, target, 164); // the invisible bytes are not zero
        ASSERT_EQ(engine_bytes(target, 164)[163], std::byte{0xEE});
        write_whole(device(), way, target, memory.as());
        EXPECT_EQ(bytes_of(target), expected);
        const auto whole = engine_bytes(target, 164);
        EXPECT_EQ(part(whole, 0, 162), expected);
        EXPECT_EQ(part(whole, 162, 2), std::vector<std::byte>(2));
    }
}

TEST_F(UploadWrite, DeviceWriteKeepsCallOrderOnEveryPath) {
    const Buffer target = make_buffer(device(), 9 * MiB, copied);
    constexpr std::array paths{UploadPath::queue_whole,  UploadPath::pool,
                               UploadPath::queue_pieces, UploadPath::pool,
                               UploadPath::queue_whole,  UploadPath::pool};
    std::vector<std::byte> expected(9 * MiB);
    for (unsigned seed = 0; seed < paths.size(); ++seed) {
        const std::size_t offset = 4 * (3 * seed + 1), size = 9 * MiB - 8 * offset;
        const auto data = pattern(size, seed);
        must(device().write(target, data, {.offset_bytes = offset, .path = paths[seed]}));
        std::ranges::copy(data, expected.begin() + static_cast<std::ptrdiff_t>(offset));
    }
    EXPECT_TRUE(bytes_of(target) == expected);
    (void)overlaps();
}

TEST_F(UploadWrite, A18_TenThousandWritesWithoutASubmitStayUnder16MiB) {
    const Buffer target = make_buffer(device(), 4096, copied);
    must(device().submit(device().record()));
    EXPECT_EQ(device().unsent_bytes(), 0U);
    for (unsigned turn = 0; turn < 10'000; ++turn) {
        must(device().write(target, pattern(4096, turn % 7)));
        ASSERT_LE(device().unsent_bytes(), 16 * MiB);
    }
    EXPECT_EQ(bytes_of(target), pattern(4096, 9'999 % 7));
    (void)overlaps();
}

TEST_F(UploadWrite, MoreThanTheDevicesUploadMemoryGoesThroughOneRecording) {
    Device small = open_device({.staging_budget_bytes = 64 * KiB});
    const std::size_t size = 21 * MiB;
    const Buffer target = make_buffer(small, size, copied);
    auto commands = small.record();
    commands.write(target, pattern(size));
    must(small.submit(std::move(commands)));
    EXPECT_TRUE(read_all(small, target) == pattern(size));
    must(small.write(target, pattern(size, 2), {.path = UploadPath::pool}));
    EXPECT_TRUE(read_all(small, target) == pattern(size, 2));
}

} // namespace
} // namespace ferry::test
