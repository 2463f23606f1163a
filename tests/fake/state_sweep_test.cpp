// SPDX-License-Identifier: MIT
// Nine states of a buffer times nine operations: the device's verdict is the one of the rules.
#include <array>

#include "fake_fixture.hpp"

namespace fake_tests {
namespace {

enum State {
    fresh,
    pending,
    mapped_read,
    mapped_write,
    at_creation,
    unmapped_again,
    destroyed,
    invalid,
    lost_device,
    states
};

// What one operation answers: whether it works, and whether the device raises an error.
struct Verdict {
    bool works;
    bool raises;
    bool operator==(const Verdict&) const = default;
};
constexpr Verdict yes{true, false};
constexpr Verdict no{false, true};      // refused with a device error
constexpr Verdict silent{false, false}; // refused without one

class StateSweep : public FakeTest {
public:
    static constexpr std::array<const char*, states> names = {
        "fresh",          "pending",   "mapped_read", "mapped_write", "at_creation",
        "unmapped_again", "destroyed", "invalid",     "device_lost"};

    // A world with one buffer in that state. Reading buffers are the rule; writing ones where the
    // state says so.
    void enter(State state) {
        close();
        buffer.reset();
        fake.forget_misuses();
        open();
        writes_maps = state == mapped_write;
        const WGPUBufferUsage usage = writes_maps ? write_usage : read_usage;
        if (state == invalid)
            is_valid([&] { buffer = make_buffer(16, usage | WGPUBufferUsage_Vertex); });
        else
            buffer = make_buffer(16, usage, state == at_creation);
        if (state == pending)
            wgpuBufferMapAsync(buffer, WGPUMapMode_Read, 0, 16, map_info(earlier));
        if (state == mapped_read || state == unmapped_again) map(buffer, WGPUMapMode_Read, 0, 16);
        if (state == mapped_write) map(buffer, WGPUMapMode_Write, 0, 16);
        if (state == unmapped_again) wgpuBufferUnmap(buffer);
        if (state == destroyed) wgpuBufferDestroy(buffer);
        if (state == lost_device) fake.lose_devices();
    }
    void TearDown() override {
        buffer.reset();
        FakeTest::TearDown();
    }

    // Runs an operation that answers whether it worked.
    Verdict verdict(const std::function<bool()>& operation) {
        bool works = false;
        const bool raises = !is_valid([&] { works = operation(); });
        return {works, raises};
    }
    Verdict map_now() {
        return verdict([&] {
            return map(buffer, writes_maps ? WGPUMapMode_Write : WGPUMapMode_Read, 0, 16) == 1;
        });
    }
    Verdict range() {
        return verdict([&] { return wgpuBufferGetConstMappedRange(buffer, 0, 16) != nullptr; });
    }
    Verdict unmap() {
        return verdict([&] {
            wgpuBufferUnmap(buffer);
            return wgpuBufferGetMapState(buffer) == WGPUBufferMapState_Unmapped;
        });
    }
    Verdict destroy() {
        return verdict([&] {
            wgpuBufferDestroy(buffer);
            return wgpuBufferGetMapState(buffer) == WGPUBufferMapState_Unmapped;
        });
    }
    bool copies_from() const { return (wgpuBufferGetUsage(buffer) & WGPUBufferUsage_CopySrc) != 0; }
    void record_copy(WGPUCommandEncoder encoder, WGPUBuffer other) {
        if (copies_from())
            wgpuCommandEncoderCopyBufferToBuffer(encoder, buffer, 0, other, 0, 16);
        else
            wgpuCommandEncoderCopyBufferToBuffer(encoder, other, 0, buffer, 0, 16);
    }
    Verdict record() {
        const Buffer other = make_buffer(16, copy_usage);
        const bool valid =
            finishes([&](WGPUCommandEncoder encoder) { record_copy(encoder, other); });
        return {valid, !valid};
    }
    Verdict submit_copy() {
        const Buffer other = make_buffer(16, copy_usage);
        const Encoder encoder = wgpuDeviceCreateCommandEncoder(device, nullptr);
        record_copy(encoder, other);
        Commands commands;
        is_valid([&] { commands = wgpuCommandEncoderFinish(encoder, nullptr); });
        const bool valid = is_valid([&] { submit(commands); });
        return {valid, !valid};
    }
    Verdict write_now() {
        const bool valid = is_valid([&] { write(buffer, Bytes(16, 1)); });
        return {valid, !valid};
    }
    Verdict clear() {
        const bool valid = finishes([&](WGPUCommandEncoder encoder) {
            wgpuCommandEncoderClearBuffer(encoder, buffer, 0, 16);
        });
        return {valid, !valid};
    }
    Verdict release() {
        return verdict([&] {
            buffer.reset();
            return true;
        });
    }

    Buffer buffer;
    Outcome earlier;
    bool writes_maps = false;
};

TEST_F(StateSweep, EightyOnePairsFollowTheRules) {
    using Operation = Verdict (StateSweep::*)();
    struct Row {
        const char* name;
        Operation operation;
        std::array<Verdict, states> expected;
    };
    // Columns:       fresh pending mapped_r mapped_w creation again destroyed invalid lost (lost:
    // nothing is raised)
    const Row rows[] = {
        {"map", &StateSweep::map_now, {yes, no, no, no, no, yes, no, no, silent}},
        {"range",
         &StateSweep::range,
         {silent, silent, yes, yes, yes, silent, silent, silent, silent}},
        {"unmap", &StateSweep::unmap, {yes, yes, yes, yes, yes, yes, yes, yes, yes}},
        {"destroy", &StateSweep::destroy, {yes, yes, yes, yes, yes, yes, yes, yes, yes}},
        {"write", &StateSweep::write_now, {yes, no, no, no, no, yes, no, no, yes}},
        {"record", &StateSweep::record, {yes, yes, yes, yes, yes, yes, yes, no, yes}},
        {"submit", &StateSweep::submit_copy, {yes, no, no, no, no, yes, no, no, yes}},
        {"clear", &StateSweep::clear, {yes, yes, yes, no, yes, yes, yes, no, yes}},
        {"release", &StateSweep::release, {yes, yes, yes, yes, yes, yes, yes, yes, yes}},
    };
    int pairs = 0;
    for (const Row& row : rows)
        for (int state = 0; state < states; ++state, ++pairs) {
            enter(static_cast<State>(state));
            const Verdict found = (this->*row.operation)();
            EXPECT_EQ(found, row.expected[static_cast<std::size_t>(state)])
                << row.name << " in state " << names[static_cast<std::size_t>(state)];
            EXPECT_TRUE(fake.misuses().empty());
        }
    EXPECT_EQ(pairs, 81);
}

} // namespace
} // namespace fake_tests
