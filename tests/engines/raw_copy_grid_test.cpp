// SPDX-License-Identifier: MIT
// Copies by raw webgpu.h calls over a grid, each compared byte for byte with a plain model: the
// engines agree with the model and so with each other, ferry_fake among them.

#include <array>

#include "raw_engine.hpp"

namespace ferry::test {
namespace {

using Bytes = std::vector<std::byte>;
constexpr std::byte poison{0xA5};

struct TexelFormat {
    WGPUTextureFormat format;
    std::uint32_t texel_bytes;
};

/// Formats whose bytes every copy keeps, one for each size of a texel.
constexpr std::array<TexelFormat, 6> formats{{{WGPUTextureFormat_R8Unorm, 1},
                                              {WGPUTextureFormat_RG8Uint, 2},
                                              {WGPUTextureFormat_RGBA8Unorm, 4},
                                              {WGPUTextureFormat_BGRA8Unorm, 4},
                                              {WGPUTextureFormat_RGBA16Uint, 8},
                                              {WGPUTextureFormat_RGBA32Uint, 16}}};
constexpr std::array<WGPUExtent3D, 5> sizes{
    {{1, 1, 1}, {3, 2, 1}, {5, 4, 3}, {64, 1, 2}, {65, 3, 1}}};

/// How rows and images lie in a buffer.
struct Rows {
    std::uint32_t offset = 0;
    std::uint32_t pitch = 0;
    std::uint32_t per_image = 0;

    [[nodiscard]] std::size_t at(std::uint32_t row, std::uint32_t image) const {
        return offset + (std::size_t{image} * per_image + row) * pitch;
    }
    [[nodiscard]] WGPUTexelCopyBufferLayout layout() const { return {offset, pitch, per_image}; }
};

std::uint32_t aligned(std::uint32_t bytes) { return (bytes + 255) / 256 * 256; }

/// One way of a block of texels: a buffer or the queue, a texture, another texture, a buffer.
struct Trip {
    TexelFormat texel{};
    WGPUExtent3D size{};
    std::uint32_t shift = 0; ///< origin in both textures
    std::uint32_t extra = 0; ///< rows and images are further apart than they need to be
    bool by_queue = false;   ///< writeTexture, tight; else copyBufferToTexture

    [[nodiscard]] std::uint32_t row_bytes() const { return size.width * texel.texel_bytes; }
    [[nodiscard]] Rows source() const {
        const std::uint32_t pitch = by_queue ? row_bytes() : aligned(row_bytes()) + 256 * extra;
        return {by_queue ? 0 : 16 * extra, pitch, size.height + extra};
    }
    [[nodiscard]] Rows target() const {
        return {32, aligned(row_bytes()) + 256 * (1 - extra), size.height + 1 - extra};
    }
    [[nodiscard]] std::size_t bytes_of(const Rows& rows) const {
        return rows.at(size.height - 1, size.depthOrArrayLayers - 1) + row_bytes();
    }
};

/// The test's own functions of the engine.
class Copier {
public:
    explicit Copier(Device& device) : device_(device), handles_(interop::raw(device)) {}

    [[nodiscard]] Bytes run(const Trip& trip, const Bytes& source) {
        WGPUTexture first = texture(trip);
        WGPUTexture second = texture(trip);
        Buffer from = make_filled(device_, source, Usage::copy_src);
        // 4 bytes more, so that a byte behind the last row would be seen
        Buffer to = make_filled(device_, Bytes(trip.bytes_of(trip.target()) + 4, poison),
                                Usage::copy_src | Usage::copy_dst);
        Commands commands = device_.record("raw copies");
        fill(trip, source, interop::raw(from), first, commands.raw_encoder());
        move(trip, first, second, interop::raw(to), commands.raw_encoder());
        commands.uses(from);
        commands.uses(to);
        auto ticket = commands.read<std::byte>(to);
        must(device_.submit(std::move(commands)));
        Bytes out = must(ticket.wait(patience));
        for (WGPUTexture texture : {first, second}) {
            raw_engine().get<WGPUProcTextureRelease>("wgpuTextureRelease")(texture);
        }
        return out;
    }

    void copy(WGPUBuffer from, std::uint64_t at, WGPUBuffer to, std::uint64_t to_at,
              std::uint64_t size, WGPUCommandEncoder encoder) {
        raw_engine().get<WGPUProcCommandEncoderCopyBufferToBuffer>(
            "wgpuCommandEncoderCopyBufferToBuffer")(encoder, from, at, to, to_at, size);
    }

private:
    [[nodiscard]] WGPUTexture texture(const Trip& trip) const {
        WGPUTextureDescriptor descriptor = WGPU_TEXTURE_DESCRIPTOR_INIT;
        descriptor.format = trip.texel.format;
        descriptor.dimension = WGPUTextureDimension_2D;
        descriptor.usage = WGPUTextureUsage_CopySrc | WGPUTextureUsage_CopyDst;
        descriptor.size = {trip.size.width + 2 * trip.shift, trip.size.height + 2 * trip.shift,
                           trip.size.depthOrArrayLayers + trip.shift};
        return raw_engine().get<WGPUProcDeviceCreateTexture>("wgpuDeviceCreateTexture")(
            handles_.device, &descriptor);
    }

