// SPDX-License-Identifier: MIT
// Random programs of writes, clears, copies and time against a plain sequential model.
#include "fake_fixture.hpp"

#include <rapidcheck/gtest.h>

namespace fake_tests {
namespace {

constexpr std::size_t buffer_count = 3;
constexpr std::size_t words = 8;

struct World : FakeTest {
    using FakeTest::fake;
    using FakeTest::read;

    World() {
        open();
        for (std::size_t i = 0; i < buffer_count; ++i) {
            buffers.emplace_back(make_buffer(words * 4, copy_usage));
            model.emplace_back(words * 4, 0);
        }
    }
    void TestBody() override {}
    void write_words(std::size_t target, std::size_t first, std::uint8_t value) {
        const Bytes bytes((words - first) * 4, value);
        write(buffers[target], bytes, first * 4);
        std::copy(bytes.begin(), bytes.end(),
                  model[target].begin() + static_cast<std::ptrdiff_t>(first * 4));
    }
    void copy_words(std::size_t from, std::size_t to, std::size_t first) {
        std::uint64_t const offset = first * 4, size = (words - first) * 4;
        run([&](WGPUCommandEncoder encoder) {
            wgpuCommandEncoderCopyBufferToBuffer(encoder, buffers[from], 0, buffers[to], offset,
                                                 size);
        });
        std::copy_n(model[from].begin(), size,
                    model[to].begin() + static_cast<std::ptrdiff_t>(offset));
    }
    void clear_words(std::size_t target, std::size_t first) {
        run([&](WGPUCommandEncoder encoder) {
            wgpuCommandEncoderClearBuffer(encoder, buffers[target], first * 4, WGPU_WHOLE_SIZE);
        });
        std::fill(model[target].begin() + static_cast<std::ptrdiff_t>(first * 4),
                  model[target].end(), std::uint8_t{0});
    }
    std::vector<Buffer> buffers;
    std::vector<Bytes> model;
};

RC_GTEST_PROP(Property, RandomProgramsAgreeWithASequentialModel, ()) {
    World world;
    const auto steps = *rc::gen::container<std::vector<std::tuple<int, int, int, int>>>(
        rc::gen::tuple(rc::gen::inRange(0, 5), rc::gen::inRange(0, 3), rc::gen::inRange(0, 8),
                       rc::gen::inRange(1, 200)));
    for (const auto& [kind, which, first, number] : steps) {
        const auto target = static_cast<std::size_t>(which);
        const auto start = static_cast<std::size_t>(first);
        switch (kind) {
        case 0: world.write_words(target, start, static_cast<std::uint8_t>(number)); break;
        case 1: world.copy_words(target, (target + 1) % buffer_count, start); break;
        case 2: world.clear_words(target, start); break;
        case 3: world.fake.set_submission_time(std::chrono::nanoseconds(number)); break;
        default: world.fake.advance(std::chrono::nanoseconds(number)); break;
        }
    }
    world.fake.advance(1h);
    world.fake.set_submission_time(0ns);
    for (std::size_t i = 0; i < buffer_count; ++i)
        RC_ASSERT(world.read(world.buffers[i]) == world.model[i]);
    RC_ASSERT(world.fake.errors().empty());
}

} // namespace
} // namespace fake_tests
