// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace ferry::test::wgsl {

/// data[i] = data[i] * 2
inline constexpr std::string_view twice = R"(
@group(0) @binding(0) var<storage, read_write> data: array<f32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if (id.x < arrayLength(&data)) { data[id.x] = data[id.x] * 2.0; }
})";

/// seen = the number of workgroups, and how many threads ran
inline constexpr std::string_view count_groups = R"(
struct Seen { x: u32, y: u32, z: u32, threads: atomic<u32> }
@group(0) @binding(0) var<storage, read_write> seen: Seen;
@compute @workgroup_size(4, 2, 1)
fn main(@builtin(num_workgroups) groups: vec3u) {
    seen.x = groups.x;
    seen.y = groups.y;
    seen.z = groups.z;
    atomicAdd(&seen.threads, 1u);
})";

/// target_[i] = source[i] + 1
inline constexpr std::string_view two_buffers = R"(
@group(0) @binding(0) var<storage, read> source: array<u32>;
@group(0) @binding(1) var<storage, read_write> target_: array<u32>;
@compute @workgroup_size(1)
fn main(@builtin(global_invocation_id) id: vec3u) { target_[id.x] = source[id.x] + 1u; }
)";

/// Threads that work for a while, after which result[0] is 7. The time grows with the number of
/// groups: lavapipe ends a loop after 65,535 turns.
inline constexpr std::string_view slow = R"(
@group(0) @binding(0) var<storage, read_write> result: array<u32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
    var state = 2463534242u + id.x;
    for (var turn = 0u; turn < 20000u; turn++) {
        state ^= state << 13u;
        state ^= state >> 17u;
        state ^= state << 5u;
    }
    // The loop cannot be left out: nobody knows that its state is never zero.
    if (state == 0u || id.x == 0u) { result[0] = 7u; }
})";

} // namespace ferry::test::wgsl
