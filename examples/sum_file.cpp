// SPDX-License-Identifier: MIT
// Sums the 32-bit words of a file of any size on the GPU, in bounded memory: `sum_file FILE`.
// Without a name it makes a small file of its own.
#include <ferry/ferry.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>

using namespace std::chrono_literals;

const char* const wgsl = R"(
    @group(0) @binding(0) var<storage, read> words: array<u32>;
    @group(0) @binding(1) var<storage, read_write> sums: array<vec2u>; // low and high word

    @compute @workgroup_size(64)
    fn sum(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
        var total = sums[id.x];
        for (var i = id.x; i < arrayLength(&words); i += groups.x * 64u) {
            let low = total.x + words[i];
            total = vec2u(low, total.y + select(0u, 1u, low < words[i]));
        }
        sums[id.x] = total;
    }
)";

std::filesystem::path make_file() {
    const auto path = std::filesystem::temp_directory_path() / "ferry-sum_file.bin";
    std::ofstream file(path, std::ios::binary);
    for (std::uint32_t i = 0; i < 1'000'000; ++i)
        file.write(reinterpret_cast<const char*>(&i), sizeof(i));
    return path;
}

int main(int count, char** arguments) try {
    using enum ferry::BufferUsage;
    constexpr std::uint64_t piece = std::uint64_t{1} << 20; // more is faster: 16 MiB
    constexpr std::uint32_t groups = 64, threads = groups * 64;

    auto device = ferry::Device::open().value();
    auto words = device.create_buffer({.usage = storage | copy_dst, .size_bytes = piece}).value();
    auto sums = device
                    .create_buffer({.usage = storage | copy_src,
                                    .size_bytes = threads * sizeof(std::uint64_t)})
                    .value();
    auto kernel = device.create_kernel(wgsl).value();

    const std::filesystem::path path = count > 1 ? arguments[1] : make_file();
    const std::uint64_t size = std::filesystem::file_size(path) / 4 * 4;
    auto file = ferry::StreamSource::file(path).value();
    for (std::uint64_t done = 0; done < size; done += piece) {
        const ferry::BufferView part(words, {.size_bytes = std::min(piece, size - done)});
        ferry::upload(device, file, part).value(); // goes on where it ended
        auto commands = device.record();
        commands.dispatch(kernel, {{"words", part}, {"sums", sums}}, {.groups = groups});
        device.submit(std::move(commands)).value();
    }
    const auto parts = device.read<std::uint64_t>(sums).wait(60s).value();
    std::uint64_t total = 0;
    for (const std::uint64_t part : parts) total += part;
    if (count < 2) std::filesystem::remove(path);
    std::cout << size / 4 << " words, sum " << total << '\n';
} catch (const std::bad_expected_access<ferry::Error>& failed) {
    std::cerr << to_string(failed.error()) << '\n';
    return 1;
}
