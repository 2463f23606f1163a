// SPDX-License-Identifier: MIT
// What happens to a device, a buffer or a stream in the middle of a stream.
#include "stream_fixture.hpp"

#include "texel_model.hpp"

namespace ferry::test {
namespace {

constexpr std::uint64_t total = 1'000, chunk = 100, chunks = 10;
constexpr Usage copied = Usage::copy_src | Usage::copy_dst;

/// Where in the stream it happens: inside a call of the source or target, or of the progress
/// function.
enum class Inside { ends, progress };

/// An upload and a download with something that happens at one chunk.
struct Scene {
    Device& device;
    const BufferView& buffer;
    std::uint64_t at = 0; ///< number of the chunk, from 0 on
    Inside inside = Inside::ends;
    std::uint32_t depth = 2;
    std::stop_token stop{};
    std::uint64_t moved = 0; ///< that the source gave or the target has

    [[nodiscard]] StreamOptions options(const std::function<void()>& event) const {
        StreamOptions out{.chunk_bytes = chunk, .depth = depth, .stop = stop};
        if (inside == Inside::progress) {
            out.progress = [this, event](const StreamProgress& now) {
                if (now.done_bytes == (at + 1) * chunk) event();
            };
        }
        return out;
    }
    Result<StreamReport> send(const std::function<void()>& event) {
        StreamSource source([this, event](std::span<std::byte> memory) -> Result<std::size_t> {
            std::fill(memory.begin(), memory.end(), std::byte{1});
            if (inside == Inside::ends && moved == at * chunk) event(); // may take the memory
            moved += memory.size();
            return memory.size();
        });
        return upload(device, source, buffer, options(event));
    }
    Result<StreamReport> bring(const std::function<void()>& event) {
        StreamTarget target([this, event](std::span<const std::byte> bytes) -> Result<> {
            moved += bytes.size();
            if (inside == Inside::ends && moved == (at + 1) * chunk) event();
            return {};
        });
        return download(device, buffer, target, options(event));
    }
};

/// The stream ends with `wanted`, and says how far it came; or all was done before.
void expect_end(const Result<StreamReport>& result, const Refusal& wanted, std::uint64_t at,
                bool last_counts) {
    if (result) {
        EXPECT_EQ(at, chunks - 1) << "it was allowed";
        EXPECT_TRUE(last_counts);
        EXPECT_EQ(result->bytes, total);
        return;
    }
    EXPECT_TRUE(is_refusal(result.error(), wanted));
    EXPECT_TRUE(names(result.error(), ") of (1000) bytes"));
}

template <class Body>
void at_each_chunk(Body body) {
    for (const Inside inside : {Inside::ends, Inside::progress}) {
        for (std::uint64_t at = 0; at < chunks; ++at) {
            SCOPED_TRACE("chunk " + std::to_string(at) +
                         (inside == Inside::ends ? ", in the end" : ", in progress"));
            body(at, inside);
        }
    }
}

class StreamState : public StreamTest {};

TEST_F(StreamState, AStreamStopsBeforeTheNextChunk) {
    const Buffer buffer = target_of(total);
    at_each_chunk([&](std::uint64_t at, Inside inside) {
        std::stop_source up, down;
        Scene sending{device(), buffer, at, inside, 2, up.get_token()};
        const auto sent = sending.send([&] { up.request_stop(); });
        // A chunk that the source was just giving is not sent any more.
        const std::uint64_t done = inside == Inside::ends ? at : at + 1;
        expect_end(sent, {{Errc::cancelled}}, at, inside == Inside::progress);
        if (!sent) {
            EXPECT_TRUE(names(sent.error(), "after (" + std::to_string(done * chunk) + ")"));
        }
        Scene bringing{device(), buffer, at, inside, 2, down.get_token()};
        const auto come = bringing.bring([&] { down.request_stop(); });
        expect_end(come, {{Errc::cancelled}}, at, true);
        EXPECT_EQ(bringing.moved, (at + 1) * chunk);
    });
    expect_streams_work();
}

TEST_F(StreamState, AStopBeforeTheFirstChunkMovesNothing) {
    std::stop_source stop;
    stop.request_stop();
    const Buffer buffer = target_of(total);
    const Refusal wanted{{Errc::cancelled}, "", {"mesh", "after (0) of (1000) bytes"}};
    Scene sending{device(), buffer, 99, Inside::ends, 2, stop.get_token()};
    EXPECT_TRUE(refused(sending.send([] {}), wanted));
    EXPECT_TRUE(refused(sending.bring([] {}), wanted));
    EXPECT_EQ(sending.moved, 0U);
    expect_streams_work();
}

TEST_F(StreamState, ABufferThatIsDestroyedEndsTheStream) {
    at_each_chunk([&](std::uint64_t at, Inside inside) {
        Buffer target = target_of(total);
        const auto sent = Scene{device(), target, at, inside}.send([&] { target.destroy(); });
        expect_end(sent, wrong_state("S-02", {"mesh", "destroyed"}), at,
                   inside == Inside::progress);
        Buffer source = target_of(total);
        const auto come = Scene{device(), source, at, inside}.bring([&] { source.destroy(); });
        expect_end(come, wrong_state("S-02", {"mesh", "destroyed"}), at, true);
    });
    expect_streams_work();
}

TEST_F(StreamState, ATextureThatIsDestroyedEndsTheStream) {
    Texture texture = make_texture(device(), {25, 10});
    const Bytes data = pattern(total);
    StreamOptions options{.chunk_bytes = 512, .depth = 1};
    options.progress = [&](const StreamProgress&) { texture.destroy(); };
    const Refusal wanted = wrong_state("T-08", {"sky", "destroyed", "after (200) of (1000)"});
    EXPECT_TRUE(refused(upload(device(), data, texture, std::nullopt, options), wanted));
    texture = make_texture(device(), {25, 10});
    Bytes back(total);
    EXPECT_TRUE(refused(download(device(), texture, back, std::nullopt, options), wanted));
    expect_streams_work();
}

TEST_F(StreamState, ABufferThatIsMappedEndsTheStream) {
    at_each_chunk([&](std::uint64_t at, Inside inside) {
        Buffer target = make_buffer(device(), total, Usage::map_read | Usage::copy_dst, "mesh");
        Ticket<ReadMapping> map;
        const auto sent =
            Scene{device(), target, at, inside}.send([&] { map = target.map_read(); });
        expect_end(sent, wrong_state("S-02", {"mesh"}), at, inside == Inside::progress);
        EXPECT_TRUE(ok(map.wait(patience)));
        Buffer source = make_buffer(device(), total, Usage::map_write | Usage::copy_src, "mesh");
        Ticket<WriteMapping> other;
        const auto come =
            Scene{device(), source, at, inside}.bring([&] { other = source.map_write(); });
        expect_end(come, wrong_state("S-02", {"mesh"}), at, true);
        EXPECT_TRUE(ok(other.wait(patience)));
    });
    expect_streams_work();
}

TEST_F(StreamState, AStepInsideItsOwnStepIsRefused) {
    const Bytes data = pattern(total);
    const Buffer buffer = target_of(total);
    Upload sending;
    Download bringing;
    int refusals = 0;
    const auto expect_refused = [&](const Result<bool>& step) {
        EXPECT_TRUE(refused(step, wrong_state("", {"in the middle of a chunk"})));
        ++refusals;
    };
    StreamSource source([&, parts = GiveParts{data, 1'000}](auto memory) mutable {
        expect_refused(sending.step());
        return parts(memory);
    });
    Bytes back;
    StreamTarget target([&](auto bytes) {
        expect_refused(bringing.step());
        return Keep{&back}(bytes);
    });
    sending = must(Upload::begin(device(), source, buffer, {.chunk_bytes = 500, .depth = 1}));
    EXPECT_TRUE(poll_until(device(), [&] { return must(sending.step()); }));
    bringing = must(Download::begin(device(), buffer, target, {.chunk_bytes = 500}));
    EXPECT_TRUE(poll_until(device(), [&] { return must(bringing.step()); }));
    EXPECT_EQ(back, data);
    EXPECT_EQ(refusals, 4);
}

TEST_F(StreamState, AStreamMayBeDroppedInsideItsOwnStep) {
    const Buffer buffer = target_of(total);
    Upload sending;
    Download bringing;
    StreamSource source([&](std::span<std::byte> memory) -> Result<std::size_t> {
        sending = {};
        std::fill(memory.begin(), memory.end(), std::byte{5});
        return memory.size();
    });
    StreamTarget target([&](auto) -> Result<> {
        bringing = {};
        return {};
    });
    sending = must(Upload::begin(device(), source, buffer, {.chunk_bytes = chunk}));
    EXPECT_EQ(must(sending.step()), false);
    bringing = must(Download::begin(device(), buffer, target, {.chunk_bytes = chunk}));
    EXPECT_TRUE(poll_until(device(), [&] {
        const auto step = bringing.step();
        return !step && is_refusal(step.error(), invalid());
    }));
    EXPECT_EQ(bytes_of({buffer, {0, chunk}}), Bytes(chunk, std::byte{5}));
    expect_streams_work();
}

TEST_F(StreamState, ASourceMayUseTheDeviceItself) {
    const Buffer buffer = target_of(total), other = target_of(total);
    const Bytes data = pattern(total, 3);
    StreamSource source([&](std::span<std::byte> memory) -> Result<std::size_t> {
        must(upload(device(), data, other, {.chunk_bytes = 64}));
        must(device().write(other, Bytes(4)));
        const Bytes seen = must(device().read<std::byte>({other, {0, chunk}}).wait(patience));
        std::copy(seen.begin(), seen.end(), memory.begin());
        return memory.size();
    });
    must(upload(device(), source, buffer, {.chunk_bytes = chunk}));
    Bytes first = part(data, 0, chunk);
    std::fill_n(first.begin(), 4, std::byte{0});
    for (std::uint64_t at = 0; at < total; at += chunk)
        EXPECT_EQ(bytes_of({buffer, {at, chunk}}), first);
}

/// Devices of the tests' own, since each is closed.
class StreamEnd : public testing::Test {};

TEST_F(StreamEnd, ADeviceThatIsClosedEndsTheStream) {
    at_each_chunk([&](std::uint64_t at, Inside inside) {
        if (at % 3 != 0) return; // devices are dear
        for (const bool sends : {true, false}) {
            Device device = open_device({.label = "closing"});
            const Buffer buffer = make_buffer(device, total, copied, "mesh");
            Scene scene{device, buffer, at, inside};
            const auto close = [&] { device.close(); };
            const auto end = sends ? scene.send(close) : scene.bring(close);
            expect_end(end, {{Errc::wrong_state, Errc::cancelled}, "", {"closing", "closed"}}, at,
                       !sends || inside == Inside::progress);
        }
    });
}

TEST_F(StreamEnd, AReaderIsNotAskedAgainOnceItsMemoryIsGone) {
    Device device = open_device({.label = "closing"});
    const Buffer buffer = make_buffer(device, total, copied);
    int asked = 0;
    const auto reader = [&](std::span<std::byte>) -> Result<std::size_t> {
        ++asked;
        device.close();
        return std::size_t{1};
    };
    EXPECT_TRUE(refused(upload(device, reader, buffer), wrong_state("", {"closing", "closed"})));
    EXPECT_EQ(asked, 1);
    EXPECT_TRUE(refused(upload(device, reader, buffer), wrong_state("", {"closed"})));
}

TEST_F(StreamEnd, StreamsMayOutliveTheirDevice) {
    const Bytes data = pattern(total);
    StreamSource source(data);
    Bytes back(total);
    StreamTarget target(back);
    Upload sending;
    Download bringing;
    {
        Device device = open_device();
        const Buffer buffer = make_buffer(device, total, copied);
        sending = must(Upload::begin(device, source, buffer, {.chunk_bytes = chunk}));
        bringing = must(Download::begin(device, buffer, target, {.chunk_bytes = chunk}));
        must(sending.step());
        must(bringing.step());
    }
    const auto end = std::chrono::steady_clock::now() + patience;
    while (!must(sending.step()) || !must(bringing.step()))
        ASSERT_LT(std::chrono::steady_clock::now(), end);
    EXPECT_EQ(bringing.report().bytes, total);
}

TEST_F(StreamEnd, AnUnfinishedStreamLeavesNothingBehind) {
    const Bytes data = pattern(total);
    StreamSource source(data);
    Bytes back(total);
    StreamTarget target(back);
    Device device = open_device();
    const Buffer buffer = make_buffer(device, total, copied);
    for (const std::uint32_t depth : {1U, 3U, 20U}) {
        auto sending =
            must(Upload::begin(device, source, buffer, {.chunk_bytes = chunk, .depth = depth}));
        must(sending.step());
        auto bringing =
            must(Download::begin(device, buffer, target, {.chunk_bytes = chunk, .depth = depth}));
        must(bringing.step());
    }
    EXPECT_TRUE(ok(device.done().wait(patience)));
}

} // namespace
} // namespace ferry::test
