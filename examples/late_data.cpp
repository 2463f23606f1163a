// SPDX-License-Identifier: MIT
// A mesh that is still loading when the GPU is ready: wait and create, or create and write later.
#include <ferry/ferry.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <future>
#include <iostream>

using namespace std::chrono_literals;
using Bytes = std::vector<std::byte>;

constexpr std::array<std::uint16_t, 9> indices{0, 1, 2, 2, 1, 3, 3, 1, 4};
static_assert(sizeof(indices) == 18); // not a multiple of 4

// Stands for a download: the mesh comes out of a file, some time from now.
Bytes download() {
    std::FILE* file = std::tmpfile();
    if (file == nullptr) return {};
    std::fwrite(indices.data(), sizeof(std::uint16_t), indices.size(), file);
    std::rewind(file);
    Bytes bytes(1024);
    bytes.resize(std::fread(bytes.data(), 1, bytes.size(), file));
    std::fclose(file);
    return bytes;
}

// One: wait for the data, then create the buffer with it. Nothing to round up: that is ferry's.
std::vector<std::uint16_t> wait_then_create(ferry::Device& device, std::future<Bytes> mesh) {
    using enum ferry::BufferUsage;
    const Bytes bytes = mesh.get();
    auto buffer = device.create_buffer(bytes, {.usage = index | copy_src}).value();
    std::cout << "created with its data: " << buffer.size_bytes() << " bytes\n";
    return device.read<std::uint16_t>(buffer).wait(10s).value();
}

// Two: create the buffer now and prepare everything that uses it; write when the data is there.
std::vector<std::uint16_t> create_then_write(ferry::Device& device, std::future<Bytes> mesh) {
    using enum ferry::BufferUsage;
    auto buffer =
        device.create_buffer({.usage = index | copy_dst | copy_src, .size_bytes = 18}).value();
    auto commands = device.record("first frame");
    auto back = commands.read<std::uint16_t>(buffer);

    device.write(buffer, mesh.get()).value(); // any length that ends where the buffer ends
    std::cout << "written when it came: " << buffer.size_bytes() << " bytes\n";
    device.submit(std::move(commands)).value();
    return back.wait(10s).value();
}

int main() try {
    auto device = ferry::Device::open().value();
    const auto one = wait_then_create(device, std::async(std::launch::async, download));
    const auto two = create_then_write(device, std::async(std::launch::async, download));
    std::cout << "indices:";
    for (std::uint16_t index : two) std::cout << ' ' << index;
    std::cout << '\n';
    return std::ranges::equal(one, indices) && std::ranges::equal(two, indices) ? 0 : 1;
} catch (const std::bad_expected_access<ferry::Error>& failed) {
    std::cerr << to_string(failed.error()) << '\n';
    return 1;
}
