// SPDX-License-Identifier: MIT
#pragma once

#include "engine_fixture.hpp"
#include "shaders.hpp"

namespace ferry::test {

/// GPU work that takes some time: a dispatch after which `result()` holds 7.
class SlowJob {
public:
    /// Finds out how many groups take at least `time` on this device.
    SlowJob(Device& device, std::chrono::milliseconds time)
        : device_(device), time_(time), kernel_(must(device.create_kernel(wgsl::slow))),
          result_(make_buffer(device, 4, Usage::storage | Usage::copy_src | Usage::copy_dst,
                              "slow result")) {
        const std::uint32_t most = device.limits().max_compute_workgroups_per_dimension;
        for (;;) {
            const auto took = run_once(device);
            if (took >= time || groups_ == most) break;
            groups_ = std::min(most, groups_ * (took * 4 > time ? 2 : 4));
        }
        must(device.write(result_, std::vector<std::uint32_t>{0}));
        must(device.submit(device.record()));
        must(device.done().wait(patience));
    }

    /// For the next submission.
    void record(Commands& commands) const {
        slow_down_next_submission(device_, time_);
        commands.dispatch(kernel_, {{"result", result_}}, {.groups = groups_});
    }
    [[nodiscard]] const Buffer& result() const { return result_; }

private:
    [[nodiscard]] std::chrono::nanoseconds run_once(Device& device) const {
        const auto start = std::chrono::steady_clock::now();
        auto commands = device.record();
        record(commands);
        must(device.submit(std::move(commands)));
        must(device.done().wait(patience));
        return std::chrono::steady_clock::now() - start;
    }

    Device& device_;
    std::chrono::milliseconds time_;
    Kernel kernel_;
    Buffer result_;
    std::uint32_t groups_ = 16;
};

} // namespace ferry::test
