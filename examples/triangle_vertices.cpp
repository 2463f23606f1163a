// SPDX-License-Identifier: MIT
// A triangle's vertex buffer, born with its data: one call, one copy.
#include <ferry/ferry.hpp>

#include <algorithm>
#include <array>
#include <iostream>

using namespace std::chrono_literals;

struct Vertex {
    float x, y, r, g, b;
    bool operator==(const Vertex&) const = default;
};

int main() try {
    using enum ferry::BufferUsage;
    constexpr std::array triangle{
        Vertex{0.0f, 0.5f, 1, 0, 0},
        Vertex{-0.5f, -0.5f, 0, 1, 0},
        Vertex{0.5f, -0.5f, 0, 0, 1},
    };

    auto device = ferry::Device::open().value();

    // To draw it, `vertex` is enough; `copy_src` lets this program read it back.
    auto vertices = device.create_buffer(triangle, {.usage = vertex | copy_src}).value();

    std::cout << "3 vertices: " << vertices.size_bytes() << " bytes\n";
    const std::vector<Vertex> back = device.read<Vertex>(vertices).wait(10s).value();
    for (const Vertex& v : back) {
        std::cout << "at " << v.x << ',' << v.y << ' ';
        std::cout << "red " << v.r << ", green " << v.g << ", blue " << v.b << '\n';
    }
    return std::ranges::equal(back, triangle) ? 0 : 1;
} catch (const std::bad_expected_access<ferry::Error>& failed) {
    std::cerr << to_string(failed.error()) << '\n';
    return 1;
}
