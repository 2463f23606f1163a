// SPDX-License-Identifier: MIT
// Ranges: what may be mapped (M-02, M-05 to M-07) and what may be handed out of a mapping (G-02 to
// G-09), case A04.
#include "mapping_fixture.hpp"

namespace ferry::test {
namespace {

class MappingRange : public MappingTest {};

constexpr std::uint64_t most = ~std::uint64_t{0};

struct MapCase {
    std::uint64_t buffer_size;
    ByteRange range;
    std::string_view rule; ///< empty: it works
    std::uint64_t size = 0;
};

TEST_F(MappingRange, M05_M06_M07_EdgeValues) {
    const MapCase cases[] = {
        {16, {}, "", 16},
        {16, {0, 16}, "", 16},
        {16, {8, 8}, "", 8},
        {16, {8, {}}, "", 8},
        {16, {0, 4}, "", 4},
        {16, {8, 4}, "", 4},
        {16, {0, 0}, "", 0},
        {16, {8, 0}, "", 0},
        {16, {16, 0}, "", 0},
        {16, {16, {}}, "", 0},
        {16, {24, {}}, "M-07"},
        {16, {24, 0}, "M-07"},
        {16, {8, most - 7}, "M-07"},
        {16, {0, 20}, "M-07"},
        {16, {16, 4}, "M-07"},
        {16, {most - 7, 8}, "M-07"},
        {16, {most - 7, {}}, "M-07"},
        {16, {4, 4}, "M-05"},
        {16, {1, {}}, "M-05"},
        {16, {12, 4}, "M-05"},
        {16, {0, 6}, "M-06"},
        {16, {8, 7}, "M-06"},
        {16, {0, 1}, "M-06"},
        {0, {}, "", 0},
        {0, {0, 0}, "", 0},
        {0, {0, 4}, "M-07"},
        {0, {8, {}}, "M-07"},
        {18, {}, "", 18},
        {18, {0, 18}, "", 18},
        {18, {0, 16}, "", 16},
        {18, {8, 10}, "", 10},
        {18, {8, {}}, "", 10},
        {18, {16, 2}, "", 2},
        {18, {16, {}}, "", 2},
        {18, {16, 0}, "", 0},
        {18, {0, 20}, "M-07"},
        {18, {16, 4}, "M-07"},
        {18, {0, 17}, "M-06"},
        {18, {8, 9}, "M-06"},
        {18, {24, 0}, "M-07"},
        {1, {}, "", 1},
        {3, {0, 3}, "", 3},
    };
    for (const MapCase& each : cases) {
        SCOPED_TRACE(testing::Message()
                     << "buffer of " << each.buffer_size << ", offset " << each.range.offset_bytes
                     << ", size " << each.range.size_bytes.value_or(most));
        Buffer buffer = make_filled(device(), pattern(each.buffer_size), readable);
        auto mapped = buffer.map_read(each.range).wait(patience);
        if (!each.rule.empty()) {
            EXPECT_TRUE(refused(mapped, invalid(std::string(each.rule))));
            EXPECT_EQ(buffer.map_state(), MapState::unmapped);
            continue;
        }
        ASSERT_TRUE(ok(mapped));
        EXPECT_EQ(mapped->range().offset_bytes, each.range.offset_bytes);
        EXPECT_EQ(mapped->range().size_bytes, each.size);
        const auto expected = part(pattern(each.buffer_size), each.range.offset_bytes, each.size);
        EXPECT_EQ(must(must(mapped->as<std::byte>()).copy()), expected);
    }
}

TEST_F(MappingRange, M05_M06_M07_EverySmallRangeOfA16And18ByteBuffer) {
    for (std::uint64_t whole : {16U, 18U}) {
        Buffer buffer = make_buffer(device(), whole, writable);
        for (std::uint64_t offset = 0; offset <= 26; ++offset) {
            for (std::uint64_t size = 0; size <= 26; ++size) {
                const bool inside = offset + size <= whole;
                const bool legal =
                    offset % 8 == 0 && inside && (size % 4 == 0 || offset + size == whole);
                auto mapped = buffer.map_write({offset, size}).wait(patience);
                ASSERT_EQ(mapped.has_value(), legal) << whole << ": " << offset << ", " << size;
                if (!mapped) {
                    ASSERT_TRUE(refused(mapped, invalid()));
                }
            }
        }
    }
}

TEST_F(MappingRange, ARefusalNamesTheNumbersAndTheNearestLegalValue) {
    Buffer buffer = make_buffer(device(), 64, readable, "result");
    EXPECT_TRUE(
        refused(buffer.map_read({20, 8}).wait(patience), invalid("M-05", {"result"}, {20, 8})));
    auto misaligned = buffer.map_read({20, 8}).wait(patience).error();
    EXPECT_TRUE(names_number(misaligned, 16) || names_number(misaligned, 24))
        << to_string(misaligned);
    auto odd = buffer.map_read({0, 30}).wait(patience).error();
    EXPECT_TRUE(names_number(odd, 28) || names_number(odd, 32)) << to_string(odd);
}

TEST_F(MappingRange, A04_ARangeOfAPartlyMappedBufferIsTheMappedPartOrRefused) {
    Buffer buffer = make_readable(counting<std::uint32_t>(256));
    auto mapping = must(buffer.map_read({256, 256}).wait(patience));
    EXPECT_EQ(must(must(mapping.as<std::uint32_t>({256, 256})).copy()),
              counting<std::uint32_t>(64, 64));
    EXPECT_TRUE(refused(mapping.as<std::uint32_t>({0, 64}), invalid("G-04", {}, {256})));
    EXPECT_EQ(must(must(mapping.as<std::uint32_t>()).copy()), counting<std::uint32_t>(64, 64));
    EXPECT_EQ(must(must(mapping.as<std::uint32_t>({448, {}})).copy()),
              counting<std::uint32_t>(16, 112));
}

TEST_F(MappingRange, G02_G03_G04_G05_EverySmallRangeOfAReadMapping) {
    Buffer buffer = make_readable(pattern(48));
    auto mapping = must(buffer.map_read({8, 32}).wait(patience));
    for (std::uint64_t offset = 0; offset <= 48; ++offset) {
        for (std::uint64_t size = 0; size <= 48; ++size) {
            const bool legal =
                offset % 8 == 0 && size % 4 == 0 && offset >= 8 && offset + size <= 40;
            auto span = mapping.as<std::byte>({offset, size});
            ASSERT_EQ(span.has_value(), legal) << offset << ", " << size;
            if (span) {
                ASSERT_EQ(must(span->copy()), part(pattern(48), offset, size));
            } else {
                ASSERT_TRUE(refused(span, invalid()));
            }
        }
    }
}

TEST_F(MappingRange, G02_G03_G04_G05_EachRuleIsNamed) {
    Buffer buffer = make_readable(pattern(64), "result");
    auto mapping = must(buffer.map_read({8, 32}).wait(patience));
    EXPECT_TRUE(refused(mapping.as<std::byte>({12, 4}), invalid("G-02", {"result"}, {12})));
    EXPECT_TRUE(refused(mapping.as<std::byte>({8, 6}), invalid("G-03", {"result"}, {6})));
    EXPECT_TRUE(refused(mapping.as<std::byte>({0, 4}), invalid("G-04", {"result"}, {0, 8})));
    EXPECT_TRUE(refused(mapping.as<std::byte>({32, 12}), invalid("G-05", {"result"}, {32, 12})));
    EXPECT_TRUE(refused(mapping.as<std::byte>({16, most - 15}), invalid("G-05")));
    EXPECT_TRUE(refused(mapping.as<std::byte>({most - 7, 8}), invalid()));
    EXPECT_TRUE(refused(mapping.as<std::byte>({48, {}}), invalid()));
    EXPECT_EQ(must(mapping.as<std::byte>({40, 0})).size(), 0U);
    EXPECT_EQ(must(mapping.as<std::byte>({40, {}})).size(), 0U);
}

TEST_F(MappingRange, G03_ARangeMayEndAtTheVisibleEndOfAnOddBuffer) {
    Buffer buffer = make_filled(device(), pattern(18), readable);
    auto mapping = must(buffer.map_read().wait(patience));
    EXPECT_EQ(must(must(mapping.as<std::byte>({16, {}})).copy()), part(pattern(18), 16, 2));
    EXPECT_EQ(must(must(mapping.as<std::byte>({8, 10})).copy()), part(pattern(18), 8, 10));
    EXPECT_TRUE(refused(mapping.as<std::byte>({8, 9}), invalid("G-03")));
    EXPECT_TRUE(refused(mapping.as<std::byte>({16, 4}), invalid("G-05")))
        << "the padding is not the caller's";
}

/// All legal ranges of a mapping of 32 bytes.
std::vector<ByteRange> legal_ranges() {
    std::vector<ByteRange> out;
    for (std::uint64_t offset = 0; offset <= 32; offset += 8) {
        for (std::uint64_t size = 0; offset + size <= 32; size += 4) out.push_back({offset, size});
    }
    return out;
}

TEST_F(MappingRange, G06_G09_EveryPairOfWritableRangesIsDisjointOrRefused) {
    Buffer buffer = make_buffer(device(), 32, writable);
    for (const ByteRange& a : legal_ranges()) {
        for (const ByteRange& b : legal_ranges()) {
            const auto a_end = a.offset_bytes + *a.size_bytes;
            const auto b_end = b.offset_bytes + *b.size_bytes;
            const bool disjoint = a_end <= b.offset_bytes || b_end <= a.offset_bytes;
            auto mapping = must(buffer.map_write().wait(patience));
            ASSERT_TRUE(ok(mapping.as<std::byte>(a)));
            auto second = mapping.as<std::byte>(b);
            ASSERT_EQ(second.has_value(), disjoint)
                << a.offset_bytes << "+" << *a.size_bytes << " and " << b.offset_bytes << "+"
                << *b.size_bytes;
            if (!second) {
                ASSERT_TRUE(refused(second, invalid("G-06")));
            }
        }
    }
}

TEST_F(MappingRange, G06_EveryPairOfReadableRangesIsAllowed) {
    Buffer buffer = make_readable(pattern(32));
    auto mapping = must(buffer.map_read().wait(patience));
    for (const ByteRange& a : legal_ranges()) {
        for (const ByteRange& b : legal_ranges()) {
            auto first = must(mapping.as<std::byte>(a));
            auto second = must(mapping.as<std::byte>(b));
            ASSERT_EQ(must(first.copy()), part(pattern(32), a.offset_bytes, *a.size_bytes));
            ASSERT_EQ(must(second.copy()), part(pattern(32), b.offset_bytes, *b.size_bytes));
        }
    }
}

TEST_F(MappingRange, G08_AWritableRangeStaysHandedOutUntilUnmapAndMayThenBeAskedForAgain) {
    Buffer buffer = make_buffer(device(), 32, writable, "staging");
    auto mapping = must(buffer.map_write().wait(patience));
    { auto span = must(mapping.as<std::byte>({0, 16})); }
    EXPECT_TRUE(refused(mapping.as<std::byte>({0, 16}), invalid("G-06", {"staging"}, {0})));
    EXPECT_TRUE(refused(mapping.as<std::byte>(), invalid("G-06")));
    EXPECT_TRUE(ok(mapping.as<std::byte>({16, 16})));
    EXPECT_TRUE(ok(mapping.unmap()));
    auto again = must(buffer.map_write().wait(patience));
    EXPECT_TRUE(ok(again.as<std::byte>({0, 16}))) << "G-11";
}

TEST_F(MappingRange, ATypeFitsTheRangeOrIsRefused) {
    struct alignas(16) Wide {
        float values[4];
    };
    Buffer buffer = make_readable(pattern(24));
    auto mapping = must(buffer.map_read().wait(patience));
    EXPECT_EQ(must(mapping.as<std::uint64_t>()).size(), 3U);
    EXPECT_TRUE(refused(mapping.as<Wide>(), invalid("", {}, {16})))
        << "24 bytes are no whole number of 16";
    EXPECT_TRUE(refused(mapping.as<Wide>({8, 16}), invalid("", {}, {8, 16})))
        << "8 is not aligned to 16";
    EXPECT_EQ(must(mapping.as<Wide>({0, 16})).size(), 1U);
    EXPECT_TRUE(refused(mapping.as<std::uint64_t>({0, 12}), invalid("", {}, {8})));
    auto first = must(must(mapping.as<Wide>({0, 16})).span());
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first.data()) % 16, 0U);
}

} // namespace
} // namespace ferry::test
