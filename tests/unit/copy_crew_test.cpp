// SPDX-License-Identifier: MIT
#include "base/copy_crew.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <set>
#include <string>

#include <unistd.h>

#include <gtest/gtest.h>

namespace ferry::base {
namespace {

using Bytes = std::vector<std::byte>;

constexpr std::size_t mebi = std::size_t{1} << 20;
constexpr std::byte canary{0xA5};
constexpr std::size_t margin = 64;

/// Bytes without a short period: a piece that lands elsewhere shows.
Bytes make_noise(std::size_t size) {
    Bytes bytes(size);
    std::uint32_t state = 0x2545F491;
    for (std::byte& byte : bytes) {
        state = state * 1664525 + 1013904223;
        byte = static_cast<std::byte>(state >> 24);
    }
    return bytes;
}

const Bytes& noise() {
    static const Bytes bytes = make_noise(33 * mebi);
    return bytes;
}

bool same(const Bytes& a, const Bytes& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size()) == 0;
}

std::size_t threads_of_this_process() {
    const std::filesystem::directory_iterator tasks("/proc/self/task");
    return static_cast<std::size_t>(std::distance(begin(tasks), end(tasks)));
}

/// A thread that was joined stays listed for a moment.
bool comes_true(const auto& condition) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (!condition()) {
        if (std::chrono::steady_clock::now() > deadline) return false;
        std::this_thread::yield();
    }
    return true;
}

bool comes_to_have_threads(std::size_t count) {
    return comes_true([&] { return threads_of_this_process() == count; });
}

/// After a first thread has come and gone: a sanitizer adds one of its own with it.
std::size_t threads_at_rest() {
    std::filesystem::path task("/proc/self/task");
    std::thread([&] { task /= std::to_string(gettid()); }).join();
    EXPECT_TRUE(comes_true([&] { return !std::filesystem::exists(task); }));
    return threads_of_this_process();
}

/// Two parts that wait for each other: true when two threads were at work at the same time.
bool two_parts_meet(CopyCrew& crew) {
    std::atomic<int> arrived{0};
    crew.run(2, [&](std::size_t) noexcept {
        ++arrived;
        if (!comes_true([&] { return arrived != 1; })) arrived = 100; // the other comes too late
    });
    return arrived == 2;
}

class CopyCrewOf : public testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Threads, CopyCrewOf, testing::Values(0U, 1U, 3U, 8U),
                         testing::PrintToStringParamName());

TEST_P(CopyCrewOf, CopiesTheBytesAndNoOthers) {
    CopyCrew crew(GetParam());
    const Bytes& source = noise();
    Bytes target(source.size() + 2 * margin);
    const auto check = [&](std::size_t size, std::size_t to, std::size_t from) {
        Bytes expected(size + to + 2 * margin, canary);
        std::memcpy(expected.data() + margin + to, source.data() + from, size);
        target.assign(expected.size(), canary);
        crew.copy(target.data() + margin + to, source.data() + from, size);
        EXPECT_TRUE(same(target, expected))
            << "size " << size << ", to offset " << to << ", from offset " << from;
    };
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{63}, std::size_t{64},
                                   std::size_t{65}, std::size_t{4097}}) {
        for (std::size_t to = 0; to <= 17; ++to) {
            for (std::size_t from = 0; from <= 17; ++from) check(size, to, from);
        }
    }
    for (const std::size_t size : {mebi - 1, mebi, mebi + 1}) {
        for (std::size_t offset = 0; offset <= 17; ++offset) check(size, offset, 17 - offset);
    }
    for (const std::size_t size : {2 * mebi, 3 * mebi + 5, 8 * mebi - 1}) {
        for (const std::size_t offset : {0U, 1U, 8U, 17U}) check(size, offset, 17 - offset);
    }
    for (const std::size_t size : {32 * mebi - 1, 32 * mebi, 32 * mebi + 65}) {
        for (const std::size_t offset : {0U, 3U, 16U}) check(size, offset, 17 - offset);
    }
}

