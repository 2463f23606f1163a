// SPDX-License-Identifier: MIT
#include <array>
#include <cstring>

#include "base/error.hpp"
#include "core/make_buffer.hpp"
#include "device/open.hpp"
#include "engine/held.hpp"
#include "engine/scope.hpp"

namespace ferry::detail {

using base::fail;
using base::text;

namespace {

constexpr std::chrono::seconds patience{30};
constexpr std::uint32_t width = 3;
constexpr std::uint32_t height = 2;
constexpr std::uint32_t row_bytes = width * 4;
constexpr std::uint32_t pitch_bytes = 256;
constexpr std::uint64_t texture_bytes = pitch_bytes + row_bytes; // the last row is not padded
constexpr std::uint64_t word_at = 512;                           // where the buffer's bytes go
constexpr std::uint64_t staging_bytes = word_at + 16;

using Pixels = std::array<std::uint8_t, row_bytes * height>;

Pixels pattern() {
    Pixels out{};
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<std::uint8_t>(i * 7 + 1);
    return out;
}

Result<HeldBuffer> buffer(Core& core, WGPUBufferUsage usage, std::uint64_t size_bytes) {
    auto made =
        make_buffer(core, {.usage = usage, .size_bytes = size_bytes, .label = "ferry canary"});
    if (!made) return std::unexpected(std::move(made).error());
    return HeldBuffer(core.gpu(), *made);
}

HeldTexture texture(Core& core) {
    WGPUTextureDescriptor descriptor = WGPU_TEXTURE_DESCRIPTOR_INIT;
    descriptor.usage = WGPUTextureUsage_CopySrc | WGPUTextureUsage_CopyDst;
    descriptor.dimension = WGPUTextureDimension_2D;
    descriptor.size = {width, height, 1};
    descriptor.format = WGPUTextureFormat_RGBA8Unorm;
    return {core.gpu(), core.gpu().DeviceCreateTexture(core.device(), &descriptor)};
}

void write(Core& core, WGPUBuffer source, WGPUTexture target, const Pixels& pixels) {
    core.gpu().QueueWriteBuffer(core.queue(), source, 0, pixels.data(), 16);
    WGPUTexelCopyTextureInfo to = WGPU_TEXEL_COPY_TEXTURE_INFO_INIT;
    to.texture = target;
    WGPUTexelCopyBufferLayout layout = WGPU_TEXEL_COPY_BUFFER_LAYOUT_INIT;
    layout.bytesPerRow = row_bytes;
    layout.rowsPerImage = height;
    const WGPUExtent3D size{width, height, 1};
    core.gpu().QueueWriteTexture(core.queue(), &to, pixels.data(), pixels.size(), &layout, &size);
}

Result<> copy_back(Core& core, WGPUBuffer words, WGPUTexture image, WGPUBuffer staging) {
    const EngineTable& gpu = core.gpu();
    WGPUCommandEncoder encoder = gpu.DeviceCreateCommandEncoder(core.device(), nullptr);
    if (encoder == nullptr) return fail(Errc::engine, {}, "The engine makes no command encoder.");
    WGPUTexelCopyTextureInfo from = WGPU_TEXEL_COPY_TEXTURE_INFO_INIT;
    from.texture = image;
    WGPUTexelCopyBufferInfo to = WGPU_TEXEL_COPY_BUFFER_INFO_INIT;
    to.buffer = staging;
    to.layout.bytesPerRow = pitch_bytes;
    to.layout.rowsPerImage = height;
    const WGPUExtent3D size{width, height, 1};
    gpu.CommandEncoderCopyTextureToBuffer(encoder, &from, &to, &size);
    gpu.CommandEncoderCopyBufferToBuffer(encoder, words, 0, staging, word_at, 16);
    auto commands = core.finish(encoder, "ferry canary");
    if (!commands) return std::unexpected(std::move(commands).error());
    const HeldCommandBuffer held(gpu, *commands);
    auto sent = core.submit({&*commands, 1});
    if (!sent) return std::unexpected(std::move(sent).error());
    return {};
}

Result<> map(Core& core, WGPUBuffer staging) {
    Signal* signal = core.instance().signals().take();
    core.instance().asked(signal,
                          core.gpu().BufferMapAsync(staging, WGPUMapMode_Read, 0, staging_bytes,
                                                    Signals::map_info(signal)));
    const bool answered = core.instance().await(*signal, patience);
    const bool mapped = answered && signal->status == WGPUMapAsyncStatus_Success;
    const std::string reason = signal->message;
    core.instance().signals().give_back(signal);
    if (mapped) return {};
    return fail(Errc::engine, {},
                answered ? text("The engine maps no memory: ", reason)
                         : std::string("The engine does not finish a first small copy."),
                "Run `ferry doctor`; try another engine or driver.");
}

bool equal(const std::byte* read, const Pixels& pixels) {
    return std::memcmp(read, pixels.data(), row_bytes) == 0 &&
           std::memcmp(read + pitch_bytes, pixels.data() + row_bytes, row_bytes) == 0 &&
           std::memcmp(read + word_at, pixels.data(), 16) == 0;
}

} // namespace

Result<> run_canary(Core& core) {
    static_assert(texture_bytes <= word_at);
    const Pixels pixels = pattern();
    auto words = buffer(core, WGPUBufferUsage_CopySrc | WGPUBufferUsage_CopyDst, 16);
    if (!words) return std::unexpected(std::move(words).error());
    auto staging = buffer(core, WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst, staging_bytes);
    if (!staging) return std::unexpected(std::move(staging).error());
    Scope scope(core.instance(), core.device(), Scope::Catch::validation_and_memory);
    const HeldTexture image = texture(core);
    if (auto ok = scope.close({"making a small texture"}, image); !ok) return ok;
    write(core, words->get(), image.get(), pixels);
    if (auto ok = copy_back(core, words->get(), image.get(), staging->get()); !ok) return ok;
    if (auto ok = map(core, staging->get()); !ok) return ok;
    const void* read = core.gpu().BufferGetConstMappedRange(staging->get(), 0, staging_bytes);
    const bool right = read != nullptr && equal(static_cast<const std::byte*>(read), pixels);
    core.gpu().BufferUnmap(staging->get());
    if (right) return {};
    return fail(Errc::engine, {},
                text("The adapter \"", core.adapter.name,
                     "\" brings back other bytes than were sent (", core.gpu().name, ")."),
                "Use another driver or engine; `ferry doctor` shows which work.");
}

} // namespace ferry::detail
