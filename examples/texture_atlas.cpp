// SPDX-License-Identifier: MIT
// An atlas of small pictures, updated in rectangles: each is written into mapped memory, whose rows
// are padded as the GPU wants them.
#include <ferry/ferry.hpp>

#include <iostream>

using namespace std::chrono_literals;
using ferry::Rgba8;

int main() try {
    constexpr std::uint32_t side = 256, tile = 20, across = side / tile;

    auto device = ferry::Device::open().value();
    auto atlas =
        device
            .create_texture({.format = ferry::Format::rgba8_unorm,
                             .size = {side, side},
                             .usage = ferry::TextureUsage::copy_src | ferry::TextureUsage::copy_dst,
                             .label = "atlas"})
            .value();
    auto pool = ferry::UploadPool::create(device, {.label = "tiles"}).value();

    for (std::uint32_t number = 0; number < across * across; number += across) { // a column
        auto frame = device.record("frame");
        for (std::uint32_t i = number; i < number + across; ++i) {
            const ferry::Origin3D origin{i / across * tile, i % across * tile};
            auto staged = pool.acquire({atlas, {.origin = origin}}, {tile, tile}).value();
            const std::vector<Rgba8> row(tile, Rgba8{static_cast<std::uint8_t>(i), 1, 2, 255});
            for (std::uint64_t y = 0; y < staged.rows(); ++y)
                staged.row(y).copy_from(std::as_bytes(std::span(row))).value();
            frame.copy(std::move(staged));
        }
        device.submit(std::move(frame)).value();
    }

    const auto texels = device.read<Rgba8>(atlas).wait(10s).value();
    std::size_t wrong = 0;
    for (std::uint32_t y = 0; y < side; ++y) {
        for (std::uint32_t x = 0; x < side; ++x) {
            const bool inside = x < across * tile && y < across * tile;
            const auto number = static_cast<std::uint8_t>(x / tile * across + y / tile);
            const Rgba8 wanted = inside ? Rgba8{number, 1, 2, 255} : Rgba8{};
            if (!(texels[y * side + x] == wanted)) ++wrong;
        }
    }
    std::cout << across * across << " tiles, " << wrong << " wrong texels\n";
    return wrong == 0 ? 0 : 1;
} catch (const std::bad_expected_access<ferry::Error>& failed) {
    std::cerr << to_string(failed.error()) << '\n';
    return 1;
}
