// SPDX-License-Identifier: MIT
// Vertices that change in every frame, written straight into memory that is already mapped.
#include <ferry/ferry.hpp>

#include <cmath>
#include <iostream>
#include <thread>

using namespace std::chrono_literals;

struct Particle {
    float x, y, u, v;
};

Particle particle(int frame, int index) {
    const auto angle = static_cast<float>(frame) * 0.1f + static_cast<float>(index);
    return {std::cos(angle), std::sin(angle), static_cast<float>(index), 0};
}

int main() try {
    using enum ferry::BufferUsage;
    constexpr int count = 300, frames = 60;

    auto device = ferry::Device::open().value();
    auto vertices = device
                        .create_buffer({.usage = vertex | copy_src | copy_dst,
                                        .size_bytes = count * sizeof(Particle)})
                        .value();
    auto pool = ferry::UploadPool::create(device, {.label = "vertices"}).value();

    // README: begin
    for (int turn = 0; turn < frames; ++turn) {
        auto frame = device.record("frame");
        auto staged = pool.acquire<Particle>(count).value(); // never waits
        auto out = staged.span();                            // to write, not to read
        for (int i = 0; i < count; ++i) out[static_cast<std::size_t>(i)] = particle(turn, i);
        frame.copy(std::move(staged), vertices); // at this point of the frame
        // ... your passes, which draw `vertices`
        device.submit(std::move(frame)).value(); // after this the memory is mapped again
        std::this_thread::sleep_for(1ms);
    }
    // README: end

    const auto last = device.read<Particle>(vertices).wait(10s).value();
    const Particle wanted = particle(frames - 1, count - 1);
    const bool right = last.back().x == wanted.x && last.back().y == wanted.y;
    const ferry::UploadStats stats = pool.stats();
    std::cerr << stats.made << " buffers were made for " << stats.requested << " frames\n";
    std::cout << "the last frame's vertices are " << (right ? "there" : "not there") << '\n';
    return right ? 0 : 1;
} catch (const std::bad_expected_access<ferry::Error>& failed) {
    std::cerr << to_string(failed.error()) << '\n';
    return 1;
}