    static WGPUTexelCopyTextureInfo place(WGPUTexture texture, const Trip& trip) {
        WGPUTexelCopyTextureInfo info = WGPU_TEXEL_COPY_TEXTURE_INFO_INIT;
        info.texture = texture;
        info.origin = {trip.shift, trip.shift, trip.shift};
        return info;
    }

    void fill(const Trip& trip, const Bytes& source, WGPUBuffer from, WGPUTexture texture,
              WGPUCommandEncoder encoder) const {
        const auto to = place(texture, trip);
        const auto layout = trip.source().layout();
        if (trip.by_queue) {
            raw_engine().get<WGPUProcQueueWriteTexture>("wgpuQueueWriteTexture")(
                handles_.queue, &to, source.data(), source.size(), &layout, &trip.size);
            return;
        }
        const WGPUTexelCopyBufferInfo info{layout, from};
        raw_engine().get<WGPUProcCommandEncoderCopyBufferToTexture>(
            "wgpuCommandEncoderCopyBufferToTexture")(encoder, &info, &to, &trip.size);
    }

    static void move(const Trip& trip, WGPUTexture first, WGPUTexture second, WGPUBuffer to,
                     WGPUCommandEncoder encoder) {
        const auto from = place(first, trip);
        const auto over = place(second, trip);
        raw_engine().get<WGPUProcCommandEncoderCopyTextureToTexture>(
            "wgpuCommandEncoderCopyTextureToTexture")(encoder, &from, &over, &trip.size);
        const WGPUTexelCopyBufferInfo info{trip.target().layout(), to};
        raw_engine().get<WGPUProcCommandEncoderCopyTextureToBuffer>(
            "wgpuCommandEncoderCopyTextureToBuffer")(encoder, &over, &info, &trip.size);
    }

    Device& device_;
    interop::RawDevice handles_;
};

/// Where each byte ends up; everything else keeps its poison.
Bytes model(const Trip& trip, const Bytes& source) {
    Bytes out(trip.bytes_of(trip.target()) + 4, poison);
    for (std::uint32_t image = 0; image < trip.size.depthOrArrayLayers; ++image) {
        for (std::uint32_t row = 0; row < trip.size.height; ++row) {
            std::copy_n(source.begin() + static_cast<std::ptrdiff_t>(trip.source().at(row, image)),
                        trip.row_bytes(),
                        out.begin() + static_cast<std::ptrdiff_t>(trip.target().at(row, image)));
        }
    }
    return out;
}

TEST(RawCopies, TexelsArriveByteForByteAndNothingElseIsTouched) {
    FERRY_NEEDS_RAW_ENGINE();
    Device device = open_device();
    Copier copier(device);
    int trips = 0;
    for (const TexelFormat& texel : formats) {
        for (const WGPUExtent3D& size : sizes) {
            for (std::uint32_t shift : {0U, 1U}) {
                for (std::uint32_t extra : {0U, 1U}) {
                    for (bool by_queue : {false, true}) {
                        const Trip trip{texel, size, shift, extra, by_queue};
                        const Bytes source =
                            pattern(trip.bytes_of(trip.source()), static_cast<unsigned>(trips) + 1);
                        ASSERT_EQ(copier.run(trip, source), model(trip, source))
                            << "format " << texel.format << ", " << size.width << 'x' << size.height
                            << 'x' << size.depthOrArrayLayers << ", shift " << shift << ", extra "
                            << extra << (by_queue ? ", by the queue" : ", from a buffer");
                        ++trips;
                    }
                }
            }
        }
    }
    RecordProperty("trips", trips);
    std::printf("%d copies of texels agree with the model\n", trips);
    EXPECT_EQ(trips, 240);
}

TEST(RawCopies, BytesOfBuffersArriveAndNothingElseIsTouched) {
    FERRY_NEEDS_RAW_ENGINE();
    Device device = open_device();
    Copier copier(device);
    const Bytes source = pattern(512);
    const Buffer from = make_filled(device, source, Usage::copy_src);
    int copies = 0;
    for (std::uint64_t at : {0U, 4U, 8U, 252U}) {
        for (std::uint64_t to_at : {0U, 4U, 20U, 256U}) {
            for (std::uint64_t size : {4U, 8U, 12U, 100U, 256U}) {
                Buffer to =
                    make_filled(device, Bytes(516, poison), Usage::copy_src | Usage::copy_dst);
                Commands commands = device.record("raw copy");
                copier.copy(interop::raw(from), at, interop::raw(to), to_at, size,
                            commands.raw_encoder());
                commands.uses(from);
                commands.uses(to);
                auto ticket = commands.read<std::byte>(to);
                must(device.submit(std::move(commands)));
                Bytes expected(516, poison);
                std::copy_n(source.begin() + static_cast<std::ptrdiff_t>(at), size,
                            expected.begin() + static_cast<std::ptrdiff_t>(to_at));
                ASSERT_EQ(must(ticket.wait(patience)), expected)
                    << "from " << at << " to " << to_at << ", " << size << " bytes";
                ++copies;
            }
        }
    }
    std::printf("%d copies of buffers agree with the model\n", copies);
    EXPECT_EQ(copies, 80);
}

} // namespace
} // namespace ferry::test
