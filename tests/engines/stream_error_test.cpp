// SPDX-License-Identifier: MIT
// Streams that are asked for what cannot be, and sources and targets that fail.
#include "stream_fixture.hpp"

#include "texel_model.hpp"

namespace ferry::test {
namespace {

class StreamError : public StreamTest {
protected:
    void TearDown() override {
        expect_streams_work();
        StreamTest::TearDown();
    }
};

constexpr std::uint64_t total = 1'000, chunk = 100;
const StreamOptions by_chunks{.chunk_bytes = chunk, .depth = 2};

/// The error names how far the stream came, which is a whole number of chunks.
void expect_says_how_far(const Error& error, std::uint64_t done_bytes) {
    EXPECT_TRUE(names(error, "after (" + std::to_string(done_bytes) + ") of (1000) bytes"))
        << to_string(error);
    EXPECT_EQ(std::string_view(error.where.file_name()).ends_with("stream_error_test.cpp"), true);
}

TEST_F(StreamError, OptionsWithoutSenseAreRefused) {
    const Buffer buffer = target_of(total);
    Bytes data(total);
    const auto expect = [&](const StreamOptions& options, std::uint64_t number) {
        const Refusal wanted = invalid("", {}, {number});
        EXPECT_TRUE(refused(upload(device(), data, buffer, options), wanted));
        EXPECT_TRUE(refused(download(device(), buffer, data, options), wanted));
        StreamSource source(data);
        EXPECT_TRUE(refused(Upload::begin(device(), source, buffer, options), wanted));
    };
    expect({.chunk_bytes = 0}, 0);
    expect({.chunk_bytes = 3}, 3);
    expect({.chunk_bytes = 6}, 6);
    expect({.depth = 0}, 0);
}

TEST_F(StreamError, HugeOptionsAreNoReasonToFail) {
    const Bytes data = pattern(total);
    const Buffer buffer = target_of(total);
    for (const StreamOptions& options :
         {StreamOptions{.chunk_bytes = ~std::uint64_t{3}},
          {.chunk_bytes = 4, .depth = ~std::uint32_t{0}},
          {.chunk_bytes = ~std::uint64_t{3}, .depth = ~std::uint32_t{0}},
          {.patience = std::chrono::nanoseconds::max()}}) {
        must(upload(device(), data, buffer, options));
        Bytes back(total);
        must(download(device(), buffer, back, options));
        EXPECT_EQ(back, data);
        const Texture texture = make_texture(device(), {10, 25});
        must(upload(device(), data, texture, std::nullopt, options));
        EXPECT_EQ(must(device().read<std::byte>(texture).wait(test::patience)), data);
    }
}

TEST_F(StreamError, NoPatienceIsATimeoutOrAResult) {
    const Bytes data = pattern(total);
    const Buffer buffer = target_of(total);
    must(upload(device(), data, buffer, {.chunk_bytes = ~std::uint64_t{3}, .patience = -1s}));
    Bytes back(total);
    const auto read = download(device(), buffer, back, {.patience = 0ns});
    if (read) {
        EXPECT_EQ(back, data);
    } else {
        EXPECT_TRUE(is_refusal(read.error(), {{Errc::timeout}, "", {".patience"}, {total}}));
    }
}

TEST_F(StreamError, RangesAndUsagesFollowTheRulesOfWritesAndReads) {
    const Buffer buffer = target_of(103);
    const Buffer source_only = make_buffer(device(), 64, Usage::copy_src, "source only");
    const Buffer target_only = make_buffer(device(), 64, Usage::copy_dst, "target only");
    Bytes data(200);
    const auto send = [&](const BufferView& to) { return upload(device(), data, to); };
    const auto bring = [&](const BufferView& from) { return download(device(), from, data); };
    EXPECT_TRUE(refused(send({buffer, {2, 4}}), invalid("K-04", {"mesh"}, {2})));
    EXPECT_TRUE(refused(send({buffer, {0, 5}}), invalid("K-04", {"mesh"}, {5})));
    EXPECT_TRUE(refused(send({buffer, {0, 104}}), invalid("K-05", {"mesh"}, {104, 103})));
    EXPECT_TRUE(refused(send({buffer, {104, 0}}), invalid("K-05", {"mesh"}, {104, 103})));
    EXPECT_TRUE(refused(send({buffer, {100, ~std::uint64_t{3}}}), invalid("K-05", {"mesh"})));
    EXPECT_TRUE(refused(send(source_only), invalid("K-03", {"source only", "copy_dst"})));
    EXPECT_TRUE(refused(bring({buffer, {100, 4}}), invalid("K-05", {"mesh"}, {103})));
    EXPECT_TRUE(refused(bring(target_only), invalid("K-03", {"target only", "copy_src"})));
    EXPECT_TRUE(refused(send(Buffer()), invalid()));
    EXPECT_TRUE(refused(bring(Buffer()), invalid()));
    EXPECT_TRUE(refused(send({BufferView(Buffer(), {0, 0})}), invalid()));
}

TEST_F(StreamError, RegionsFollowTheRulesOfTexelCopies) {
    const Texture texture = make_texture(device(), {16, 16, 2});
    const Texture depth =
        make_texture(device(), {16, 16}, TextureUsage::copy_src | TextureUsage::copy_dst, "depth",
                     Format::depth16_unorm);
    const Texture source_only = make_texture(device(), {4, 4}, TextureUsage::copy_src, "no target");
    Bytes data(4'096);
    const auto send = [&](const TextureAt& to, std::optional<Extent3D> size = {}) {
        return upload(device(), data, to, size);
    };
    EXPECT_TRUE(refused(send({texture, {.mip = 1}}), invalid("T-04", {"sky"}, {1})));
    EXPECT_TRUE(refused(send({texture, {.origin = {1}}}, Extent3D{16, 1}), invalid("T-06")));
    EXPECT_TRUE(refused(send(texture, Extent3D{16, 16, 3}), invalid("T-06", {}, {3, 2})));
    EXPECT_TRUE(refused(send(depth, Extent3D{8, 16}), invalid("T-07", {"depth"})));
    EXPECT_TRUE(refused(send(source_only), invalid("T-02", {"no target", "copy_dst"})));
    EXPECT_TRUE(refused(send(Texture()), invalid()));
    EXPECT_TRUE(refused(download(device(), {texture, {.mip = 9}}, data), invalid("T-04")));
    EXPECT_TRUE(refused(send(texture, Extent3D{~std::uint64_t{0}, 1}), invalid("T-06")));
}

TEST_F(StreamError, EmptyHandlesAnswer) {
    const Buffer buffer = target_of(8);
    Bytes data(8);
    Device none;
    EXPECT_TRUE(refused(upload(none, data, buffer), invalid()));
    EXPECT_TRUE(refused(download(none, buffer, data), invalid()));
    StreamSource source(data);
    StreamTarget target(data);
    const StreamSource moved_source = std::move(source);
    const StreamTarget moved_target = std::move(target);
    // NOLINTBEGIN(bugprone-use-after-move): that is the test
    EXPECT_TRUE(refused(upload(device(), source, buffer), invalid()));
    EXPECT_TRUE(refused(download(device(), buffer, target), invalid()));
    EXPECT_TRUE(refused(target.close(), invalid()));
    // NOLINTEND(bugprone-use-after-move)
    EXPECT_TRUE(refused(Upload().step(), invalid()));
    EXPECT_TRUE(refused(Download().step(), invalid()));
    EXPECT_EQ(Upload().progress().total_bytes + Download().report().bytes, 0U);
    EXPECT_TRUE(refused(upload(device(), StreamSource(StreamSource::Read()), buffer), invalid()));
    EXPECT_TRUE(
        refused(download(device(), buffer, StreamTarget(StreamTarget::Write())), invalid()));
}

TEST_F(StreamError, AnotherDevicesBufferIsRefused) {
    Device other = open_device({.label = "other"});
    const Buffer foreign = make_buffer(other, 64, copied, "foreign");
    Bytes data(64);
    EXPECT_TRUE(refused(upload(device(), data, foreign), invalid("K-03", {"foreign"})));
    EXPECT_TRUE(refused(download(device(), foreign, data), invalid("K-03", {"foreign"})));
    const Texture image = make_texture(other, {4, 4});
    EXPECT_TRUE(refused(upload(device(), data, image), invalid("T-01")));
    EXPECT_TRUE(refused(download(device(), image, data), invalid("T-01")));
}

/// Reads `good` chunks and then does something bad.
template <class Bad>
auto after(std::uint64_t good, Bad bad) {
    return [good, bad](std::span<std::byte> memory) mutable -> Result<std::size_t> {
        if (good-- == 0) return bad(memory);
        std::fill(memory.begin(), memory.end(), std::byte{7});
        return memory.size();
    };
}

TEST_F(StreamError, AReaderThatFailsEndsTheUploadAndIsHeard) {
    const Buffer buffer = target_of(total);
    const auto expect = [&](std::uint64_t good, auto bad, const Refusal& wanted) {
        StreamSource source(after(good, bad));
        auto run = upload(device(), source, buffer, by_chunks);
        ASSERT_TRUE(refused(run, wanted));
        expect_says_how_far(run.error(), good * chunk);
    };
    for (const std::uint64_t good : {0U, 1U, 5U, 9U}) {
        expect(
            good, [](auto) -> std::size_t { throw std::runtime_error("no network"); },
            io({"reader throws", "no network"}));
        expect(
            good, [](auto) -> std::size_t { throw 5; }, io({"reader throws"}));
        expect(
            good, [](auto) { return std::size_t{0}; }, io({}, {chunk}));
        expect(
            good, [](auto memory) { return memory.size() + 1; }, io({}, {chunk + 1, chunk}));
        expect(
            good, [](auto) { return ~std::size_t{0}; }, io({}, {~std::uint64_t{0}, chunk}));
        expect(
            good,
            [](auto) -> Result<std::size_t> {
                return std::unexpected(Error{Errc::unsupported, {}, "no such codec", {}, {}, {}});
            },
            {{Errc::unsupported}, "", {"no such codec"}});
    }
}

TEST_F(StreamError, AReaderThatStopsInTheMiddleOfAChunkIsHeard) {
    const Bytes data = pattern(350);
    const Buffer buffer = target_of(total);
    auto run = upload(device(), GiveParts{data, 30}, buffer, by_chunks);
    ASSERT_TRUE(refused(run, io({}, {50, chunk})));
    expect_says_how_far(run.error(), 300);
    EXPECT_EQ(bytes_of({buffer, {300, 700}}), Bytes(700)) << "nothing of the broken chunk is sent";
}

TEST_F(StreamError, MemoryThatIsTooShortIsHeard) {
    const Bytes data = pattern(950);
    const Buffer buffer = target_of(total);
    auto run = upload(device(), data, buffer, by_chunks);
    ASSERT_TRUE(refused(run, io({}, {50, 100})));
    expect_says_how_far(run.error(), 900);
    Bytes guarded(960, std::byte{0xA5});
    auto back = download(device(), buffer, std::span(guarded).first(950), by_chunks);
    ASSERT_TRUE(refused(back, invalid("", {}, {50, 100})));
    expect_says_how_far(back.error(), 900);
    EXPECT_EQ(part(guarded, 950, 10), Bytes(10, std::byte{0xA5}));
}

TEST_F(StreamError, AWriterThatFailsEndsTheDownloadAndIsHeard) {
    const Buffer buffer = target_of(total);
    const auto expect = [&](std::uint64_t good, auto bad, const Refusal& wanted) {
        StreamTarget target([&, good](auto) mutable -> Result<> {
            if (good-- == 0) return bad();
            return {};
        });
        auto run = download(device(), buffer, target, by_chunks);
        ASSERT_TRUE(refused(run, wanted));
        expect_says_how_far(run.error(), good * chunk);
    };
    for (const std::uint64_t good : {0U, 1U, 5U, 9U}) {
        expect(
            good, []() -> Result<> { throw std::runtime_error("no network"); },
            io({"writer throws", "no network"}));
        expect(
            good, []() -> Result<> { throw 5; }, io({"writer throws"}));
        expect(
            good,
            []() -> Result<> {
                return std::unexpected(Error{Errc::io, {}, "the peer has gone", {}, {}, {}});
            },
            io({"the peer has gone"}));
    }
}

TEST_F(StreamError, AProgressFunctionThatThrowsEndsTheStream) {
    Bytes data = pattern(total);
    const Buffer buffer = target_of(total);
    for (const std::uint64_t last : {100U, 500U, 1'000U}) {
        StreamOptions options = by_chunks;
        options.progress = [last](const StreamProgress& now) {
            if (now.done_bytes == last) throw std::runtime_error("window closed");
        };
        auto sent = upload(device(), data, buffer, options);
        ASSERT_TRUE(refused(sent, io({"progress function throws", "window closed"})));
        expect_says_how_far(sent.error(), last);
        auto come = download(device(), buffer, data, options);
        ASSERT_TRUE(refused(come, io({"progress function throws", "window closed"})));
        expect_says_how_far(come.error(), last);
    }
}

TEST_F(StreamError, AnErrorIsFinal) {
    const Buffer buffer = target_of(total);
    int asked = 0;
    StreamSource source([&](auto) -> Result<std::size_t> {
        ++asked;
        throw 5;
    });
    auto run = must(Upload::begin(device(), source, buffer, by_chunks));
    const auto first = run.step();
    ASSERT_FALSE(first);
    for (int turn = 0; turn < 3; ++turn) {
        const auto again = run.step();
        ASSERT_FALSE(again);
        EXPECT_EQ(again.error().what, first.error().what);
        EXPECT_EQ(again.error().trail, first.error().trail);
    }
    EXPECT_EQ(asked, 1);
    EXPECT_EQ(run.report().bytes, 0U);
}

TEST_F(StreamError, AnErrorBehindTheLastChunkIsFinalToo) {
    const Bytes data = pattern(total);
    const Buffer buffer = target_of(total);
    StreamSource source(data);
    Bytes back(total);
    StreamTarget target(back);
    StreamOptions options{.chunk_bytes = total};
    options.progress = [](const StreamProgress&) { throw 5; };
    auto sending = must(Upload::begin(device(), source, buffer, options));
    EXPECT_TRUE(refused(sending.step(), io({"progress function throws"})));
    EXPECT_TRUE(refused(sending.step(), io({"progress function throws"})));
    auto bringing = must(Download::begin(device(), buffer, target, options));
    EXPECT_TRUE(poll_until(device(), [&] { return !bringing.step(); }));
    EXPECT_TRUE(refused(bringing.step(), io({"progress function throws"})));
}

} // namespace
} // namespace ferry::test
