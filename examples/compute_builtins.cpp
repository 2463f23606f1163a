// SPDX-License-Identifier: MIT
// What a compute shader knows about itself: each thread writes it down, the CPU counts along.
#include <ferry/ferry.hpp>

#include <iostream>

using namespace std::chrono_literals;

const char* const wgsl = R"(
    struct Seen {
        workgroup_id: vec3u,
        local_invocation_index: u32,
        local_invocation_id: vec3u,
        global_invocation_id: vec3u,
        num_workgroups: vec3u,
    }
    @group(0) @binding(0) var<storage, read_write> seen: array<Seen>;

    @compute @workgroup_size(2, 3, 4)
    fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) index: u32,
            @builtin(local_invocation_id) local: vec3u, @builtin(global_invocation_id) global: vec3u,
            @builtin(num_workgroups) groups: vec3u) {
        let group_index = group.x + group.y * groups.x + group.z * groups.x * groups.y;
        seen[group_index * 24 + index] = Seen(group, index, local, global, groups);
    }
)";

struct alignas(16) Vec3 { // a vec3u takes 16 bytes, unless a scalar fills the last 4
    std::uint32_t x, y, z;
    bool operator==(const Vec3&) const = default;
};
struct Seen {
    std::uint32_t group_x, group_y, group_z, local_index;
    Vec3 local, global, groups;
    bool operator==(const Seen&) const = default;
};

constexpr Vec3 groups{4, 3, 2}, size{2, 3, 4};

Seen expected(std::uint32_t thread) {
    const std::uint32_t group = thread / 24, index = thread % 24; // 2 * 3 * 4 threads in a group
    const Vec3 g{group % groups.x, group / groups.x % groups.y, group / (groups.x * groups.y)};
    const Vec3 l{index % size.x, index / size.x % size.y, index / (size.x * size.y)};
    const Vec3 global{g.x * size.x + l.x, g.y * size.y + l.y, g.z * size.z + l.z};
    return {g.x, g.y, g.z, index, l, global, groups};
}

int main() try {
    using enum ferry::BufferUsage;
    auto device = ferry::Device::open().value();
    constexpr std::uint64_t size_bytes = 24 * 24 * sizeof(Seen);
    auto seen =
        device.create_buffer({.usage = storage | copy_src, .size_bytes = size_bytes}).value();
    auto kernel = device.create_kernel(wgsl).value();
    auto commands = device.record("builtins");
    commands.dispatch(kernel, {{"seen", seen}}, {.groups = {4, 3, 2}});
    auto read = commands.read<Seen>(seen);
    device.submit(std::move(commands)).value();

    const std::vector<Seen> threads = read.wait(10s).value();
    std::uint32_t right = 0;
    while (right < threads.size() && threads[right] == expected(right)) ++right;
    std::cout << right << " of " << threads.size() << " threads are as counted on the CPU\n";

    const Seen& last = threads.back();
    std::cout << "the last one: index " << last.local_index << " of workgroup " << last.group_x
              << ',' << last.group_y << ',' << last.group_z << ", globally " << last.global.x << ','
              << last.global.y << ',' << last.global.z << '\n';
    return right == 576 ? 0 : 1;
} catch (const std::bad_expected_access<ferry::Error>& failed) {
    std::cerr << to_string(failed.error()) << '\n';
    return 1;
}
