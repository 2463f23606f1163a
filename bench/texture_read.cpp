// SPDX-License-Identifier: MIT
// A texture read of 3838x2160 RGBA8, whose rows need padding: ferry beside the same steps on
// webgpu.h, taking turns in one process.
//   bench_texture_read ENGINE-LIBRARY [ROUNDS]

#include <ferry/ferry.hpp>

#include <cstdint>
#include <vector>

#include "clock.hpp"
#include "raw.hpp"

using namespace std::chrono_literals;
using bench::median;
using bench::microseconds;

namespace {

constexpr std::uint32_t width = 3838;
constexpr std::uint32_t height = 2160;
constexpr ferry::CopyPlan plan = ferry::plan_read(ferry::Format::rgba8_unorm, {width, height});
constexpr std::size_t last_byte = plan.tight_bytes - 1;

std::vector<std::uint8_t> noise() {
    std::vector<std::uint8_t> out(plan.tight_bytes);
    std::uint32_t state = 1;
    for (std::uint8_t& byte : out) {
        state = state * 1664525 + 1013904223;
        byte = static_cast<std::uint8_t>(state >> 24);
    }
    return out;
}

class RawTexture {
public:
    RawTexture(bench::Raw& raw, const std::vector<std::uint8_t>& texels)
        : reader_(raw, plan.staging_bytes) {
        WGPUProcDeviceCreateTexture create = nullptr;
        WGPUProcQueueWriteTexture write = nullptr;
        raw.get(create, "wgpuDeviceCreateTexture");
        raw.get(write, "wgpuQueueWriteTexture");
        raw.get(copy_, "wgpuCommandEncoderCopyTextureToBuffer");
        WGPUTextureDescriptor descriptor = WGPU_TEXTURE_DESCRIPTOR_INIT;
        descriptor.usage = WGPUTextureUsage_CopySrc | WGPUTextureUsage_CopyDst;
        descriptor.dimension = WGPUTextureDimension_2D;
        descriptor.size = size_;
        descriptor.format = WGPUTextureFormat_RGBA8Unorm;
        texture_ = create(raw.device, &descriptor);
        WGPUTexelCopyTextureInfo to = WGPU_TEXEL_COPY_TEXTURE_INFO_INIT;
        to.texture = texture_;
        WGPUTexelCopyBufferLayout rows = WGPU_TEXEL_COPY_BUFFER_LAYOUT_INIT;
        rows.bytesPerRow = width * 4;
        rows.rowsPerImage = height;
        write(raw.queue, &to, texels.data(), texels.size(), &rows, &size_);
    }

    template <class Use>
    void read(Use use) {
        reader_.read(
            [this](WGPUCommandEncoder encoder, WGPUBuffer staging) {
                WGPUTexelCopyTextureInfo from = WGPU_TEXEL_COPY_TEXTURE_INFO_INIT;
                from.texture = texture_;
                WGPUTexelCopyBufferInfo to = WGPU_TEXEL_COPY_BUFFER_INFO_INIT;
                to.buffer = staging;
                to.layout.bytesPerRow = static_cast<std::uint32_t>(plan.bytes_per_row);
                to.layout.rowsPerImage = height;
                copy_(encoder, &from, &to, &size_);
            },
            use);
    }

private:
    bench::RawReader reader_;
    WGPUProcCommandEncoderCopyTextureToBuffer copy_ = nullptr;
    WGPUTexture texture_ = nullptr;
    WGPUExtent3D size_{width, height, 1};
};

struct Times {
    std::vector<double> raw, ferry;

    void print(const char* what, const ferry::Device& device) const {
        std::printf("%s of 3838x2160 rgba8unorm, %s on %s, median of %zu: raw %.2f ms, ferry %.2f "
                    "ms, ratio %.3f\n",
                    what, std::string(device.engine().name()).c_str(),
                    device.adapter().name.c_str(), raw.size(), median(raw) / 1e3,
                    median(ferry) / 1e3, median(ferry) / median(raw));
    }
};

} // namespace

int main(int count, char** words) {
    if (count < 2)
        return std::fprintf(stderr, "usage: bench_texture_read ENGINE-LIBRARY [ROUNDS]\n"), 2;
    const int rounds = count > 2 ? std::atoi(words[2]) : 40;
    const std::vector<std::uint8_t> texels = noise();
    bench::Raw raw(words[1]);
    RawTexture raw_texture(raw, texels);

    auto device = ferry::Device::open({.engine = ferry::Engine::load(words[1]).value()}).value();
    auto texture = device
                       .create_texture(
                           {.format = ferry::Format::rgba8_unorm,
                            .size = {width, height},
                            .usage = ferry::TextureUsage::copy_src | ferry::TextureUsage::copy_dst})
                       .value();
    device.write(texture, texels, {.tight = true}).value();

    Times tight, padded;
    for (int round = -rounds / 10 - 1; round < rounds; ++round) { // the first ones warm up
        std::vector<std::uint8_t> got;
        const double raw_tight = microseconds([&] {
            raw_texture.read([&](const std::byte* bytes) {
                got.reserve(plan.tight_bytes);
                for (std::uint32_t y = 0; y < height; ++y) {
                    const auto* row =
                        reinterpret_cast<const std::uint8_t*>(bytes) + y * plan.bytes_per_row;
                    got.insert(got.end(), row, row + plan.row_bytes);
                }
            });
        });
        bench::Raw::need(got == texels, "the right texels (webgpu.h)");
        got = {};
        const double ferry_tight =
            microseconds([&] { got = device.read<std::uint8_t>(texture).wait(60s).value(); });
        bench::Raw::need(got == texels, "the right texels (ferry)");

        std::uint8_t last = 0;
        const double raw_padded = microseconds([&] {
            raw_texture.read([&](const std::byte* bytes) {
                last = static_cast<std::uint8_t>(bytes[plan.required_bytes - 1]);
            });
        });
        bench::Raw::need(last == texels[last_byte], "the right last byte (webgpu.h)");
        const double ferry_padded = microseconds([&] {
            const auto view = device.read_padded(texture).wait(60s).value();
            last = view.row<std::uint8_t>(height - 1).value().back();
        });
        bench::Raw::need(last == texels[last_byte], "the right last byte (ferry)");
        if (round < 0) continue;
        tight.raw.push_back(raw_tight);
        tight.ferry.push_back(ferry_tight);
        padded.raw.push_back(raw_padded);
        padded.ferry.push_back(ferry_padded);
    }
    tight.print("tight read", device);
    padded.print("padded view", device);
}
