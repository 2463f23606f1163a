// SPDX-License-Identifier: MIT
// Numbers through a shader and back.
// README: begin
#include <ferry/ferry.hpp>

#include <iostream>

using namespace std::chrono_literals;

const char* const wgsl = R"(
    @group(0) @binding(0) var<storage, read_write> data: array<f32>;

    @compute @workgroup_size(64)
    fn main(@builtin(global_invocation_id) id: vec3u) {
        if (id.x < arrayLength(&data)) { data[id.x] *= 2.0; }
    }
)";

int main() try {
    using enum ferry::BufferUsage;
    const std::vector<float> values{1, 2.5, -3, 65536};

    auto device = ferry::Device::open().value(); // the best adapter of the default engine
    auto numbers = device.create_buffer(values, {.usage = storage | copy_src}).value();
    auto twice = device.create_kernel(wgsl).value();

    auto commands = device.record("double");
    commands.dispatch(twice, {{"data", numbers}}, {.threads = values.size()});
    auto doubled = commands.read<float>(numbers); // a ticket: the numbers come after the submit
    device.submit(std::move(commands)).value();   // or the first command that was wrong

    const std::vector<float> result = doubled.wait(10s).value();
    for (float number : result) std::cout << number << '\n';
    return result == std::vector<float>{2, 5, -6, 131072} ? 0 : 1;
} catch (const std::bad_expected_access<ferry::Error>& failed) {
    std::cerr << to_string(failed.error()) << '\n'; // what happened, why, and what to do
    return 1;
}
// README: end
