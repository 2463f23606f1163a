// SPDX-License-Identifier: MIT
// Streams of a few chunks into a buffer and a texture and back.
#include "ferry/stream.hpp"
#include "scenarios.hpp"

namespace ferry::test {
namespace {

using Bytes = std::vector<std::byte>;

StreamOptions by_chunks(std::uint64_t chunk_bytes) {
    StreamOptions options;
    options.chunk_bytes = chunk_bytes;
    options.depth = 2;
    options.patience = std::chrono::seconds(5);
    return options;
}

/// What a stream that says that it went well has moved.
bool adds_up(const StreamReport& report, std::uint64_t bytes, std::uint64_t chunks) {
    return report.bytes == bytes && report.chunks == chunks;
}

bool through_a_buffer(Device& device) {
    const Bytes data = pattern(43, 5);
    const Buffer buffer =
        device
            .create_buffer({.usage = Usage::copy_src | Usage::copy_dst, .size_bytes = data.size()})
            .value();
    bool right = adds_up(upload(device, data, buffer, by_chunks(16)).value(), 43, 3);
    Bytes back(data.size());
    right = adds_up(download(device, buffer, back, by_chunks(16)).value(), 43, 3) && right;
    return right && back == data;
}

bool through_a_texture(Device& device) {
    const Bytes data = pattern(60, 6);
    const Texture texture =
        device
            .create_texture({.format = Format::rgba8_unorm,
                             .size = {5, 3},
                             .usage = TextureUsage::copy_src | TextureUsage::copy_dst})
            .value();
    bool right = adds_up(upload(device, data, texture, {}, by_chunks(256)).value(), 60, 3);
    Bytes back(data.size());
    right = adds_up(download(device, texture, back, {}, by_chunks(512)).value(), 60, 2) && right;
    return right && back == data;
}

} // namespace

int scenario_stream() try {
    Device device = Device::open().value();
    const bool buffer = through_a_buffer(device);
    return through_a_texture(device) && buffer ? 0 : 1;
} catch (const std::bad_expected_access<Error>& failed) {
    return end_with(failed.error());
}

} // namespace ferry::test
