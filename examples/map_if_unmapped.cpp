// SPDX-License-Identifier: MIT
// Asking for a map only when the buffer is free for one: a second request would be an error.
#include <ferry/ferry.hpp>

#include <iostream>

using namespace std::chrono_literals;
using ferry::MapState;

int main() try {
    using enum ferry::BufferUsage;
    auto device = ferry::Device::open().value();
    auto staging = device.create_buffer({.usage = map_read | copy_dst, .size_bytes = 4}).value();
    device.write(staging, std::vector<std::uint32_t>{42}).value();
    std::cout << "at first:       " << name(staging.map_state()) << '\n';

    ferry::Ticket<ferry::ReadMapping> request;
    int requests = 0;
    for (int frame = 0; frame < 3; ++frame) {
        if (staging.map_state() == MapState::unmapped) { // the guard
            request = staging.map_read();
            ++requests;
        }
    }
    std::cout << "after 3 frames: " << name(staging.map_state()) << ", requests: " << requests
              << '\n';

    auto unguarded = staging.map_read().wait(0s);
    std::cout << "without guard:  " << (unguarded ? "mapped" : name(unguarded.error().code))
              << '\n';

    auto mapping = request.wait(10s).value(); // the first request is none the worse
    auto view = mapping.as<std::uint32_t>().value();
    const std::uint32_t number = view.at(0).value();
    std::cout << "delivered:      " << name(staging.map_state()) << ", " << number << '\n';

    mapping.unmap().value();
    std::cout << "after unmap:    " << name(staging.map_state()) << '\n';
    return requests == 1 && !unguarded && number == 42 ? 0 : 1;
} catch (const std::bad_expected_access<ferry::Error>& failed) {
    std::cerr << to_string(failed.error()) << '\n';
    return 1;
}
