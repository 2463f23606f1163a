// SPDX-License-Identifier: MIT
// Data generated straight into mapped memory, then copied on the GPU to where shaders use it.
#include <ferry/ferry.hpp>

#include <cstddef>
#include <iostream>

using namespace std::chrono_literals;

constexpr std::size_t count = 1000, size_bytes = count * sizeof(float);

void generate(std::span<float> numbers) {
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = float(i * i);
}

int main() try {
    using enum ferry::BufferUsage;
    constexpr ferry::BufferOptions working{.usage = storage | copy_dst | copy_src,
                                           .size_bytes = size_bytes};

    auto device = ferry::Device::open().value();
    // What can be mapped can only be copied from; the working buffer may be anything else.
    auto upload =
        device.create_buffer({.usage = map_write | copy_src, .size_bytes = size_bytes}).value();
    auto work = device.create_buffer(working).value();

    auto mapping = upload.map_write().wait(10s).value();
    auto memory = mapping.as<float>().value();
    generate(memory.span().value());
    mapping.unmap().value();

    auto commands = device.record("upload");
    commands.copy(upload, work);
    auto back = commands.read<float>(work);
    device.submit(std::move(commands)).value();

    const std::vector<float> numbers = back.wait(10s).value();
    bool right = numbers.size() == count;
    for (std::size_t i = 0; i < numbers.size(); ++i) right = right && numbers[i] == float(i * i);
    std::cout << numbers.size() << " squares; the last is " << numbers.back() << '\n';

    // A buffer that is mapped cannot be in a submit.
    auto again = upload.map_write().wait(10s).value();
    auto early = device.record("too early");
    early.copy(upload, work);
    auto sent = device.submit(std::move(early));
    std::cout << "submitted while mapped: " << (sent ? "sent" : name(sent.error().code)) << '\n';
    return right && !sent ? 0 : 1;
} catch (const std::bad_expected_access<ferry::Error>& failed) {
    std::cerr << to_string(failed.error()) << '\n';
    return 1;
}
