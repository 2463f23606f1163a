// SPDX-License-Identifier: MIT
// Sizes, limits, origins and strides at the edge, one below and one above. What is refused reaches
// no engine: after each refusal a correct copy works.
#include <array>

#include "texel_model.hpp"

namespace ferry::test {
namespace {

constexpr TextureUsage copied = TextureUsage::copy_src | TextureUsage::copy_dst;
constexpr std::array<std::size_t, 8> odd_sizes{0, 1, 3, 4, 5, 255, 256, 257};
constexpr std::uint64_t two_32 = std::uint64_t{1} << 32;
constexpr std::uint64_t most = ~std::uint64_t{0};

class TextureEdges : public SharedDevice {
protected:
    static Result<Texture> create(const Extent3D& size, Format format = Format::r8_unorm,
                                  TextureDimension dimension = TextureDimension::d2) {
        return device().create_texture({.format = format,
                                        .size = size,
                                        .usage = copied,
                                        .dimension = dimension,
                                        .label = "edge"});
    }
    static void expect_untouched() {
        for (const Error& error : device().take_uncaptured_errors())
            ADD_FAILURE() << "reached the engine: " << to_string(error);
        const Texture texture = must(create({3, 2}));
        must(device().write(texture, texels(6, 1, 1), {.tight = true}));
        EXPECT_EQ(must(device().read<std::byte>(texture).wait(patience)), texels(6, 1, 1));
    }
    template <class T>
    static void expect_refused(const Result<T>& result, const Refusal& wanted) {
        EXPECT_TRUE(refused(result, wanted));
        expect_untouched();
    }
    template <class Record>
    static Result<Submission> submit(Record record) {
        Commands commands = device().record("edge");
        record(commands);
        return device().submit(std::move(commands));
    }
};

TEST_F(TextureEdges, WholeTexturesOfOddSizesComeBack) {
    int moved = 0;
    for (Format format : {Format::r8_unorm, Format::rgba8_unorm}) {
        const std::size_t block = format == Format::r8_unorm ? 1 : 4;
        for (std::size_t width : odd_sizes) {
            for (std::size_t height : odd_sizes) {
                auto made = create({width, height}, format);
                if (width == 0 || height == 0) {
                    EXPECT_TRUE(refused(made, invalid("", {"edge"}, {0})));
                    continue;
                }
                const Bytes content = texels(width * height, block, 1);
                must(device().write(*made, content, {.tight = true}));
                ASSERT_EQ(must(device().read<std::byte>(*made).wait(patience)), content)
                    << width << 'x' << height << ' ' << name(format);
                ++moved;
            }
        }
    }
    EXPECT_EQ(moved, 98);
}

TEST_F(TextureEdges, PartsOfOddSizesMoveAloneAndTheRestStays) {
    int moved = 0;
    for (Format format : {Format::r8_unorm, Format::rgba8_unorm}) {
        const std::size_t block = format == Format::r8_unorm ? 1 : 4;
        const Blocks whole{260, 259, 1};
        const Texture texture = must(create({whole.x, whole.y}, format));
        Bytes expected = texels(whole.count(), block, 1);
        must(device().write(texture, expected, {.tight = true}));
        for (std::size_t width : odd_sizes) {
            for (std::size_t height : odd_sizes) {
                const Blocks size{width, height, 1};
                const Bytes content = texels(size.count(), block, static_cast<unsigned>(++moved));
                const TextureAt at{texture, {.origin = {3, 2}}};
                must(device().write(at, content, {.tight = true}, {width, height}));
                ASSERT_EQ(must(device().read<std::byte>(at, {width, height}).wait(patience)),
                          content)
                    << width << 'x' << height << ' ' << name(format);
                paste(expected, whole, content, size, {3, 2, 0}, block);
            }
        }
        EXPECT_EQ(must(device().read<std::byte>(texture).wait(patience)), expected);
    }
    EXPECT_EQ(moved, 128);
}

TEST_F(TextureEdges, LimitsHoldToTheTexel) {
    using enum TextureDimension;
    const Limits& limits = device().limits();
    EXPECT_EQ(limits.max_texture_dimension_1d, 8192U);
    EXPECT_EQ(limits.max_texture_dimension_2d, 8192U);
    EXPECT_EQ(limits.max_texture_dimension_3d, 2048U);
    EXPECT_EQ(limits.max_texture_array_layers, 256U);
    struct Axis {
        TextureDimension dimension;
        std::uint64_t limit;
        Extent3D (*size)(std::uint64_t);
    };
    const std::array<Axis, 7> axes{{{d1, 8192, [](auto n) { return Extent3D{n}; }},
                                    {d2, 8192,
                                     [](auto n) {
                                         return Extent3D{n, 1};
                                     }},
                                    {d2, 8192,
                                     [](auto n) {
                                         return Extent3D{1, n};
                                     }},
                                    {d2, 256,
                                     [](auto n) {
                                         return Extent3D{1, 1, n};
                                     }},
                                    {d3, 2048,
                                     [](auto n) {
                                         return Extent3D{n, 1, 1};
                                     }},
                                    {d3, 2048,
                                     [](auto n) {
                                         return Extent3D{1, n, 1};
                                     }},
                                    {d3, 2048, [](auto n) {
                                         return Extent3D{1, 1, n};
                                     }}}};
    for (const Axis& axis : axes) {
        for (std::uint64_t count : {axis.limit - 1, axis.limit}) {
            const Texture texture =
                must(create(axis.size(count), Format::r8_unorm, axis.dimension));
            const Bytes content = texels(count, 1, 1);
            must(device().write(texture, content, {.tight = true}));
            EXPECT_EQ(must(device().read<std::byte>(texture).wait(patience)), content);
        }
        for (std::uint64_t over : {axis.limit + 1, two_32 - 1}) {
            expect_refused(create(axis.size(over), Format::r8_unorm, axis.dimension),
                           {{Errc::limit_exceeded}, "", {"edge"}, {over, axis.limit}});
        }
        for (std::uint64_t over : {two_32, two_32 + 16, most})
            expect_refused(create(axis.size(over), Format::r8_unorm, axis.dimension),
                           {{Errc::limit_exceeded, Errc::invalid_argument}, "", {}, {over}});
    }
}

TEST_F(TextureEdges, PlacesAndSizesOutsideAreRefusedWhateverTheirSize) {
    const Texture texture = must(create({8, 8, 2}));
    const Texture other = must(create({8, 8, 2}));
    const Buffer buffer = make_buffer(device(), 4096, Usage::copy_src | Usage::copy_dst);
    const ImageLayout rows{.bytes_per_row = 256, .rows_per_image = 8};
    struct Wrong {
        Origin3D origin;
        Extent3D size;
    };
    std::vector<Wrong> all{{{1, 0, 0}, {8, 8, 1}}, {{0, 1, 0}, {8, 8, 1}}, {{0, 0, 1}, {8, 8, 2}},
                           {{9, 0, 0}, {0, 0, 0}}, {{0, 9, 0}, {0, 0, 0}}, {{0, 0, 3}, {0, 0, 0}}};
    for (std::uint64_t far : {two_32 - 1, two_32, two_32 + 1, most - 1, most}) {
        all.push_back({{far, 0, 0}, {1, 1, 1}});
        all.push_back({{0, far, 0}, {1, 1, 1}});
        all.push_back({{0, 0, far}, {1, 1, 1}});
        all.push_back({{1, 0, 0}, {far, 1, 1}});
        all.push_back({{0, 1, 0}, {1, far, 1}});
        all.push_back({{0, 0, 1}, {1, 1, far}});
        all.push_back({{far, far, far}, {far, far, far}});
    }
    for (const Wrong& wrong : all) {
        SCOPED_TRACE(testing::Message()
                     << wrong.origin.x << ' ' << wrong.origin.y << ' ' << wrong.origin.z << ": "
                     << wrong.size.width << ' ' << wrong.size.height << ' '
                     << wrong.size.depth_or_array_layers);
        const Refusal refusal = invalid("T-06", {"edge"});
        const TextureAt at{texture, {.origin = wrong.origin}};
        const TextureAt there{other, {.origin = wrong.origin}};
        expect_refused(device().write(at, Bytes(256), {.tight = true}, wrong.size), refusal);
        expect_refused(device().read<std::byte>(at, wrong.size).wait(patience), refusal);
        expect_refused(device().read_padded(at, wrong.size).wait(patience), refusal);
        expect_refused(submit([&](Commands& c) {
                           c.copy({buffer, rows}, at, wrong.size);
                       }),
                       refusal);
        expect_refused(submit([&](Commands& c) {
                           c.copy(at, {buffer, rows}, wrong.size);
                       }),
                       refusal);
        expect_refused(submit([&](Commands& c) { c.copy(at, other, wrong.size); }), refusal);
        expect_refused(submit([&](Commands& c) { c.copy(texture, there, wrong.size); }), refusal);
    }
    for (std::uint32_t mip : {1U, 31U, 32U, 64U, ~0U}) {
        expect_refused(device().read<std::byte>({texture, {.mip = mip}}).wait(patience),
                       invalid("T-04", {"edge"}, {mip}));
    }
}

TEST_F(TextureEdges, StridesAndSizesOfWritesHoldToTheByte) {
    const Texture texture = must(create({5, 4, 2}, Format::rgba8_unorm));
    const auto write = [&](std::size_t bytes, std::optional<std::uint64_t> pitch,
                           std::optional<std::uint64_t> rows, std::uint64_t offset = 0) {
        return device().write(
            texture, Bytes(bytes),
            {.offset_bytes = offset, .bytes_per_row = pitch, .rows_per_image = rows});
    };
    const std::size_t whole = 5 * 4 * 4 * 2;
    expect_refused(write(whole, {}, {}), invalid("L-02", {"edge"}, {20}));
    expect_refused(write(whole, 20, {}), invalid("L-03", {"edge"}, {4}));
    expect_refused(write(whole, 19, 4), invalid("L-04", {"edge"}, {19, 20}));
    expect_refused(write(whole, 0, 4), invalid("L-04", {"edge"}, {0, 20}));
    expect_refused(write(whole, 20, 3), invalid("L-05", {"edge"}, {3, 4}));
    expect_refused(write(whole, 20, 0), invalid("L-05", {"edge"}, {0, 4}));
    expect_refused(write(whole - 1, 20, 4), invalid("L-09", {"edge"}, {whole, whole - 1}));
    EXPECT_TRUE(ok(write(whole, 20, 4)));
    EXPECT_TRUE(ok(write(whole + 1, 20, 4)));
    const std::size_t loose = 21 * 5 + 21 * 3 + 20;
    expect_refused(write(loose - 1, 21, 5), invalid("L-09", {}, {loose, loose - 1}));
    EXPECT_TRUE(ok(write(loose, 21, 5)));
    expect_refused(write(whole + 2, 20, 4, 3), invalid("L-09", {}, {whole, 3, whole + 2}));
    EXPECT_TRUE(ok(write(whole + 3, 20, 4, 3)));
    expect_refused(write(whole, 20, 4, most), invalid("L-10"));
    expect_refused(write(whole, two_32 - 1, 4), invalid("A-14"));
    expect_refused(write(whole, two_32 + 20, 4), invalid("A-14"));
    expect_refused(write(whole, 20, two_32 + 4), invalid("A-14"));
    expect_refused(write(whole, most, most), invalid());
    expect_refused(write(whole, two_32 - 2, two_32 - 2), invalid());
}

TEST_F(TextureEdges, StridesAndSizesOfCopiesHoldToTheByte) {
    const Texture bytes = must(create({5, 4}));
    const Texture words = must(create({5, 4}, Format::rgba8_unorm));
    const auto copy = [&](const Texture& texture, std::uint64_t size_bytes,
                          const ImageLayout& layout, bool out) {
        const Buffer buffer =
            make_buffer(device(), size_bytes, Usage::copy_src | Usage::copy_dst, "rows");
        return submit([&](Commands& to) {
            if (out) {
                to.copy(texture, {buffer, layout});
            } else {
                to.copy({buffer, layout}, texture);
            }
        });
    };
    for (bool out : {false, true}) {
        const auto of = [&](const Texture& texture, std::uint64_t size, const ImageLayout& layout) {
            return copy(texture, size, layout, out);
        };
        using L = ImageLayout;
        expect_refused(of(bytes, 773, L{}), invalid("L-02", {"edge"}));
        expect_refused(of(bytes, 772, L{.bytes_per_row = 256}), invalid("L-09", {"rows"}, {773}));
        EXPECT_TRUE(ok(of(bytes, 773, L{.bytes_per_row = 256})));
        EXPECT_TRUE(ok(of(bytes, 770, L{.bytes_per_row = 255}))) << "row by row";
        EXPECT_TRUE(ok(of(bytes, 776, L{.bytes_per_row = 257}))) << "row by row";
        expect_refused(of(bytes, 769, L{.bytes_per_row = 255}), invalid("L-09", {"rows"}, {770}));
        expect_refused(of(bytes, 773, L{.bytes_per_row = 4}), invalid("L-04", {}, {4, 5}));
        EXPECT_TRUE(ok(of(bytes, 20, L{.tight = true})));
        expect_refused(of(bytes, 19, L{.tight = true}), invalid("L-09", {"rows"}, {20, 19}));
        EXPECT_TRUE(ok(of(words, 788, L{.bytes_per_row = 256})));
        expect_refused(of(words, 1000, L{.bytes_per_row = 255}), invalid("L-06", {}, {255, 256}));
        expect_refused(of(words, 1000, L{.bytes_per_row = 257}), invalid("L-06", {}, {257, 512}));
        expect_refused(of(words, 1000, L{.offset_bytes = 3, .bytes_per_row = 256}),
                       invalid("L-07", {"edge"}, {3, 4}));
        EXPECT_TRUE(ok(of(words, 1000, L{.offset_bytes = 4, .bytes_per_row = 256})));
        expect_refused(of(words, 1000, L{.offset_bytes = 5, .bytes_per_row = 256}),
                       invalid("L-07", {"edge"}, {5, 4, 8}));
        expect_refused(of(words, 1000, L{.offset_bytes = most, .bytes_per_row = 256}), invalid());
        expect_refused(of(words, 1000, L{.offset_bytes = most - 3, .bytes_per_row = 256}),
                       invalid("", {"edge"}));
        expect_refused(of(words, 1000, L{.offset_bytes = two_32, .bytes_per_row = 256}),
                       invalid("L-09", {"rows"}, {two_32}));
        expect_refused(of(words, 1000, L{.bytes_per_row = two_32}), invalid("A-14", {"edge"}));
        expect_refused(of(words, 1000, L{.bytes_per_row = two_32 - 1}), invalid("A-14"));
        expect_refused(of(words, 1000, L{.bytes_per_row = 256, .rows_per_image = 3}),
                       invalid("L-05", {"edge"}, {3, 4}));
        EXPECT_TRUE(ok(of(words, 788, L{.bytes_per_row = 256, .rows_per_image = 4})));
        EXPECT_TRUE(ok(of(words, 788, L{.bytes_per_row = 256, .rows_per_image = two_32 - 2})));
    }
}

} // namespace
} // namespace ferry::test
