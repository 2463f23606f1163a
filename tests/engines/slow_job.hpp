// SPDX-License-Identifier: MIT
#pragma once

#include "engine_fixture.hpp"
#include "shaders.hpp"

namespace ferry::test {

/// GPU work that takes a known time: a dispatch after which `result()` holds 7.
class SlowJob {
public:
    /// Finds out how many rounds take about `time` on this device.
    SlowJob(Device& device, std::chrono::milliseconds time)
        : kernel_(must(device.create_kernel(wgsl::slow))),
          rounds_(make_buffer(device, 4, Usage::storage | Usage::copy_dst)),
          result_(make_buffer(device, 4, Usage::storage | Usage::copy_src | Usage::copy_dst,
                              "slow result")) {
        std::uint32_t rounds = 1 << 20;
        for (;;) {
            set(device, rounds);
            const auto start = std::chrono::steady_clock::now();
            auto commands = device.record();
            record(commands);
            must(device.submit(std::move(commands)));
            must(device.done().wait(patience));
            const auto took = std::chrono::steady_clock::now() - start;
            if (took >= time || rounds >= 1U << 30) break;
            rounds *= took * 4 > time ? 2U : 4U;
        }
        must(device.write(result_, std::vector<std::uint32_t>{0}));
        must(device.submit(device.record()));
        must(device.done().wait(patience));
    }

    void record(Commands& commands) const {
        commands.dispatch(kernel_, {{"result", result_}, {"rounds", rounds_}}, {.groups = 1});
    }
    [[nodiscard]] const Buffer& result() const { return result_; }

private:
    void set(Device& device, std::uint32_t rounds) const {
        must(device.write(rounds_, std::vector<std::uint32_t>{rounds}));
    }

    Kernel kernel_;
    Buffer rounds_;
    Buffer result_;
};

} // namespace ferry::test
