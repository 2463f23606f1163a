// SPDX-License-Identifier: MIT
// Exposure from a histogram of the picture's brightness, some frames old: it settles, and no frame
// waits for it.
#include <ferry/ferry.hpp>

#include <bit>
#include <iostream>
#include <thread>

using namespace std::chrono_literals;

const char* const wgsl = R"(
    @group(0) @binding(0) var picture: texture_2d<f32>;
    @group(0) @binding(1) var<uniform> exposure: f32;
    @group(0) @binding(2) var<storage, read_write> histogram: array<atomic<u32>, 16>;

    @compute @workgroup_size(8, 8)
    fn measure(@builtin(global_invocation_id) id: vec3u) {
        if (any(id.xy >= textureDimensions(picture))) { return; }
        let luminance = textureLoad(picture, id.xy, 0).r * exposure;
        atomicAdd(&histogram[min(u32(luminance * 16.0), 15u)], 1u);
    }
)";

int main() try {
    using enum ferry::BufferUsage;
    constexpr std::uint32_t side = 64;
    const std::vector<float> dark(side * side, 0.0625f); // a dark room: the goal is 0.5

    auto device = ferry::Device::open().value();
    auto picture = device
                       .create_texture({.format = ferry::Format::r32_float,
                                        .size = {side, side},
                                        .usage = ferry::TextureUsage::texture_binding |
                                                 ferry::TextureUsage::copy_dst})
                       .value();
    device.write(picture, dark, {.tight = true}).value();
    auto exposure = device.create_buffer({.usage = uniform | copy_dst, .size_bytes = 4}).value();
    auto histogram =
        device.create_buffer({.usage = storage | copy_src | copy_dst, .size_bytes = 64}).value();
    auto measure = device.create_kernel(wgsl).value();
    auto ring =
        ferry::ReadbackRing::create(device, {.size_bytes = 64, .label = "histogram"}).value();

    float value = 1;
    std::uint64_t seen = 0, measured = 0;
    for (int turn = 0; turn < 5000 && measured < 16; ++turn) {
        device.write(exposure, std::vector{value}).value();
        auto frame = device.record("frame");
        frame.clear(histogram);
        frame.dispatch(measure,
                       {{"picture", picture}, {"exposure", exposure}, {"histogram", histogram}},
                       {.threads = {side, side}});
        ring.record(frame, histogram, std::bit_cast<std::uint32_t>(value)); // what it was made with
        device.submit(std::move(frame)).value();

        const auto bins = ring.latest<std::uint32_t>();
        if (auto failed = ring.last_error()) return std::cerr << to_string(*failed) << '\n', 1;
        if (!bins || bins->sequence() == seen) { // nothing new: keep the exposure
            std::this_thread::sleep_for(1ms);    // a display sets the pace of a real loop
            continue;
        }
        seen = bins->sequence(), ++measured;
        double sum = 0;
        for (std::size_t i = 0; i < 16; ++i)
            sum += (static_cast<double>(i) + 0.5) / 16 * bins->span()[i];
        const float used = std::bit_cast<float>(static_cast<std::uint32_t>(bins->tag()));
        const double wanted = used * 0.5 / (sum / (side * side));
        value += static_cast<float>(0.3 * (wanted - value)); // a step towards it
    }
    const double shown = 0.0625 * value;
    std::cout << "the room is " << (shown > 0.4 && shown < 0.6 ? "well" : "badly") << " exposed\n";
    return shown > 0.4 && shown < 0.6 ? 0 : 1;
} catch (const std::bad_expected_access<ferry::Error>& failed) {
    std::cerr << to_string(failed.error()) << '\n';
    return 1;
}
