// SPDX-License-Identifier: MIT
// Large transfers: ferry with its copy threads beside ferry without them, and views of downloaded
// chunks beside one copy and map on webgpu.h, taking turns in one process.
//   bench_stream ENGINE-LIBRARY [MiB] [ROUNDS]

#include <ferry/ferry.hpp>

#include <cstdint>
#include <vector>

#include "clock.hpp"
#include "raw.hpp"

using namespace std::chrono_literals;
using bench::median;
using bench::microseconds;

namespace {

struct Place {
    ferry::Device device;
    ferry::Buffer buffer;
};

Place open(const char* library, std::size_t size_bytes, std::optional<unsigned> copy_threads,
           std::uint64_t staging_bytes = ferry::DeviceOptions{}.staging_budget_bytes) {
    const auto engine = ferry::Engine::load(library).value();
    ferry::Limits limits{};
    limits.max_buffer_size_bytes = size_bytes;
    auto device = ferry::Device::open({.engine = engine,
                                       .required_limits = limits,
                                       .staging_budget_bytes = staging_bytes,
                                       .copy_threads = copy_threads})
                      .value();
    auto buffer =
        device
            .create_buffer({.usage = ferry::BufferUsage::copy_src | ferry::BufferUsage::copy_dst,
                            .size_bytes = size_bytes})
            .value();
    return {std::move(device), std::move(buffer)};
}

class RawBuffer {
public:
    RawBuffer(bench::Raw& raw, const std::vector<std::uint32_t>& data)
        : size_bytes_(data.size() * 4), reader_(raw, size_bytes_) {
        WGPUProcDeviceCreateBuffer create = nullptr;
        WGPUProcQueueWriteBuffer write = nullptr;
        raw.get(create, "wgpuDeviceCreateBuffer");
        raw.get(write, "wgpuQueueWriteBuffer");
        raw.get(copy_, "wgpuCommandEncoderCopyBufferToBuffer");
        WGPUBufferDescriptor descriptor = WGPU_BUFFER_DESCRIPTOR_INIT;
        descriptor.usage = WGPUBufferUsage_CopySrc | WGPUBufferUsage_CopyDst;
        descriptor.size = size_bytes_;
        buffer_ = create(raw.device, &descriptor);
        write(raw.queue, buffer_, 0, data.data(), size_bytes_);
    }

    std::uint32_t last_word() {
        std::uint32_t last = 0;
        reader_.read(
            [this](WGPUCommandEncoder encoder, WGPUBuffer staging) {
                copy_(encoder, buffer_, 0, staging, 0, size_bytes_);
            },
            [&](const std::byte* bytes) {
                std::memcpy(&last, bytes + size_bytes_ - sizeof(last), sizeof(last));
            });
        return last;
    }

private:
    std::size_t size_bytes_;
    bench::RawReader reader_;
    WGPUProcCommandEncoderCopyBufferToBuffer copy_ = nullptr;
    WGPUBuffer buffer_ = nullptr;
};

void print(const char* what, const std::vector<double>& times, std::size_t size_bytes,
           const char* beside, const std::vector<double>& other) {
    std::printf("%s: %.2f ms, %.2f GB/s; %s: %.2f ms, %.2f GB/s; ratio %.3f\n", what,
                median(times) / 1e3, static_cast<double>(size_bytes) / median(times) / 1e3, beside,
                median(other) / 1e3, static_cast<double>(size_bytes) / median(other) / 1e3,
                median(other) / median(times));
}

void upload(Place& place, const std::vector<std::uint32_t>& data) {
    ferry::upload(place.device, data, place.buffer).value();
    (void)place.device.done().wait(60s).value();
}

void write(Place& place, const std::vector<std::uint32_t>& data) {
    place.device.write(place.buffer, data).value();
    (void)place.device.done().wait(60s).value();
}

std::uint32_t look(Place& place, const ferry::StreamOptions& options) {
    std::uint32_t last = 0;
    const auto take = [&last](std::span<const std::byte> bytes) -> ferry::Result<> {
        std::memcpy(&last, bytes.data() + bytes.size() - sizeof(last), sizeof(last));
        return {};
    };
    ferry::download(place.device, place.buffer, take, options).value();
    return last;
}

} // namespace

