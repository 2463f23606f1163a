// SPDX-License-Identifier: MIT
// Many reads or writes of 16 bytes at once, by copies and by compute, beside one by one.
//   bench_batch ENGINE-LIBRARY [ROUNDS [ADAPTER]]

#include <ferry/ferry.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "clock.hpp"

using namespace std::chrono_literals;
using bench::median;
using bench::microseconds;
using ferry::BufferUsage;

namespace {

constexpr std::uint64_t range_bytes = 16;
constexpr std::uint64_t stride_bytes = 4096; // too far apart to be merged
constexpr std::size_t most = 10'000;

/// Ranges in random order.
std::vector<ferry::BufferView> scattered(const ferry::Buffer& buffer, std::size_t count) {
    std::vector<std::uint64_t> places(count);
    for (std::size_t i = 0; i < count; ++i) places[i] = i * stride_bytes + i % 7 * 4;
    std::shuffle(places.begin(), places.end(), std::mt19937(1));
    std::vector<ferry::BufferView> views;
    for (std::uint64_t at : places) views.emplace_back(buffer, ferry::ByteRange{at, range_bytes});
    return views;
}

void check(bool right, const char* what) {
    if (right) return;
    std::fprintf(stderr, "bench_batch: %s is wrong\n", what);
    std::exit(1);
}

/// The first tenth warms up.
template <class Work>
double time_of(int rounds, Work work) {
    std::vector<double> times;
    for (int round = -rounds / 10 - 1; round < rounds; ++round) {
        const double time = microseconds(work);
        if (round >= 0) times.push_back(time);
    }
    return median(times);
}

std::uint32_t word_at(const ferry::BufferView& view) {
    return static_cast<std::uint32_t>(view.range.offset_bytes / 4);
}

double read_batch(ferry::Device& device, const std::vector<ferry::BufferView>& views,
                  ferry::BatchWay way, int rounds) {
    return time_of(rounds, [&] {
        const auto batch = device.read_each<std::uint32_t>(views, {.way = way}).wait(60s).value();
        check(batch.report().way == way, "the way");
        for (std::size_t i = 0; i < views.size(); i += 97)
            check(batch[i][1] == word_at(views[i]) + 1, "a batch");
    });
}

double read_singly(ferry::Device& device, const std::vector<ferry::BufferView>& views, int rounds) {
    return time_of(rounds, [&] {
        std::vector<ferry::Ticket<std::vector<std::uint32_t>>> tickets;
        for (const auto& view : views) tickets.push_back(device.read<std::uint32_t>(view));
        for (std::size_t i = 0; i < views.size(); ++i)
            check(tickets[i].wait(60s).value()[1] == word_at(views[i]) + 1, "a read");
    });
}

double read_waiting(ferry::Device& device, const std::vector<ferry::BufferView>& views,
                    int rounds) {
    return time_of(rounds, [&] {
        for (const auto& view : views) {
            const auto words = device.read<std::uint32_t>(view).wait(60s).value();
            check(words[1] == word_at(view) + 1, "a read");
        }
    });
}

/// Until the GPU has them.
double write_batch(ferry::Device& device, const std::vector<ferry::BufferView>& views,
                   ferry::BatchWay way, int rounds) {
    std::vector<std::array<std::uint32_t, range_bytes / 4>> values;
    std::vector<ferry::BatchWrite> writes;
    values.reserve(views.size());
    for (const auto& view : views) {
        const std::uint32_t first = word_at(view);
        values.push_back({first, first + 1, first + 2, first + 3});
        writes.emplace_back(view, values.back());
    }
    return time_of(rounds, [&] {
        const auto report = device.write_each(writes, {.way = way}).value();
        check(report.way == way, "the way");
        (void)device.done().wait(60s).value();
    });
}

double write_singly(ferry::Device& device, const ferry::Buffer& buffer,
                    const std::vector<ferry::BufferView>& views, int rounds) {
    return time_of(rounds, [&] {
        for (const auto& view : views) {
            const std::uint32_t first = word_at(view);
            const std::array values{first, first + 1, first + 2, first + 3};
            device.write(buffer, values, {.offset_bytes = view.range.offset_bytes}).value();
        }
        (void)device.done().wait(60s).value();
    });
}

void print(const char* what, std::size_t count, double time) {
    std::printf("  %-22s %6zu  %10.1f us  %8.3f us each\n", what, count, time,
                time / static_cast<double>(count));
}

} // namespace

int main(int count, char** words) {
    if (count < 2) {
        return std::fprintf(stderr, "usage: bench_batch ENGINE-LIBRARY [ROUNDS [ADAPTER]]\n"), 2;
    }
    const int rounds = count > 2 ? std::atoi(words[2]) : 20;
    auto device = ferry::Device::open({.engine = ferry::Engine::load(words[1]).value(),
                                       .adapter = count > 3 ? words[3] : ""})
                      .value();
    std::vector<std::uint32_t> data(most * stride_bytes / 4 + 64);
    for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<std::uint32_t>(i);
    const auto buffer =
        device
            .create_buffer(data, {.usage = BufferUsage::copy_src | BufferUsage::copy_dst |
                                           BufferUsage::storage})
            .value();
    std::printf("batches of ranges of 16 bytes, %s on %s, median of %d\n",
                std::string(device.engine().name()).c_str(), device.adapter().name.c_str(), rounds);
    double read = 0, write = 0;
    for (std::size_t n : {16U, 64U, 256U, 1000U, 4000U, 10'000U}) {
        const auto views = scattered(buffer, n);
        const double copies = read_batch(device, views, ferry::BatchWay::copies, rounds);
        const double compute = read_batch(device, views, ferry::BatchWay::compute, rounds);
        print("reads, copies", n, copies);
        print("reads, compute", n, compute);
        read = std::min(copies, compute);
        const double write_copies = write_batch(device, views, ferry::BatchWay::copies, rounds);
        const double write_compute = write_batch(device, views, ferry::BatchWay::compute, rounds);
        print("writes, copies", n, write_copies);
        print("writes, compute", n, write_compute);
        write = std::min(write_copies, write_compute);
    }
    const auto views = scattered(buffer, most);
    const int few = std::max(1, rounds / 10);
    const double pending = read_singly(device, views, few);
    const double waited = read_waiting(device, views, few);
    const double written = write_singly(device, buffer, views, few);
    print("reads, all pending", most, pending);
    print("reads, each waited for", most, waited);
    print("writes, one by one", most, written);
    std::printf("  one by one, 10,000 reads take %.1f times a batch and 10,000 writes %.1f times\n",
                std::min(pending, waited) / read, written / write);
}
