// SPDX-License-Identifier: MIT
// Knowing when the GPU is done with everything sent so far, without stopping for it.
#include <ferry/ferry.hpp>

#include <iostream>
#include <thread>

using namespace std::chrono_literals;

const char* const wgsl = R"(
    @group(0) @binding(0) var<storage, read_write> total: atomic<u32>;

    @compute @workgroup_size(64)
    fn main() { atomicAdd(&total, 1u); }
)";

int main() try {
    using enum ferry::BufferUsage;
    auto device = ferry::Device::open().value();
    auto total = device.create_buffer({.usage = storage | copy_src, .size_bytes = 4}).value();
    auto count = device.create_kernel(wgsl).value();

    auto commands = device.record("count");
    commands.dispatch(count, {{"total", total}}, {.groups = 1000});
    const ferry::Submission sent = device.submit(std::move(commands)).value();

    auto done = device.done();
    while (!done.ready()) {               // never blocks
        std::this_thread::sleep_for(1ms); // your program goes on here
    }
    const ferry::Submission last = done.wait(0s).value(); // it is there, so this does not wait
    const bool right = last.number == sent.number;
    std::cout << "the GPU is done with " << (right ? "this submission" : "another one") << '\n';

    const std::uint32_t threads = device.read<std::uint32_t>(total).wait(10s).value().at(0);
    std::cout << threads << " threads counted themselves\n";
    return right && threads == 64000 ? 0 : 1;
} catch (const std::bad_expected_access<ferry::Error>& failed) {
    std::cerr << to_string(failed.error()) << '\n';
    return 1;
}
