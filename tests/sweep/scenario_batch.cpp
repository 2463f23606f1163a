// SPDX-License-Identifier: MIT
// Batches of reads and writes by copies and by compute passes, against a model in host memory.
#include <ferry/ferry.hpp>

#include <iostream>
#include <utility>

#include "fake_world.hpp"
#include "scenarios.hpp"

namespace ferry::test {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t ranges = 24, range_words = 3, stride_words = 128;

std::uint32_t word(std::size_t range, std::size_t place, std::uint32_t turn) {
    return static_cast<std::uint32_t>(1000 * turn + 10 * range + place);
}

class BatchProgram {
public:
    BatchProgram()
        : device_(Device::open().value()),
          buffer_(device_
                      .create_buffer({.usage = BufferUsage::storage | BufferUsage::copy_src |
                                               BufferUsage::copy_dst,
                                      .size_bytes = ranges * stride_words * 4})
                      .value()) {}

    void turn(BatchWay way, std::uint32_t number) {
        try {
            write_and_read(way, number);
        } catch (const std::bad_expected_access<Error>& failed) {
            tell(failed.error());
        }
    }
    [[nodiscard]] int end() const { return right_ && !told_ ? 0 : 1; }

private:
    void write_and_read(BatchWay way, std::uint32_t number) {
        std::vector<std::uint32_t> data(ranges * range_words);
        std::vector<BatchWrite> writes;
        std::vector<BufferView> places;
        for (std::size_t i = 0; i < ranges; ++i) {
            const std::size_t at = ranges - 1 - i; // not in order
            const std::span part(data.data() + i * range_words, range_words);
            for (std::size_t w = 0; w < range_words; ++w) part[w] = word(at, w, number);
            places.push_back({buffer_, {at * stride_words * 4, range_words * 4}});
            writes.push_back({places.back(), part});
        }
        auto commands = device_.record("batch");
        commands.write_each(writes, {.way = way});
        auto batch = commands.read_each<std::uint32_t>(places, {.way = way});
        if (auto sent = device_.submit(std::move(commands)); !sent) tell(sent.error());
        const auto got = only_outcome(batch, 10s);
        for (const Error& error : device_.take_uncaptured_errors())
            throw std::bad_expected_access(error);
        if (!got) return tell(got.error());
        for (std::size_t i = 0; i < ranges; ++i) {
            const auto part = (*got)[i];
            const std::span wanted(data.data() + i * range_words, range_words);
            right_ = right_ && std::ranges::equal(part, wanted);
        }
    }
    void tell(const Error& error) {
        if (!std::exchange(told_, true)) (void)end_with(error);
    }

    Device device_;
    Buffer buffer_;
    bool right_ = true, told_ = false;
};

} // namespace

int scenario_batch() try {
    BatchProgram program;
    program.turn(BatchWay::copies, 1);
    program.turn(BatchWay::compute, 2);
    program.turn(BatchWay::compute, 3);
    return program.end();
} catch (const std::bad_expected_access<Error>& failed) {
    return end_with(failed.error());
}

} // namespace ferry::test
