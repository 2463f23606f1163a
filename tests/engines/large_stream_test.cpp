// SPDX-License-Identifier: MIT
// Much more than the memory that it takes: pieces through one buffer, each summed by a shader.
#include <fstream>
#include <thread>

#include "engine_fixture.hpp"

namespace ferry::test {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t piece_bytes = std::uint64_t{16} << 20;
constexpr std::size_t piece_words = piece_bytes / 4;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::uint32_t pieces = 8;
#else
constexpr std::uint32_t pieces = 128; // 2 GiB
#endif

constexpr std::uint32_t threads = 4096;
const char* const sum_wgsl = R"(
    @group(0) @binding(0) var<storage, read> words: array<u32>;
    @group(0) @binding(1) var<storage, read_write> sums: array<u32>;
    @compute @workgroup_size(64) fn sum_words(@builtin(global_invocation_id) id: vec3u) {
        var total = 0u;
        for (var i = id.x; i < arrayLength(&words); i += 4096u) { total += words[i] ^ i; }
        sums[id.x] = total;
    }
)";

std::uint32_t word(std::uint32_t piece, std::uint32_t index) {
    return (index + 1) * 2'654'435'761U + piece * 40'503U;
}

/// What the process has had in memory at most since `reset_peak`, in bytes.
std::uint64_t peak_memory() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with("VmHWM:")) return std::stoull(line.substr(6)) * 1024;
    }
    return 0;
}
void reset_peak() { std::ofstream("/proc/self/clear_refs") << '5'; }

class Mover {
public:
    /// Through the pool to the buffer, summed there and, by chunks, here; true when all agree.
    bool move(std::uint32_t piece) {
        auto staged = must(pool_.acquire<std::uint32_t>(piece_words));
        std::uint32_t sum = 0;
        const auto out = staged.span();
        for (std::uint32_t i = 0; i < piece_words; ++i) {
            out[i] = word(piece, i);
            sum += word(piece, i) ^ i;
        }
        auto commands = device_.record();
        commands.copy(std::move(staged), buffer_);
        commands.dispatch(kernel_, {{"words", buffer_}, {"sums", sums_}}, {.threads = threads});
        auto read = commands.read<std::uint32_t>(sums_);
        must(device_.submit(std::move(commands)));
        std::uint32_t on_gpu = 0, here = 0, index = 0;
        for (const std::uint32_t part : must(read.wait(60s))) on_gpu += part;
        const auto take = [&](std::span<const std::byte> bytes) -> Result<> {
            for (std::size_t at = 0; at < bytes.size(); at += 4) {
                std::uint32_t value = 0;
                std::memcpy(&value, bytes.data() + at, 4);
                here += value ^ index++;
            }
            return {};
        };
        EXPECT_EQ(must(download(device_, buffer_, take)).bytes, piece_bytes);
        return on_gpu == sum && here == sum;
    }

    [[nodiscard]] UploadStats stats() const { return pool_.stats(); }
    void poll() { device_.poll(); }

private:
    Device device_ = open_device();
    Buffer buffer_ = must(device_.create_buffer(
        {.usage = BufferUsage::storage | BufferUsage::copy_src | BufferUsage::copy_dst,
         .size_bytes = piece_bytes}));
    Buffer sums_ = must(device_.create_buffer(
        {.usage = BufferUsage::storage | BufferUsage::copy_src, .size_bytes = threads * 4}));
    Kernel kernel_ = must(device_.create_kernel(sum_wgsl));
    UploadPool pool_ = must(UploadPool::create(device_, {.label = "pieces"}));
};

TEST(LargeStream, PiecesNeedTheMemoryOfSix) {
    FERRY_NEEDS_REAL_ENGINE("it runs no shaders");
    Mover mover;
    reset_peak();
    const std::uint64_t before = peak_memory();
    for (std::uint32_t piece = 0; piece < pieces; ++piece) ASSERT_TRUE(mover.move(piece)) << piece;
    const std::uint64_t more = peak_memory() - before;
    std::cout << pieces << " pieces of 16 MiB took at most (" << more << ") bytes, the pool ("
              << mover.stats().peak_bytes << ")\n";
    EXPECT_LT(more, 6 * piece_bytes);
    EXPECT_LT(mover.stats().peak_bytes, 6 * piece_bytes);
    EXPECT_EQ(mover.stats().sent, pieces);
    for (int turn = 0; turn < 300; ++turn) {
        std::this_thread::sleep_for(11ms);
        mover.poll();
    }
    EXPECT_LE(mover.stats().bytes, UploadPoolOptions{}.floor_bytes);
}

} // namespace
} // namespace ferry::test