TEST_P(CopyCrewOf, CopiesRowsAndNothingBetweenThem) {
    struct Shape {
        std::size_t row_bytes, rows, target_pitch, source_pitch;
    };
    constexpr Shape shapes[] = {
        {0, 5, 16, 16},
        {16, 0, 16, 16},
        {3, 7, 5, 4},
        {4000, 1000, 4096, 4000},                                  // rows gain a padding
        {4000, 1000, 4000, 4096},                                  // and lose it
        {4000, 1000, 4000, 4000},                                  // one piece of memory
        {1, 2 * mebi, 2, 1},                                       // many tiny rows
        {5 * mebi / 2 + 3, 3, 5 * mebi / 2 + 4, 5 * mebi / 2 + 7}, // a row larger than a piece
        {3 * mebi, 1, 0, 0},      // one row: its pitch means nothing
        {4000, 8500, 4096, 4003}, // past the caches
        {1023, 33'000, 1024, 1024},
    };
    CopyCrew crew(GetParam());
    const Bytes& source = noise();
    for (const Shape& shape : shapes) {
        const std::size_t last = shape.rows == 0 ? 0 : shape.rows - 1;
        const std::size_t extent = last * shape.target_pitch + shape.row_bytes;
        Bytes target(extent + 2 * margin, canary);
        Bytes expected = target;
        for (std::size_t row = 0; row < shape.rows; ++row) {
            std::copy_n(source.begin() + static_cast<std::ptrdiff_t>(row * shape.source_pitch),
                        shape.row_bytes,
                        expected.begin() +
                            static_cast<std::ptrdiff_t>(margin + row * shape.target_pitch));
        }
        crew.copy_rows(target.data() + margin, shape.target_pitch, source.data(),
                       shape.source_pitch, shape.row_bytes, shape.rows);
        EXPECT_TRUE(same(target, expected)) << shape.rows << " rows of " << shape.row_bytes;
    }
}

TEST_P(CopyCrewOf, RunsEachPartOnce) {
    CopyCrew crew(GetParam());
    for (const std::size_t parts : {0U, 1U, 2U, 7U, 1000U, 20'000U}) {
        std::vector<std::atomic<int>> calls(parts + 1);
        crew.run(parts, [&](std::size_t part) noexcept { ++calls[part]; });
        const auto once = std::count(calls.begin(), calls.end() - 1, 1);
        EXPECT_EQ(static_cast<std::size_t>(once), parts);
        EXPECT_EQ(calls.back(), 0);
    }
}

/// What a part wrote is there when the call returns, also when the next call follows at once.
TEST_P(CopyCrewOf, ServesManyMovesInARow) {
    CopyCrew crew(GetParam());
    Bytes source = make_noise(mebi + 4096);
    Bytes target(source.size());
    for (std::size_t move = 0; move < 2000; ++move) {
        const std::size_t at = move * 521 % source.size();
        source[at] = ~source[at];
        crew.copy(target.data(), source.data(), source.size());
        ASSERT_EQ(target[at], source[at]) << "move " << move;
        target[at] = source[at] = ~source[at];
    }
    EXPECT_TRUE(same(target, source));
    std::size_t sum = 0;
    for (std::size_t job = 0; job < 20'000; ++job) {
        std::size_t values[3] = {};
        crew.run(3, [&](std::size_t part) noexcept { values[part] = job + part; });
        sum += values[0] + values[1] + values[2];
    }
    EXPECT_EQ(sum, 3U * (20'000U * 19'999U / 2) + 3 * 20'000);
}

TEST_P(CopyCrewOf, MakesItsThreadsOnTheFirstLargeMoveAndJoinsThem) {
    const std::size_t before = threads_at_rest();
    Bytes source(mebi);
    Bytes target(mebi);
    {
        CopyCrew crew(GetParam());
        crew.copy(target.data(), source.data(), mebi - 1);
        crew.run(1, [](std::size_t) noexcept {});
        EXPECT_EQ(threads_of_this_process(), before);
        crew.copy(target.data(), source.data(), mebi);
        EXPECT_EQ(threads_of_this_process(), before + GetParam());
        crew.copy(target.data(), source.data(), mebi);
        EXPECT_EQ(threads_of_this_process(), before + GetParam());
    }
    EXPECT_TRUE(comes_to_have_threads(before));
}

TEST(CopyCrew, IsMadeAndDroppedWithoutUse) {
    for (int turn = 0; turn < 1000; ++turn) CopyCrew crew(8);
    for (int turn = 0; turn < 100; ++turn) { // dropped while its threads are still starting
        CopyCrew crew(3);
        crew.run(2, [](std::size_t) noexcept {});
    }
}

TEST(CopyCrew, WorksOnSeveralThreadsAtOnce) {
    CopyCrew crew(1);
    EXPECT_TRUE(two_parts_meet(crew));
    std::this_thread::sleep_for(std::chrono::milliseconds(50)); // by now the other one sleeps
    EXPECT_TRUE(two_parts_meet(crew));
}

TEST(CopyCrew, LeavesSignalsToTheProgramAndFaultsToTheThread) {
    sigset_t before;
    pthread_sigmask(SIG_SETMASK, nullptr, &before);
    CopyCrew crew(1);
    std::atomic<int> arrived{0};
    sigset_t masks[2];
    std::thread::id threads[2];
    crew.run(2, [&](std::size_t part) noexcept {
        ++arrived; // and waits: each thread takes one part
        EXPECT_TRUE(comes_true([&] { return arrived == 2; }));
        pthread_sigmask(SIG_SETMASK, nullptr, &masks[part]);
        threads[part] = std::this_thread::get_id();
    });
    const std::size_t own = threads[0] == std::this_thread::get_id() ? 0 : 1;
    for (const int signal : {SIGINT, SIGTERM, SIGALRM, SIGUSR1, SIGSEGV, SIGBUS}) {
        EXPECT_EQ(sigismember(&masks[own], signal), sigismember(&before, signal)) << signal;
    }
    for (const int signal : {SIGINT, SIGTERM, SIGALRM, SIGUSR1}) {
        EXPECT_EQ(sigismember(&masks[1 - own], signal), 1) << signal;
    }
    for (const int fault : {SIGSEGV, SIGBUS}) {
        EXPECT_EQ(sigismember(&masks[1 - own], fault), 0) << fault;
    }
}

TEST(CopyCrew, HasNoMoreThreadsThanOtherCores) {
    EXPECT_LT(CopyCrew::default_threads(), std::max(std::thread::hardware_concurrency(), 1U));
    EXPECT_LE(CopyCrew::default_threads(), 7U);
}

#ifdef __GLIBC__
/// For its life no thread can be made: each asks for a stack larger than the address space.
class NoNewThreads {
public:
    NoNewThreads() {
        pthread_getattr_default_np(&before_);
        pthread_attr_t huge;
        pthread_attr_init(&huge);
        pthread_attr_setstacksize(&huge, std::size_t{1} << 60);
        EXPECT_EQ(pthread_setattr_default_np(&huge), 0);
        pthread_attr_destroy(&huge);
    }
    ~NoNewThreads() {
        EXPECT_EQ(pthread_setattr_default_np(&before_), 0);
        pthread_attr_destroy(&before_);
    }

private:
    pthread_attr_t before_;
};

TEST(CopyCrew, WorksAloneWhereNoThreadCanBeMade) {
    const std::size_t before = threads_at_rest();
    const Bytes source = make_noise(5 * mebi);
    Bytes target(source.size());
    CopyCrew crew(3);
    {
        const NoNewThreads none;
        EXPECT_THROW(std::thread([] {}).join(), std::system_error);
        crew.copy(target.data(), source.data(), source.size());
        EXPECT_TRUE(same(target, source));
        EXPECT_EQ(threads_of_this_process(), before);
    }
    std::set<std::size_t> parts;
    crew.run(100, [&](std::size_t part) noexcept { parts.insert(part); }); // on this thread alone
    EXPECT_EQ(parts.size(), 100U);
}
#endif

} // namespace
} // namespace ferry::base
