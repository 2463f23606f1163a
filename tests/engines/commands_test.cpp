// SPDX-License-Identifier: MIT
// Copies and clears: rules K-01 to K-11, case A32.
#include "mapping_fixture.hpp"

namespace ferry::test {
namespace {

constexpr Usage copied = Usage::copy_src | Usage::copy_dst;
constexpr std::uint64_t most = ~std::uint64_t{0};

class Copies : public MappingTest {
protected:
    /// What `submit` says to one recorded copy.
    static Result<Submission> submit_copy(const BufferView& source, const BufferView& target) {
        auto commands = device().record();
        commands.copy(source, target);
        return device().submit(std::move(commands));
    }
    static Result<Submission> submit_clear(const BufferView& target) {
        auto commands = device().record();
        commands.clear(target);
        return device().submit(std::move(commands));
    }
};

TEST_F(Copies, K01_AWholeBufferIsCopiedToTheStartOfALargerOne) {
    const Buffer source = make_filled(device(), pattern(16));
    const Buffer target = make_buffer(device(), 32, copied);
    ASSERT_TRUE(ok(submit_copy(source, target)));
    auto expected = pattern(16);
    expected.resize(32);
    EXPECT_EQ(bytes_of(target), expected);
}

TEST_F(Copies, K02_AnOmittedSizeIsTheRestOfTheSourceWithoutAClamp) {
    const Buffer source = make_filled(device(), pattern(32));
    const Buffer target = make_buffer(device(), 16, copied);
    EXPECT_TRUE(refused(submit_copy({source, {12, {}}}, target), invalid("K-05", {}, {20, 16})));
    ASSERT_TRUE(ok(submit_copy({source, {16, {}}}, target)));
    EXPECT_EQ(bytes_of(target), part(pattern(32), 16, 16));
}

TEST_F(Copies, K03_BothSidesNeedTheirUsage) {
    const Buffer storage = make_buffer(device(), 16, Usage::storage, "data");
    const Buffer other = make_buffer(device(), 16, copied);
    EXPECT_TRUE(refused(submit_copy(storage, other), invalid("K-03", {"data", "copy_src"})));
    EXPECT_TRUE(refused(submit_copy(other, storage), invalid("K-03", {"data", "copy_dst"})));
}

TEST_F(Copies, K04_MisalignedOffsetsAndSizesAreRefusedWithTheNearestLegalValue) {
    const Buffer a = make_buffer(device(), 32, copied, "a");
    const Buffer b = make_buffer(device(), 32, copied, "b");
    EXPECT_TRUE(refused(submit_copy({a, {2, 4}}, b), invalid("K-04", {}, {2})));
    EXPECT_TRUE(refused(submit_copy({a, {0, 4}}, {b, {6, {}}}), invalid("K-04", {}, {6})));
    auto size = submit_copy({a, {0, 10}}, b);
    ASSERT_TRUE(refused(size, invalid("K-04", {}, {10})));
    EXPECT_TRUE(names_number(size.error(), 8) || names_number(size.error(), 12))
        << to_string(size.error());
}

TEST_F(Copies, K04_K05_EverySmallCopyIsByteExactOrRefused) {
    const Buffer source = make_filled(device(), pattern(16));
    const Buffer target = make_buffer(device(), 16, copied);
    std::vector<std::byte> model(16);
    for (std::uint64_t from = 0; from <= 18; ++from) {
        for (std::uint64_t to = 0; to <= 18; ++to) {
            for (std::uint64_t size = 0; size <= 18; ++size) {
                const bool legal = from % 4 == 0 && to % 4 == 0 && size % 4 == 0 &&
                                   from + size <= 16 && to + size <= 16;
                auto commands = device().record();
                commands.copy({source, {from, size}}, {target, {to, {}}});
                ASSERT_EQ(commands.error() == nullptr, legal)
                    << from << " to " << to << ", " << size;
                if (!legal) continue;
                commands.clear(target);
                commands.copy({source, {from, size}}, {target, {to, size}});
                ASSERT_TRUE(ok(device().submit(std::move(commands))));
                std::fill(model.begin(), model.end(), std::byte{0});
                for (std::uint64_t at = 0; at < size; ++at) model[to + at] = pattern(16)[from + at];
                ASSERT_EQ(bytes_of(target), model) << from << " to " << to << ", " << size;
            }
        }
    }
}

TEST_F(Copies, AnOddTailIsCopiedWhereItEndsBothBuffers) {
    const Buffer source = make_filled(device(), pattern(18));
    const Buffer same = make_buffer(device(), 18, copied);
    ASSERT_TRUE(ok(submit_copy(source, same)));
    EXPECT_EQ(bytes_of(same), pattern(18));

    const Buffer small = make_buffer(device(), 6, copied);
    ASSERT_TRUE(ok(submit_copy({source, {12, 6}}, small)));
    EXPECT_EQ(bytes_of(small), part(pattern(18), 12, 6));

    const Buffer longer = make_filled(device(), pattern(24, 9));
    EXPECT_TRUE(refused(submit_copy(source, longer), invalid("K-04")))
        << "it would write over two bytes behind";
    EXPECT_EQ(bytes_of(longer), pattern(24, 9));
    const Buffer whole = make_filled(device(), pattern(20));
    EXPECT_TRUE(refused(submit_copy({whole, {0, 18}}, same), invalid("K-04")))
        << "it ends inside the source";
}

TEST_F(Copies, K05_RangesOutsideTheBuffersAreRefusedWithTheNumbers) {
    const Buffer a = make_buffer(device(), 32, copied, "a");
    const Buffer b = make_buffer(device(), 16, copied, "b");
    EXPECT_TRUE(refused(submit_copy({a, {16, 20}}, b), invalid("K-05", {}, {16, 20, 32})));
    EXPECT_TRUE(refused(submit_copy({a, {0, 16}}, {b, {4, {}}}), invalid("K-05", {}, {4, 16})));
    EXPECT_TRUE(refused(submit_copy({a, {36, 0}}, b), invalid("K-05", {}, {36, 32}))) << "K-07";
    EXPECT_TRUE(refused(submit_copy({a, {0, 0}}, {b, {20, {}}}), invalid("K-05", {}, {20, 16})))
        << "K-07";
}

TEST_F(Copies, K05_NothingWrapsAroundNearTwoToThe64) {
    const Buffer a = make_buffer(device(), 32, copied);
    const Buffer b = make_buffer(device(), 32, copied);
    for (std::uint64_t near : {most, most - 3, most - 7, most - 15, most - 31, most / 2 + 1}) {
        EXPECT_TRUE(refused(submit_copy({a, {near, 4}}, b), invalid())) << near;
        EXPECT_TRUE(refused(submit_copy({a, {near, {}}}, b), invalid())) << near;
        EXPECT_TRUE(refused(submit_copy({a, {4, near}}, b), invalid())) << near;
        EXPECT_TRUE(refused(submit_copy({a, {near, near}}, b), invalid())) << near;
        EXPECT_TRUE(refused(submit_copy({a, {0, 4}}, {b, {near, {}}}), invalid())) << near;
        EXPECT_TRUE(refused(submit_copy({a, {0, 4}}, {b, {0, near}}), invalid())) << near;
        EXPECT_TRUE(refused(submit_clear({a, {near, 4}}), invalid())) << near;
        EXPECT_TRUE(refused(submit_clear({a, {4, near}}), invalid())) << near;
        EXPECT_TRUE(refused(submit_clear({a, {near, {}}}), invalid())) << near;
        EXPECT_TRUE(refused(device().read<std::byte>({a, {near, 4}}).wait(patience), invalid()))
            << near;
        EXPECT_TRUE(refused(device().read<std::byte>({a, {1, near}}).wait(patience), invalid()))
            << near;
        EXPECT_TRUE(refused(device().read<std::byte>({a, {near, {}}}).wait(patience), invalid()))
            << near;
    }
}

TEST_F(Copies, ATargetSizeThatIsGivenEqualsTheSources) {
    const Buffer a = make_filled(device(), pattern(32));
    const Buffer b = make_buffer(device(), 32, copied);
    EXPECT_TRUE(ok(submit_copy({a, {0, 8}}, {b, {4, 8}})));
    EXPECT_TRUE(refused(submit_copy({a, {0, 8}}, {b, {0, 12}}), invalid("", {}, {8, 12})));
    EXPECT_TRUE(refused(submit_copy({a, {0, 8}}, {b, {0, 4}}), invalid("", {}, {8, 4})));
}

TEST_F(Copies, A32_K06_WithinOneBufferIsRefusedAlsoForDisjointRanges) {
    const Buffer buffer = make_filled(device(), pattern(256), copied, "only");
    EXPECT_TRUE(
        refused(submit_copy({buffer, {0, 64}}, {buffer, {128, {}}}), invalid("K-06", {"only"})));
    EXPECT_TRUE(refused(submit_copy({buffer, {0, 64}}, {buffer, {32, {}}}), invalid("K-06")));
    EXPECT_EQ(bytes_of(buffer), pattern(256));
}

TEST_F(Copies, A32_K07_NothingIsCopiedWithoutComplaint) {
    const Buffer a = make_filled(device(), pattern(16));
    const Buffer b = make_buffer(device(), 16, copied);
    const Buffer none = make_buffer(device(), 0, copied);
    EXPECT_TRUE(ok(submit_copy({a, {0, 0}}, b)));
    EXPECT_TRUE(ok(submit_copy({a, {16, 0}}, {b, {16, {}}})));
    EXPECT_TRUE(ok(submit_copy({a, {16, {}}}, b)));
    EXPECT_TRUE(ok(submit_copy(none, b)));
    EXPECT_EQ(bytes_of(b), std::vector<std::byte>(16));
}

TEST_F(Copies, K10_ClearSetsExactlyItsRangeToZero) {
    for (std::uint64_t offset = 0; offset <= 20; ++offset) {
        for (std::uint64_t size = 0; size <= 20; ++size) {
            const Buffer buffer = make_filled(device(), pattern(16));
            const bool legal = offset % 4 == 0 && size % 4 == 0 && offset + size <= 16;
            auto cleared = submit_clear({buffer, {offset, size}});
            ASSERT_EQ(cleared.has_value(), legal) << offset << ", " << size;
            auto model = pattern(16);
            for (std::uint64_t at = 0; legal && at < size; ++at) model[offset + at] = std::byte{0};
            ASSERT_EQ(bytes_of(buffer), model) << offset << ", " << size;
        }
    }
}

TEST_F(Copies, K10_ClearByDefaultClearsTheRest) {
    const Buffer buffer = make_filled(device(), pattern(16));
    ASSERT_TRUE(ok(submit_clear({buffer, {8, {}}})));
    auto model = part(pattern(16), 0, 8);
    model.resize(16);
    EXPECT_EQ(bytes_of(buffer), model);
    ASSERT_TRUE(ok(submit_clear(buffer)));
    EXPECT_EQ(bytes_of(buffer), std::vector<std::byte>(16));
}

TEST_F(Copies, K10_ClearRefusesWithItsRule) {
    const Buffer buffer = make_buffer(device(), 16, copied, "counter");
    const Buffer fixed = make_buffer(device(), 16, Usage::storage, "fixed");
    EXPECT_TRUE(refused(submit_clear({buffer, {2, 4}}), invalid("K-10", {"counter"}, {2})));
    EXPECT_TRUE(refused(submit_clear({buffer, {0, 6}}), invalid("K-10", {"counter"}, {6})));
    EXPECT_TRUE(
        refused(submit_clear({buffer, {8, 12}}), invalid("K-10", {"counter"}, {8, 12, 16})));
    EXPECT_TRUE(refused(submit_clear({buffer, {20, {}}}), invalid("K-10", {"counter"}, {20, 16})));
    EXPECT_TRUE(refused(submit_clear({buffer, {20, 0}}), invalid("K-10")));
    EXPECT_TRUE(refused(submit_clear(fixed), invalid("", {"fixed", "copy_dst"})));
}

TEST_F(Copies, K10_ClearingNothingIsNoCommand) {
    const Buffer buffer = make_filled(device(), pattern(16));
    const Buffer none = make_buffer(device(), 0, copied);
    EXPECT_TRUE(ok(submit_clear({buffer, {0, 0}})));
    EXPECT_TRUE(ok(submit_clear({buffer, {16, 0}})));
    EXPECT_TRUE(ok(submit_clear({buffer, {16, {}}})));
    EXPECT_TRUE(ok(submit_clear(none)));
    EXPECT_EQ(bytes_of(buffer), pattern(16));
}

TEST_F(Copies, K11_ABufferOfOddSizeIsClearedWhole) {
    const Buffer buffer = make_filled(device(), pattern(18));
    ASSERT_TRUE(ok(submit_clear({buffer, {16, {}}})));
    auto model = part(pattern(18), 0, 16);
    model.resize(18);
    EXPECT_EQ(bytes_of(buffer), model);
    ASSERT_TRUE(ok(submit_clear(buffer)));
    EXPECT_EQ(bytes_of(buffer), std::vector<std::byte>(18));
    EXPECT_TRUE(refused(submit_clear({buffer, {0, 17}}), invalid("K-10")));
    EXPECT_TRUE(refused(submit_clear({buffer, {0, 20}}), invalid("K-10")));
}

} // namespace
} // namespace ferry::test
