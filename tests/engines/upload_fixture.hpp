// SPDX-License-Identifier: MIT
#pragma once

#include "engine_fixture.hpp"

namespace ferry::test {

/// The numbers of a pool, which add up at every moment (UploadStats).
inline UploadStats sums(const UploadPool& pool) {
    const UploadStats now = pool.stats();
    EXPECT_EQ(now.requested,
              now.reused + now.made + now.one_use + now.queue_writes + now.refused + now.failed);
    EXPECT_EQ(now.reused + now.made + now.one_use + now.queue_writes,
              now.sent + now.dropped + now.in_hand + now.recorded);
    EXPECT_LE(now.free_buffers, now.buffers);
    EXPECT_LE(now.bytes, now.peak_bytes);
    EXPECT_EQ(now.bytes == 0, now.buffers == 0);
    return now;
}

template <class T>
void fill(Staging<T>& staged, const std::vector<T>& values) {
    ASSERT_EQ(staged.span().size(), values.size());
    EXPECT_TRUE(ok(staged.span().copy_from(values)));
}

/// Memory of a pool with these values in it.
template <class T>
[[nodiscard]] Staging<T> stage(UploadPool& pool, const std::vector<T>& values) {
    auto staged = must(pool.acquire<T>(values.size()));
    fill(staged, values);
    return staged;
}

/// Uploads in a recording of its own.
template <class T>
void upload(Device& device, UploadPool& pool, const std::vector<T>& values,
            const BufferView& target) {
    auto commands = device.record("upload");
    commands.copy(stage(pool, values), target);
    sums(pool);
    EXPECT_TRUE(ok(device.submit(std::move(commands))));
    sums(pool);
}

/// Every buffer of the pool is mapped again.
[[nodiscard]] inline bool all_come_back(Device& device, const UploadPool& pool) {
    return poll_until(device, [&] {
        const UploadStats now = sums(pool);
        return now.free_buffers == now.buffers;
    });
}

/// A device and pools of it. After each test the device is there and the engine has complained of
/// nothing.
class UploadTest : public SharedDevice {
protected:
    static constexpr Usage copied = Usage::copy_src | Usage::copy_dst;
    static constexpr std::uint64_t KiB = 1024, MiB = 1024 * KiB;

    static UploadPool make_pool(UploadPoolOptions options = {}) {
        if (options.label.empty()) options.label = "meshes";
        return must(UploadPool::create(device(), options));
    }
    /// One command that is wrong: nothing of its recording is sent.
    template <class Record>
    static void expect_command_refused(Record record, const Refusal& wanted) {
        Commands commands = device().record("faulty");
        record(commands);
        EXPECT_TRUE(refused(device().submit(std::move(commands)), wanted));
        EXPECT_TRUE(device().take_uncaptured_errors().empty());
    }
};

} // namespace ferry::test
