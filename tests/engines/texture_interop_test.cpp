// SPDX-License-Identifier: MIT
// Textures and encoders of the program's own.
#include <array>

#include "raw_engine.hpp"
#include "texel_model.hpp"

namespace ferry::test {
namespace {

constexpr TextureUsage copied = TextureUsage::copy_src | TextureUsage::copy_dst;

/// A command encoder of the program's own.
class RawEncoder {
public:
    explicit RawEncoder(const Device& device)
        : queue_(interop::raw(device).queue),
          encoder_(raw_engine().get<WGPUProcDeviceCreateCommandEncoder>(
              "wgpuDeviceCreateCommandEncoder")(interop::raw(device).device, nullptr)) {}
    RawEncoder(const RawEncoder&) = delete;
    RawEncoder& operator=(const RawEncoder&) = delete;
    ~RawEncoder() {
        raw_engine().get<WGPUProcCommandEncoderRelease>("wgpuCommandEncoderRelease")(encoder_);
        if (finished_ == nullptr) return;
        raw_engine().get<WGPUProcCommandBufferRelease>("wgpuCommandBufferRelease")(finished_);
    }

    [[nodiscard]] WGPUCommandEncoder get() const { return encoder_; }
    WGPUCommandBuffer finish() {
        return finished_ = raw_engine().get<WGPUProcCommandEncoderFinish>(
                   "wgpuCommandEncoderFinish")(encoder_, nullptr);
    }
    void submit() {
        WGPUCommandBuffer finished = finish();
        raw_engine().get<WGPUProcQueueSubmit>("wgpuQueueSubmit")(queue_, 1, &finished);
    }

private:
    WGPUQueue queue_;
    WGPUCommandEncoder encoder_;
    WGPUCommandBuffer finished_ = nullptr;
};

WGPUTexture create_raw(const Device& device, const WGPUTextureDescriptor& descriptor) {
    return raw_engine().get<WGPUProcDeviceCreateTexture>("wgpuDeviceCreateTexture")(
        interop::raw(device).device, &descriptor);
}

class TextureInterop : public SharedDevice {
protected:
    void SetUp() override { FERRY_NEEDS_RAW_ENGINE(); }

