// SPDX-License-Identifier: MIT
// A uniform of 16 bytes that is born with its data; neither `copy_dst` nor `map_write` is needed.
#include <ferry/ferry.hpp>

#include <array>
#include <iostream>

using namespace std::chrono_literals;

// Nothing but a shader may read a buffer that is only a uniform, so a shader shows what is in it.
const char* const wgsl = R"(
    @group(0) @binding(0) var<uniform> numbers: vec4f;
    @group(0) @binding(1) var<storage, read_write> shown: vec4f;

    @compute @workgroup_size(1)
    fn main() { shown = numbers; }
)";

std::vector<float> show(ferry::Device& device, const ferry::Kernel& copy,
                        const ferry::Buffer& numbers) {
    using enum ferry::BufferUsage;
    auto shown = device.create_buffer({.usage = storage | copy_src, .size_bytes = 16}).value();
    auto commands = device.record("show");
    commands.dispatch(copy, {{"numbers", numbers}, {"shown", shown}}, {.groups = 1});
    auto read = commands.read<float>(shown);
    device.submit(std::move(commands)).value();
    return read.wait(10s).value();
}

int main() try {
    using enum ferry::BufferUsage;
    auto device = ferry::Device::open().value();
    auto copy = device.create_kernel(wgsl).value();
    constexpr std::array numbers{1.f, 2.f, 3.f, 4.f};

    // The long form: the memory is yours to fill until the unmap.
    constexpr ferry::BufferOptions four_floats{.usage = uniform, .size_bytes = 16};
    auto [filled, mapping] = device.create_mapped_buffer(four_floats).value();
    auto memory = mapping.as<float>().value();
    memory.copy_from(numbers).value();
    mapping.unmap().value();

    // The short one, for data that exists already.
    auto born = device.create_buffer(numbers, {.usage = uniform}).value();

    const std::vector<float> long_form = show(device, copy, filled);
    const std::vector<float> short_form = show(device, copy, born);
    std::cout << "long form: ";
    for (float number : long_form) std::cout << ' ' << number;
    std::cout << '\n';
    std::cout << "short form:";
    for (float number : short_form) std::cout << ' ' << number;
    std::cout << '\n';

    // After its birth a buffer does only what its usage says.
    auto later = device.write(born, std::array{5.f, 6.f, 7.f, 8.f});
    std::cout << "writing to it later: " << (later ? "done" : name(later.error().code)) << '\n';
    const std::vector<float> right{1, 2, 3, 4};
    return long_form == right && short_form == right && !later ? 0 : 1;
} catch (const std::bad_expected_access<ferry::Error>& failed) {
    std::cerr << to_string(failed.error()) << '\n';
    return 1;
}
