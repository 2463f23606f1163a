// SPDX-License-Identifier: MIT
// Data that outlives its mapping: a copy that is yours, or memory that you reserved before.
#include <ferry/ferry.hpp>

#include <iostream>

using namespace std::chrono_literals;
using Numbers = std::vector<float>;

int main() try {
    using enum ferry::BufferUsage;
    auto device = ferry::Device::open().value();
    auto staging = device.create_buffer({.usage = map_read | copy_dst, .size_bytes = 12}).value();

    device.write(staging, Numbers{1, 2, 3}).value();
    auto mapping = staging.map_read().wait(10s).value();
    auto view = mapping.as<float>().value();
    const Numbers copy = view.copy().value();
    mapping.unmap().value();
    std::cout << "a copy:   " << copy[0] << ' ' << copy[1] << ' ' << copy[2] << "; the view has "
              << view.size() << '\n';

    // Every few frames: no allocation after this one.
    Numbers reserved(3);
    for (float frame = 1; frame <= 3; ++frame) {
        device.write(staging, Numbers{frame, 10 * frame, 100 * frame}).value();
        auto again = staging.map_read().wait(10s).value(); // unmaps at the end of the block
        auto numbers = again.as<float>().value();
        numbers.copy_to(reserved).value();
    }
    std::cout << "reserved: " << reserved[0] << ' ' << reserved[1] << ' ' << reserved[2] << '\n';

    return copy == Numbers{1, 2, 3} && reserved == Numbers{3, 30, 300} ? 0 : 1;
} catch (const std::bad_expected_access<ferry::Error>& failed) {
    std::cerr << to_string(failed.error()) << '\n';
    return 1;
}