    /// 3x3 single bytes: the copy has 515 bytes, and a stamp goes behind them.
    static Texture small(unsigned seed) {
        Texture texture = must(device().create_texture(
            {.format = Format::r8_uint, .size = {3, 3}, .usage = copied, .label = "small"}));
        must(device().write(texture, texels(9, 1, seed), {.tight = true}));
        must(device().submit(device().record()));
        return texture;
    }
};

TEST_F(TextureInterop, AnAdoptedTextureIsWhatTheEngineSays) {
    WGPUTextureDescriptor descriptor = WGPU_TEXTURE_DESCRIPTOR_INIT;
    descriptor.format = WGPUTextureFormat_RGBA8Uint;
    descriptor.dimension = WGPUTextureDimension_3D;
    descriptor.usage = WGPUTextureUsage_CopySrc | WGPUTextureUsage_CopyDst;
    descriptor.size = {6, 4, 2};
    descriptor.mipLevelCount = 2;
    WGPUTexture mine = create_raw(device(), descriptor);
    const Texture texture = must(interop::adopt(device(), mine, "mine"));
    raw_engine().get<WGPUProcTextureRelease>("wgpuTextureRelease")(mine);
    EXPECT_EQ(interop::raw(texture), mine);
    EXPECT_EQ(texture.format(), Format::rgba8_uint);
    EXPECT_EQ(Extent3D(texture), (Extent3D{6, 4, 2}));
    EXPECT_EQ(texture.options().dimension, TextureDimension::d3);
    EXPECT_EQ(texture.mip_levels(), 2U);
    EXPECT_EQ(texture.options().sample_count, 1U);
    EXPECT_EQ(texture.usage(), copied);
    EXPECT_EQ(texture.label(), "mine");
    const Bytes content = texels(48, 4, 1);
    must(device().write(texture, content, {.tight = true}));
    EXPECT_EQ(must(device().read<std::byte>(texture).wait(patience)), content);
    EXPECT_EQ(must(device().read<std::byte>({texture, {.mip = 1}}).wait(patience)).size(), 24U);
    EXPECT_TRUE(refused(device().read<std::byte>({texture, {.mip = 2}}).wait(patience),
                        invalid("T-04", {"mine"}, {2})));
}

TEST_F(TextureInterop, AnAdoptedTextureMayLackEveryCopyUsage) {
    WGPUTextureDescriptor descriptor = WGPU_TEXTURE_DESCRIPTOR_INIT;
    descriptor.format = WGPUTextureFormat_RGBA8Unorm;
    descriptor.dimension = WGPUTextureDimension_2D;
    descriptor.usage = WGPUTextureUsage_TextureBinding;
    descriptor.size = {4, 4, 1};
    WGPUTexture mine = create_raw(device(), descriptor);
    const Texture texture = must(interop::adopt(device(), mine, "mine"));
    raw_engine().get<WGPUProcTextureRelease>("wgpuTextureRelease")(mine);
    EXPECT_TRUE(refused(device().read<std::byte>(texture).wait(patience), invalid("T-02")));
    EXPECT_TRUE(refused(device().write(texture, texels(16, 4, 1), {.tight = true}),
                        invalid("T-02", {"mine"})));
}

TEST_F(TextureInterop, NullAndEmptyHandlesAreRefused) {
    EXPECT_TRUE(refused(interop::adopt(device(), static_cast<WGPUTexture>(nullptr)), invalid()));
    EXPECT_EQ(interop::raw(Texture{}), nullptr);
}

TEST_F(TextureInterop, ReadsOnTheCallersEncoderArriveByBothWaysOfSubmitting) {
    const Texture texture = small(1);
    {
        RawEncoder encoder(device());
        auto commands = must(interop::record_into(device(), encoder.get(), "mine"));
        auto ticket = commands.read<std::byte>(texture);
        auto padded = commands.read_padded(texture);
        const std::array<WGPUCommandBuffer, 1> all{encoder.finish()};
        EXPECT_TRUE(ok(interop::submit(device(), all, std::move(commands))));
        EXPECT_EQ(must(ticket.wait(patience)), texels(9, 1, 1));
        EXPECT_EQ(must(must(padded.wait(patience)).bytes()).size(), 515U);
    }
    RawEncoder encoder(device());
    auto commands = must(interop::record_into(device(), encoder.get()));
    auto ticket = commands.read<std::byte>(texture);
    encoder.submit();
    EXPECT_TRUE(ok(interop::submitted(device(), std::move(commands))));
    EXPECT_EQ(must(ticket.wait(patience)), texels(9, 1, 1));
}

TEST_F(TextureInterop, ReadsOnAnEncoderThatWasNotSentAreNotSubmittedAndNeverOldBytes) {
    const Texture texture = small(2);
    for (int turn = 0; turn < 3; ++turn)
        EXPECT_EQ(must(device().read<std::byte>(texture).wait(patience)), texels(9, 1, 2));
    for (int turn = 0; turn < 3; ++turn) {
        RawEncoder encoder(device());
        auto commands = must(interop::record_into(device(), encoder.get()));
        auto ticket = commands.read<std::byte>(texture);
        auto padded = commands.read_padded(texture);
        encoder.finish();
        EXPECT_TRUE(ok(interop::submitted(device(), std::move(commands))));
        EXPECT_TRUE(refused(ticket.wait(patience), {{Errc::not_submitted}}));
        EXPECT_TRUE(refused(padded.wait(patience), {{Errc::not_submitted}}));
    }
    EXPECT_EQ(must(device().read<std::byte>(texture).wait(patience)), texels(9, 1, 2));
}

TEST_F(TextureInterop, ReadsOfNothingOnTheCallersEncoderKnowWhetherItWasSent) {
    const Texture texture = small(4);
    for (bool sent : {true, false}) {
        RawEncoder encoder(device());
        auto commands = must(interop::record_into(device(), encoder.get()));
        auto flat = commands.read<std::byte>(texture, {3, 0});
        auto thin = commands.read<std::byte>(texture, {0, 3});
        if (sent) {
            encoder.submit();
        } else {
            encoder.finish();
        }
        EXPECT_TRUE(ok(interop::submitted(device(), std::move(commands))));
        for (auto* ticket : {&flat, &thin}) {
            const auto outcome = ticket->wait(patience);
            EXPECT_TRUE(sent ? ok(outcome) : refused(outcome, {{Errc::not_submitted}}));
        }
    }
}

TEST_F(TextureInterop, ADestroyedTextureIsRefusedByInteropSubmitToo) {
    Texture texture = small(3);
    RawEncoder encoder(device());
    auto commands = must(interop::record_into(device(), encoder.get()));
    auto ticket = commands.read<std::byte>(texture);
    const std::array<WGPUCommandBuffer, 1> all{encoder.finish()};
    texture.destroy();
    EXPECT_TRUE(refused(interop::submit(device(), all, std::move(commands)),
                        wrong_state("T-08", {"small"})));
    EXPECT_TRUE(refused(ticket.wait(patience), wrong_state("T-08")));
}

TEST(AdoptedDeviceTextures, MoveAndATextureReadEndsWhenTheDeviceIsLost) {
    FERRY_NEEDS_RAW_ENGINE();
    RawDevice own;
    Device device = must(interop::adopt(engine(), own.handles(), "adopted"));
    const Texture texture = must(device.create_texture(
        {.format = Format::rgba8_unorm, .size = {3, 3}, .usage = copied, .label = "sky"}));
    must(device.write(texture, texels(9, 4, 1), {.tight = true}));
    EXPECT_EQ(must(device.read<std::byte>(texture).wait(patience)), texels(9, 4, 1));
    EXPECT_TRUE(refused(
        device.create_texture({.format = Format::bc1_rgba_unorm, .size = {4, 4}, .usage = copied}),
        {{Errc::unsupported}}));
    auto pending = device.read<std::byte>(texture);
    lose(device);
    EXPECT_TRUE(refused(pending.wait(patience), {{Errc::device_lost}}));
    EXPECT_TRUE(
        refused(device.write(texture, texels(9, 4, 2), {.tight = true}), {{Errc::device_lost}}));
    EXPECT_EQ(own.errors(), 0);
}

TEST(AdoptedDeviceTextures, ALossThatNobodyTellsIsFoundBeforeAWrite) {
    FERRY_NEEDS_RAW_ENGINE();
    RawDevice own;
    Device device = must(interop::adopt(engine(), own.handles()));
    const Texture texture = must(
        device.create_texture({.format = Format::rgba8_unorm, .size = {3, 3}, .usage = copied}));
    lose(device);
    EXPECT_TRUE(
        refused(device.write(texture, texels(9, 4, 2), {.tight = true}), {{Errc::device_lost}}));
    EXPECT_TRUE(refused(device.write_mip_levels(texture, texels(9, 4, 2)), {{Errc::device_lost}}));
    EXPECT_EQ(own.errors(), 0);
}

} // namespace
} // namespace ferry::test