int main(int count, char** words) {
    if (count < 2)
        return std::fprintf(stderr, "usage: bench_stream ENGINE-LIBRARY [MiB] [ROUNDS]\n"), 2;
    const std::size_t mebibytes = count > 2 ? static_cast<std::size_t>(std::atoi(words[2])) : 64;
    const int rounds = count > 3 ? std::atoi(words[3]) : 7;
    const std::size_t size_bytes = mebibytes << 20;
    std::vector<std::uint32_t> data(size_bytes / 4);
    for (std::uint32_t state = 1; std::uint32_t & word : data)
        word = state = state * 1664525 + 1013904223;
    std::vector<std::uint32_t> got(data.size());

    bench::Raw raw(words[1]);
    RawBuffer raw_buffer(raw, data);
    Place alone = open(words[1], size_bytes, 0);
    Place crew = open(words[1], size_bytes, std::nullopt);
    Place large_chunks = open(words[1], size_bytes, std::nullopt, std::uint64_t{256} << 20);
    ferry::upload(large_chunks.device, data, large_chunks.buffer).value();
    std::printf("%zu MiB, %s on %s, medians of %d\n", mebibytes,
                std::string(crew.device.engine().name()).c_str(),
                crew.device.adapter().name.c_str(), rounds);

    struct {
        std::vector<double> alone, crew;
    } up, writes, down, reads;
    std::vector<double> raw_look, view, large_view;
    for (int round = -1; round < rounds; ++round) { // the first one warms up
        const auto keep = [round](std::vector<double>& times, double time) {
            if (round >= 0) times.push_back(time);
        };
        keep(up.alone, microseconds([&] { upload(alone, data); }));
        keep(up.crew, microseconds([&] { upload(crew, data); }));
        keep(writes.alone, microseconds([&] { write(alone, data); }));
        keep(writes.crew, microseconds([&] { write(crew, data); }));
        for (auto [place, times] : {std::pair{&alone, &down.alone}, {&crew, &down.crew}}) {
            std::ranges::fill(got, 0);
            keep(*times,
                 microseconds([&] { ferry::download(place->device, place->buffer, got).value(); }));
            bench::Raw::need(got == data, "the right bytes (download)");
        }
        for (auto [place, times] : {std::pair{&alone, &reads.alone}, {&crew, &reads.crew}}) {
            std::ranges::fill(got, 0);
            keep(*times, microseconds([&] {
                (void)place->device.read<std::uint32_t>(place->buffer).wait_into(got, 60s).value();
            }));
            bench::Raw::need(got == data, "the right bytes (read)");
        }
        std::uint32_t last = 0;
        keep(raw_look, microseconds([&] { last = raw_buffer.last_word(); }));
        bench::Raw::need(last == data.back(), "the right last word (webgpu.h)");
        keep(view, microseconds([&] { last = look(crew, {}); }));
        bench::Raw::need(last == data.back(), "the right last word (views)");
        const ferry::StreamOptions large{.chunk_bytes = std::uint64_t{64} << 20, .depth = 2};
        keep(large_view, microseconds([&] { last = look(large_chunks, large); }));
        bench::Raw::need(last == data.back(), "the right last word (large views)");
    }
    print("upload from memory", up.crew, size_bytes, "one thread", up.alone);
    print("Device::write", writes.crew, size_bytes, "one thread", writes.alone);
    print("download into memory", down.crew, size_bytes, "one thread", down.alone);
    print("one-shot read into memory", reads.crew, size_bytes, "one thread", reads.alone);
    print("download, views of chunks", view, size_bytes, "webgpu.h, one copy and map", raw_look);
    print("download, views of 64 MiB", large_view, size_bytes, "webgpu.h, one copy and map",
          raw_look);
}
