// SPDX-License-Identifier: MIT
// Objects, bytes, calls, and misuse.
#include <array>

#include "fake_fixture.hpp"

namespace fake_tests {
namespace {

// A buffer in a world of its own.
class OtherWorld : public FakeTest {
public:
    OtherWorld() {
        open();
        buffer = make_buffer(16, copy_usage);
    }
    void TestBody() override {}
    Buffer buffer;
};

class Accounting : public FakeTest {
protected:
    // The single misuse that was found; it is then forgotten, so that the world is clean again.
    std::string misuse() {
        const std::vector<std::string> found = fake.misuses();
        fake.forget_misuses();
        EXPECT_EQ(found.size(), 1U);
        return found.empty() ? "" : found[0];
    }
};

TEST_F(Accounting, ObjectsAndBytesAreCounted) {
    EXPECT_EQ(fake.live("Buffer"), 0U);
    Buffer a = make_buffer(100, copy_usage);
    Buffer b = make_buffer(28, copy_usage);
    EXPECT_EQ(fake.live("Buffer"), 2U);
    EXPECT_EQ(fake.bytes(), 128U);
    a.reset();
    EXPECT_EQ(fake.live("Buffer"), 1U);
    EXPECT_EQ(fake.bytes(), 28U);
    EXPECT_EQ(fake.peak_bytes(), 128U);
    EXPECT_EQ(fake.created("Buffer"), 2U);
}

TEST_F(Accounting, CallsAreCountedByFunction) {
    const Buffer buffer = make_buffer(16, copy_usage);
    wgpuBufferGetSize(buffer);
    wgpuBufferGetSize(buffer);
    EXPECT_EQ(fake.calls("wgpuBufferGetSize"), 2U);
    EXPECT_EQ(fake.calls("wgpuDeviceCreateBuffer"), 1U);
    EXPECT_GT(fake.calls(), 3U);
}

TEST_F(Accounting, ALeakIsFoundAndNamed) {
    const WGPUBuffer leaked = make_buffer(16, copy_usage);
    EXPECT_NE(fake.findings().find("(1) of Buffer"), std::string::npos);
    wgpuBufferRelease(leaked);
}

TEST_F(Accounting, AStaleHandleIsRecognised) {
    const WGPUBuffer buffer = make_buffer(16, copy_usage);
    wgpuBufferRelease(buffer);
    EXPECT_EQ(wgpuBufferGetSize(buffer), 0U);
    EXPECT_NE(misuse().find("Buffer handle was released"), std::string::npos);
    wgpuBufferRelease(buffer);
    EXPECT_NE(misuse().find("was released"), std::string::npos);
}

TEST_F(Accounting, OneReleaseTooManyIsFoundAlsoWhileTheEngineHoldsTheObject) {
    const Buffer target = make_buffer(4, copy_usage);
    const WGPUBuffer source = make_buffer(4, copy_usage);
    const Encoder encoder = wgpuDeviceCreateCommandEncoder(device, nullptr);
    wgpuCommandEncoderCopyBufferToBuffer(encoder, source, 0, target, 0, 4);
    wgpuBufferRelease(source);
    wgpuBufferRelease(source);
    EXPECT_NE(misuse().find("was released"), std::string::npos);
    const Commands commands = wgpuCommandEncoderFinish(encoder, nullptr);
    EXPECT_TRUE(is_valid([&] { submit(commands); })) << "the recorded copy keeps its buffer";
}

TEST_F(Accounting, ReferencesAreCounted) {
    const WGPUBuffer buffer = make_buffer(16, copy_usage);
    wgpuBufferAddRef(buffer);
    wgpuBufferRelease(buffer);
    EXPECT_EQ(wgpuBufferGetSize(buffer), 16U);
    wgpuBufferRelease(buffer);
    EXPECT_EQ(fake.live("Buffer"), 0U);
}

TEST_F(Accounting, AHandleOfAnotherKindIsMisuse) {
    const Encoder encoder = wgpuDeviceCreateCommandEncoder(device, nullptr);
    EXPECT_EQ(
        wgpuBufferGetSize(reinterpret_cast<WGPUBuffer>(static_cast<WGPUCommandEncoder>(encoder))),
        0U);
    EXPECT_NE(misuse().find("another kind"), std::string::npos);
}

TEST_F(Accounting, AHandleOfAnotherInstanceIsMisuseAndAnError) {
    OtherWorld other;
    const Buffer mine = make_buffer(16, copy_usage);
    EXPECT_FALSE(is_valid([&] { wgpuQueueWriteBuffer(queue, other.buffer, 0, "abcd", 4); }));
    EXPECT_NE(misuse().find("another instance"), std::string::npos);
}

TEST_F(Accounting, AHandleOfAnotherEngineIsCountedAndNotFollowed) {
    std::array<std::uint64_t, 16> foreign{};
    std::uint64_t const before = ferry_fake_foreign_handles();
    EXPECT_EQ(wgpuBufferGetSize(reinterpret_cast<WGPUBuffer>(foreign.data())), 0U);
    EXPECT_EQ(wgpuBufferGetSize(nullptr), 0U);
    EXPECT_EQ(ferry_fake_foreign_handles() - before, 2U);
    EXPECT_FALSE(is_valid([&] {
        wgpuQueueWriteBuffer(queue, reinterpret_cast<WGPUBuffer>(foreign.data()), 0, "abcd", 4);
    }));
    EXPECT_NE(misuse().find("no handle of ferry_fake"), std::string::npos);
}

TEST_F(Accounting, WorldsAreFoundFromTheirObjects) {
    EXPECT_EQ(ferry_fake_of_instance(instance), fake.get());
    EXPECT_EQ(ferry_fake_of_device(device), fake.get());
}

TEST_F(Accounting, TheWorldOutlivesItsTestAndItsObjects) {
    auto* const short_lived = new ferry_fake::Fake;
    short_lived->use_for_next_instance();
    const Instance survivor = wgpuCreateInstance(nullptr);
    delete short_lived;
    wgpuInstanceProcessEvents(survivor);
}

} // namespace
} // namespace fake_tests
