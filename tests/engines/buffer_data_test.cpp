// SPDX-License-Identifier: MIT
// Buffers born with data: rules B-01, B-10, B-11, C-04, cases A24 and A32.
#include <array>
#include <cstring>

#include "guarded_memory.hpp"
#include "raw_engine.hpp"

namespace ferry::test {
namespace {

class BufferData : public SharedDevice {};

TEST_F(BufferData, B11_EveryLegalUsageIsBornWithData) {
    const auto data = pattern(5);
    for (std::uint64_t bits = 1; bits < 1024; ++bits) {
        const bool mappable = (bits & 0x3) != 0;
        if (mappable && bits != 0x1 && bits != 0x9 && bits != 0x2 && bits != 0x6) continue;
        auto made = device().create_buffer(data, {.usage = Usage{bits}});
        ASSERT_TRUE(ok(made)) << "usage " << bits;
        EXPECT_EQ(made->size_bytes(), 5U);
        EXPECT_EQ(made->usage(), Usage{bits}) << "no usage is added unasked";
        EXPECT_EQ(made->map_state(), MapState::unmapped);
        if (has(Usage{bits}, Usage::copy_src)) {
            ASSERT_EQ(bytes_of(*made), data) << "usage " << bits;
        }
    }
}

TEST_F(BufferData, B04_IllegalUsagesAreRefusedWithDataToo) {
    EXPECT_TRUE(
        refused(device().create_buffer(pattern(4), {.usage = Usage::none}), invalid("B-04")));
    auto made = device().create_buffer(pattern(4), {.usage = Usage::map_read | Usage::copy_src});
    EXPECT_TRUE(refused(made, invalid("B-05")));
}

TEST_F(BufferData, B11_AVertexAndStorageBufferHoldsItsData) {
    const auto data = counting<std::uint32_t>(64, 100);
    auto vertices = make_filled(device(), data, Usage::vertex | Usage::storage);
    auto out = make_buffer(device(), 256, Usage::storage | Usage::copy_src);
    auto kernel = must(device().create_kernel(R"(
        @group(0) @binding(0) var<storage, read> vertices: array<u32>;
        @group(0) @binding(1) var<storage, read_write> seen: array<u32>;
        @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
            seen[id.x] = vertices[id.x];
        })"));
    auto commands = device().record();
    commands.dispatch(kernel, {{"vertices", vertices}, {"seen", out}}, {.threads = 64});
    ASSERT_TRUE(ok(device().submit(std::move(commands))));
    EXPECT_EQ(read_all<std::uint32_t>(device(), out), data);
}

TEST_F(BufferData, EverySizeArrivesByteForByte) {
    for (std::size_t size : {1U, 2U, 3U, 4U, 5U, 18U, 255U, 256U, 257U, 65'537U, 1'000'003U}) {
        const auto data = pattern(size, static_cast<unsigned>(size));
        const Buffer buffer = make_filled(device(), data, Usage::copy_src);
        EXPECT_EQ(buffer.size_bytes(), size);
        EXPECT_EQ(bytes_of(buffer), data) << size;
    }
}

TEST_F(BufferData, A24_OddIndicesAreRoundedUpWithZerosAndNotOverRead) {
    FERRY_NEEDS_RAW_ENGINE();
    const GuardedMemory memory(162);
    const auto indices = memory.as<std::uint16_t>();
    for (std::size_t at = 0; at < indices.size(); ++at)
        indices[at] = static_cast<std::uint16_t>(at + 0x0101);
    const Buffer buffer = make_filled(device(), indices, Usage::index | Usage::copy_src);
    EXPECT_EQ(buffer.size_bytes(), 162U);

    WGPUBuffer raw = interop::raw(buffer);
    EXPECT_EQ(raw_engine().get<WGPUProcBufferGetSize>("wgpuBufferGetSize")(raw), 164U);
    const auto seen = bytes_of(buffer);
    EXPECT_EQ(std::memcmp(seen.data(), indices.data(), 162), 0);
    const Buffer last =
        must(device().create_buffer({.usage = Usage::copy_src | Usage::copy_dst, .size_bytes = 4}));
    Commands commands = device().record("the last word");
    raw_engine().get<WGPUProcCommandEncoderCopyBufferToBuffer>(
        "wgpuCommandEncoderCopyBufferToBuffer")(commands.raw_encoder(), raw, 160,
                                                interop::raw(last), 0, 4);
    ASSERT_TRUE(ok(device().submit(std::move(commands))));
    const auto word = bytes_of(last);
    EXPECT_EQ(word[2], std::byte{0});
    EXPECT_EQ(word[3], std::byte{0});
}

TEST_F(BufferData, A32_NoDataMakesAnEmptyBuffer) {
    const Buffer buffer =
        make_filled(device(), std::vector<float>{}, Usage::storage | Usage::copy_src);
    EXPECT_EQ(buffer.size_bytes(), 0U);
    EXPECT_TRUE(bytes_of(buffer).empty());
}

TEST_F(BufferData, NoDataWithASizeMakesABufferOfZeros) {
    auto made =
        device().create_buffer(std::vector<float>{}, {.usage = Usage::copy_src, .size_bytes = 18});
    ASSERT_TRUE(ok(made));
    EXPECT_EQ(bytes_of(*made), std::vector<std::byte>(18));
}

TEST_F(BufferData, B10_BytesBehindShorterDataAreZero) {
    for (std::uint64_t size : {6U, 7U, 8U, 18U, 4096U}) {
        auto made =
            device().create_buffer(pattern(6), {.usage = Usage::copy_src, .size_bytes = size});
        ASSERT_TRUE(ok(made));
        auto expected = pattern(6);
        expected.resize(size);
        EXPECT_EQ(bytes_of(*made), expected) << size;
    }
}

TEST_F(BufferData, MoreDataThanTheSizeIsRefusedWithBothNumbers) {
    auto made = device().create_buffer(
        pattern(21), {.usage = Usage::copy_src, .size_bytes = 18, .label = "small"});
    EXPECT_TRUE(refused(made, invalid("", {"small"}, {21, 18})));
    // 20 bytes would fit the engine's rounded buffer, and still are more than was asked for.
    made = device().create_buffer(pattern(20), {.usage = Usage::copy_src, .size_bytes = 18});
    EXPECT_TRUE(refused(made, invalid("", {}, {20, 18})));
}

TEST_F(BufferData, AnArrayAStringAndASpanAreData) {
    const std::array<std::uint8_t, 3> array{1, 2, 3};
    const std::string text = "abc";
    const float floats[] = {1.0F, 2.0F};
    EXPECT_EQ(make_filled(device(), array).size_bytes(), 3U);
    EXPECT_EQ(read_all<char>(device(), make_filled(device(), text)),
              (std::vector<char>{'a', 'b', 'c'}));
    EXPECT_EQ(read_all<float>(device(), make_filled(device(), std::span(floats))),
              (std::vector<float>{1, 2}));
}

TEST_F(BufferData, B11_AMappedBufferIsFilledInSeveralPartsOneAfterAnother) {
    auto made = must(device().create_mapped_buffer(
        {.usage = Usage::vertex | Usage::copy_src, .size_bytes = 48}));
    EXPECT_EQ(made.buffer.map_state(), MapState::mapped);
    const auto data = counting<float>(12, 1.0F);
    for (std::uint64_t offset : {32U, 0U, 16U}) {
        auto span = must(made.mapping.as<float>({offset, 16}));
        EXPECT_TRUE(ok(span.copy_from(std::span(data).subspan(offset / 4, 4))));
    }
    ASSERT_TRUE(ok(made.mapping.unmap()));
    EXPECT_EQ(made.buffer.map_state(), MapState::unmapped);
    EXPECT_EQ(read_all<float>(device(), made.buffer), data);
}

TEST_F(BufferData, B10_AMappedBufferShowsZerosAtFirst) {
    auto made = must(device().create_mapped_buffer({.usage = Usage::copy_src, .size_bytes = 18}));
    auto span = must(made.mapping.as<std::byte>());
    EXPECT_EQ(span.size(), 18U);
    EXPECT_EQ(must(span.copy()), std::vector<std::byte>(18));
}

TEST_F(BufferData, B11_AMappedBufferOfOddSizeArrivesWhole) {
    for (std::size_t size : {0U, 1U, 3U, 5U, 18U}) {
        auto made =
            must(device().create_mapped_buffer({.usage = Usage::copy_src, .size_bytes = size}));
        EXPECT_EQ(made.mapping.range().offset_bytes, 0U);
        EXPECT_EQ(made.mapping.range().size_bytes, size);
        EXPECT_TRUE(ok(must(made.mapping.as<std::byte>()).copy_from(pattern(size))));
        EXPECT_TRUE(ok(made.mapping.unmap()));
        EXPECT_EQ(bytes_of(made.buffer), pattern(size)) << size;
    }
}

TEST_F(BufferData, B11_AfterTheFirstUnmapOnlyTheStatedUsagesHold) {
    auto made = must(device().create_mapped_buffer({.usage = Usage::uniform, .size_bytes = 16}));
    ASSERT_TRUE(ok(made.mapping.unmap()));
    EXPECT_EQ(made.buffer.usage(), Usage::uniform);
    EXPECT_TRUE(refused(made.buffer.map_write().wait(patience), invalid("M-09", {"map_write"})));
    EXPECT_TRUE(refused(made.buffer.map_read().wait(patience), invalid("M-09", {"map_read"})));
    EXPECT_TRUE(refused(device().write(made.buffer, pattern(16)), invalid("W-08", {"copy_dst"})));
    EXPECT_TRUE(refused(device().read<std::byte>(made.buffer).wait(patience),
                        invalid("K-03", {"copy_src"})));
}

TEST_F(BufferData, C04_AReadableBufferFilledAtCreationShowsItsBytesWithoutASubmit) {
    for (std::size_t size : {4U, 18U, 4096U}) {
        Buffer buffer = make_filled(device(), pattern(size), Usage::map_read);
        auto mapping = must(buffer.map_read().wait(patience));
        EXPECT_EQ(must(must(mapping.as<std::byte>()).copy()), pattern(size))
            << "Q-10, size " << size;
    }
}

TEST_F(BufferData, C02_AWritableBufferFilledAtCreationShowsItsBytesWhenItIsMappedAgain) {
    Buffer buffer = make_filled(device(), pattern(18), Usage::map_write | Usage::copy_src);
    auto mapping = must(buffer.map_write().wait(patience));
    EXPECT_EQ(must(must(mapping.as<std::byte>()).copy()), pattern(18));
}

} // namespace
} // namespace ferry::test
