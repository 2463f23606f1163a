// SPDX-License-Identifier: MIT
// A careless program meets every fault at every call: the fake survives, and nothing is left
// behind.
#include "texture_fixture.hpp"

namespace fake_tests {
namespace {

// Writes, copies through a texture, reads back. It looks at no result but a mapped pointer.
struct CarelessProgram : TextureTest {
    using FakeTest::close;
    using FakeTest::fake;

    void TestBody() override {}
    Outcome mapped, done; // members, since a callback may come at the very end
    // True when the right bytes came back.
    bool run_all() {
        open();
        bool good = false;
        {
            const Buffer source = make_buffer(16, copy_usage, true);
            if (void* const data = wgpuBufferGetMappedRange(source, 0, 16)) {
                std::memcpy(data, "abcdefghijklmnop", 16);
            }
            wgpuBufferUnmap(source);
            const Texture texture = make_texture(describe(WGPUTextureFormat_RGBA8Unorm, {4, 1, 1}));
            const Buffer target = make_buffer(16, read_usage);
            const auto place = at(texture);
            const WGPUExtent3D size{4, 1, 1};
            const WGPUTexelCopyBufferInfo from{{0, left_out, left_out}, source};
            const WGPUTexelCopyBufferInfo to{{0, left_out, left_out}, target};
            run([&](WGPUCommandEncoder encoder) {
                wgpuCommandEncoderCopyBufferToTexture(encoder, &from, &place, &size);
                wgpuCommandEncoderCopyTextureToBuffer(encoder, &place, &to, &size);
            });
            wgpuBufferMapAsync(target, WGPUMapMode_Read, 0, 16, map_info(mapped));
            wgpuQueueOnSubmittedWorkDone(queue, done_info(done));
            pump();
            const void* const data = wgpuBufferGetConstMappedRange(target, 0, 16);
            good = data && std::memcmp(data, "abcdefghijklmnop", 16) == 0;
            wgpuBufferUnmap(target);
        }
        close();
        // An adapter that came late, at the end of its instance.
        found_adapter.reset(), found_device.reset();
        return good;
    }
};

TEST(FaultSweep, EveryFaultAtEveryCallLeavesNothingBehind) {
    std::uint64_t calls = 0;
    {
        CarelessProgram program;
        ASSERT_TRUE(program.run_all());
        EXPECT_EQ(program.fake.findings(), "");
        calls = program.fake.calls();
    }
    int points = 0;
    for (int action = FERRY_FAKE_FAIL; action <= FERRY_FAKE_LOSE_AFTER; ++action)
        for (std::uint64_t nth = 1; nth <= calls; ++nth, ++points) {
            CarelessProgram program;
            program.fake.script(
                "", {.nth = nth, .action = static_cast<FerryFakeAction>(action), .delay = 5us});
            program.run_all();
            EXPECT_EQ(program.fake.live(), 0U) << "action " << action << " at call " << nth;
            EXPECT_EQ(program.fake.pending_callbacks(), 0U)
                << "action " << action << " at call " << nth;
            EXPECT_EQ(program.fake.bytes(), 0U) << "action " << action << " at call " << nth;
        }
    RecordProperty("points", points);
    std::printf("fault points: %d (%d calls x 12 actions)\n", points, static_cast<int>(calls));
}

} // namespace
} // namespace fake_tests
