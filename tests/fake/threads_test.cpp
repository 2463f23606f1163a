// SPDX-License-Identifier: MIT
// Two worlds are independent, and one world may be entered from two threads.
#include <thread>

#include "fake_fixture.hpp"

namespace fake_tests {
namespace {

// A world that writes, copies and reads back on whatever thread asks.
struct Worker : FakeTest {
    using FakeTest::fake;

    Worker() { open(); }
    void TestBody() override {}
    void round_trips(int count) {
        const Buffer source = make_buffer(64, copy_usage);
        for (int i = 0; i < count; ++i) {
            const Bytes bytes(64, static_cast<std::uint8_t>(i));
            write(source, bytes);
            good += read(source) == bytes;
        }
    }
    int good = 0;
};

TEST(Threads, TwoWorldsRunSideBySide) {
    Worker first, second;
    std::thread one([&] { first.round_trips(100); });
    std::thread two([&] { second.round_trips(100); });
    one.join();
    two.join();
    EXPECT_EQ(first.good, 100);
    EXPECT_EQ(second.good, 100);
}

class SharedWorld : public FakeTest {};

TEST_F(SharedWorld, TakesCallsFromTwoThreads) {
    const auto work = [&] {
        for (int i = 0; i < 200; ++i) {
            Buffer const buffer = make_buffer(16, copy_usage);
            wgpuBufferAddRef(buffer);
            wgpuBufferRelease(buffer);
            write(buffer, Bytes(16, 1));
            wgpuInstanceProcessEvents(instance);
        }
    };
    std::thread one(work), two(work);
    one.join();
    two.join();
    EXPECT_EQ(fake.created("Buffer"), 400U);
    EXPECT_EQ(fake.live("Buffer"), 0U);
}

} // namespace
} // namespace fake_tests
