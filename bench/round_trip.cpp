// SPDX-License-Identifier: MIT
// A read of 4 bytes: ferry beside the same steps on webgpu.h, taking turns in one process.
//   bench_round_trip ENGINE-LIBRARY [ROUNDS]

#include <ferry/ferry.hpp>

#include <cstdint>
#include <vector>

#include "clock.hpp"
#include "raw.hpp"

using namespace std::chrono_literals;
using bench::median;
using bench::microseconds;

namespace {

constexpr std::uint32_t expected = 0x12345678;

WGPUBuffer make_source(bench::Raw& raw) {
    WGPUProcDeviceCreateBuffer create = nullptr;
    WGPUProcQueueWriteBuffer write = nullptr;
    raw.get(create, "wgpuDeviceCreateBuffer");
    raw.get(write, "wgpuQueueWriteBuffer");
    WGPUBufferDescriptor descriptor = WGPU_BUFFER_DESCRIPTOR_INIT;
    descriptor.usage = WGPUBufferUsage_CopySrc | WGPUBufferUsage_CopyDst;
    descriptor.size = sizeof(expected);
    WGPUBuffer buffer = create(raw.device, &descriptor);
    write(raw.queue, buffer, 0, &expected, sizeof(expected));
    return buffer;
}

void check(std::uint32_t got) { bench::Raw::need(got == expected, "the right value"); }

} // namespace

int main(int count, char** words) {
    if (count < 2)
        return std::fprintf(stderr, "usage: bench_round_trip ENGINE-LIBRARY [ROUNDS]\n"), 2;
    const int rounds = count > 2 ? std::atoi(words[2]) : 3000;
    bench::Raw raw(words[1]);
    WGPUBuffer raw_source = make_source(raw);
    bench::RawReader reader(raw, sizeof(expected));
    WGPUProcCommandEncoderCopyBufferToBuffer copy = nullptr;
    raw.get(copy, "wgpuCommandEncoderCopyBufferToBuffer");

    auto device = ferry::Device::open({.engine = ferry::Engine::load(words[1]).value()}).value();
    const std::vector<std::uint32_t> data{expected};
    auto source = device.create_buffer(data, {.usage = ferry::BufferUsage::copy_src}).value();

    std::vector<double> raw_times;
    std::vector<double> ferry_times;
    for (int round = -rounds / 10; round < rounds; ++round) { // the first tenth warms up
        std::uint32_t value = 0;
        const double by_raw = microseconds([&] {
            reader.read(
                [&](WGPUCommandEncoder encoder, WGPUBuffer staging) {
                    copy(encoder, raw_source, 0, staging, 0, sizeof(value));
                },
                [&](const std::byte* bytes) { std::memcpy(&value, bytes, sizeof(value)); });
        });
        check(value);
        std::vector<std::uint32_t> got(1);
        const double by_ferry = microseconds(
            [&] { (void)device.read<std::uint32_t>(source).wait_into(got, 10s).value(); });
        check(got[0]);
        if (round < 0) continue;
        raw_times.push_back(by_raw);
        ferry_times.push_back(by_ferry);
    }
    const double raw_median = median(raw_times);
    const double ferry_median = median(ferry_times);
    std::printf(
        "round trip of 4 bytes, %s on %s, median of %d: raw %.1f us, ferry %.1f us, ratio %.3f\n",
        std::string(device.engine().name()).c_str(), device.adapter().name.c_str(), rounds,
        raw_median, ferry_median, ferry_median / raw_median);
}
