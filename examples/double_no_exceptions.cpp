// SPDX-License-Identifier: MIT
// double.cpp without exceptions: what can fail is looked at where it is called.
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

// README: begin
ferry::Result<std::vector<float>> doubled(const std::vector<float>& values) {
    using enum ferry::BufferUsage;
    auto device = ferry::Device::open();
    if (!device) return std::unexpected(device.error());

    auto numbers = device->create_buffer(values, {.usage = storage | copy_src});
    if (!numbers) return std::unexpected(numbers.error());

    auto twice = device->create_kernel(wgsl);
    if (!twice) return std::unexpected(twice.error());

    auto commands = device->record("double");
    commands.dispatch(*twice, {{"data", *numbers}}, {.threads = values.size()});
    auto result = commands.read<float>(*numbers);

    auto sent = device->submit(std::move(commands));
    if (!sent) return std::unexpected(sent.error());
    return result.wait(10s);
}
// README: end

int main() {
    const auto result = doubled({1, 2.5, -3, 65536});
    if (!result) {
        std::cerr << to_string(result.error()) << '\n';
        return 1;
    }
    for (float number : *result) std::cout << number << '\n';
    return *result == std::vector<float>{2, 5, -6, 131072} ? 0 : 1;
}
