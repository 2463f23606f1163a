// SPDX-License-Identifier: MIT
// Every format that can be copied, in every direction, with four ways for rows to lie in memory:
// exactly the region's bytes move, and no byte or texel beside them changes.

#include <array>
#include <map>

#include "raw_engine.hpp"
#include "texel_model.hpp"

namespace ferry::test {
namespace {

constexpr TextureUsage copied = TextureUsage::copy_src | TextureUsage::copy_dst;

/// How far rows and images are apart in memory.
enum class Rows { tight, odd, to_256, wide };
constexpr std::array<Rows, 4> all_rows{Rows::tight, Rows::odd, Rows::to_256, Rows::wide};

/// One aspect of a format, a texture of it, and a region of one level.
struct Subject {
    FormatInfo format{};
    Aspect aspect = Aspect::all;
    TextureDimension dimension = TextureDimension::d2;
    std::uint32_t mip = 0;
    Blocks level{};
    Blocks region{};
    Blocks origin{};
    Blocks other{}; ///< where the region goes in another texture

    [[nodiscard]] AspectInfo info() const { return format.select(aspect); }
    [[nodiscard]] std::size_t block() const { return info().block_bytes; }
    [[nodiscard]] Extent3D texels(Blocks blocks) const {
        return {blocks.x * format.block_width, blocks.y * format.block_height, blocks.z};
    }
    [[nodiscard]] TextureAt at(const Texture& texture, Blocks where) const {
        const Extent3D from = texels(where);
        return {texture,
                {.mip = mip,
                 .origin = {from.width, from.height, from.depth_or_array_layers},
                 .aspect = aspect}};
    }
    /// The whole level.
    [[nodiscard]] TextureAt whole(const Texture& texture) const { return at(texture, {}); }
    [[nodiscard]] Bytes content(Blocks size, unsigned seed) const {
        Bytes out = test::texels(size.count(), block(), seed);
        if (format.format == Format::rgb9e5_ufloat) make_canonical_rgb9e5(out);
        return out;
    }
    [[nodiscard]] std::string text() const {
        return std::string(format.name) + ' ' + std::string(name(aspect)) + ' ' +
               std::to_string(static_cast<int>(dimension)) + "D, level " + std::to_string(mip);
    }
};

/// The format that differs by "-srgb", or the same one.
Format twin(Format format) {
    if (without_srgb(format) != format) return without_srgb(format);
    return format_named(std::string(name(format)) + "-srgb").value_or(format);
}

/// The formats that the device can have; the others are told.
std::vector<FormatInfo> formats_of(const Device& device) {
    std::vector<FormatInfo> have;
    std::map<std::string_view, int> missing;
    for (const FormatInfo& format : all_formats) {
        const bool known = format.feature == Feature::core_features_and_limits;
        if (!format.feature || known || device.has(*format.feature)) {
            have.push_back(format);
        } else {
            ++missing[name(*format.feature)];
        }
    }
    for (const auto& [feature, count] : missing) {
        std::printf("%d formats left out: the adapter lacks %.*s\n", count,
                    static_cast<int>(feature.size()), feature.data());
    }
    return have;
}

class TextureContents : public FullDevice {
protected:
    static void SetUpTestSuite() {
        FullDevice::SetUpTestSuite();
        formats_ = formats_of(device());
    }

    static Texture make(const Subject& subject, Format format, TextureUsage usage = copied) {
        Extent3D size = subject.texels(subject.level);
        size.width <<= subject.mip;
        size.height <<= subject.mip;
        return must(device().create_texture({.format = format,
                                             .size = size,
                                             .usage = usage,
                                             .dimension = subject.dimension,
                                             .mip_levels = subject.mip + 1,
                                             .label = subject.format.name}));
    }
    static Texture make_filled_texture(const Subject& subject, Format format, const Bytes& level) {
        Texture texture = make(subject, format);
        must(device().write(subject.whole(texture), level, {.tight = true},
                            subject.texels(subject.level)));
        return texture;
    }

    static Strides strides(const Subject& subject, Rows rows, std::size_t offset) {
        const std::size_t row_bytes = subject.region.x * subject.block();
        if (rows == Rows::tight) return {offset, row_bytes, subject.region.y};
        if (rows == Rows::odd) {
            const std::size_t step = subject.format.is_depth_stencil() ? 4 : subject.block();
            return {offset, row_bytes + step, subject.region.y + 1};
        }
        if (rows == Rows::to_256) return {offset, up_to_256(row_bytes), subject.region.y};
        return {offset, up_to_256(row_bytes) + 256, subject.region.y + 1};
    }
    static ImageLayout layout(const Strides& strides, Rows rows) {
        if (rows == Rows::tight) return {.tight = true, .offset_bytes = strides.offset};
        return strides.layout();
    }
    /// The first offset after 0 that buffers may have.
    static std::size_t buffer_offset(const Subject& subject) {
        return subject.format.is_depth_stencil() ? 4 : 3 * subject.block();
    }

    static void check_report(const CopyReport& report, const Subject& subject, Rows rows) {
        const std::size_t count = subject.region.y * subject.region.z;
        const bool one = subject.dimension == TextureDimension::d1; // a tight one needs no stride
        const bool repacked = rows == Rows::odd || (rows == Rows::tight && !one);
        const bool staged = repacked && subject.format.is_depth_stencil();
        EXPECT_EQ(report.engine_copies, !repacked ? 1 : staged ? count + 1 : count);
        EXPECT_EQ(report.staging_bytes > 0, staged);
    }

    /// Written by the queue, from a buffer and from another texture; read, and copied to a buffer.
    static void round_trip(const Subject& subject, Rows rows);
    /// The directions that start in a texture alone, which must hold `level`.
    static void copy_out(const Subject& subject, const Texture& texture, const Bytes& level,
                         Rows rows);
    static void fill_part(const Subject& subject);
    static void each(const Subject& subject) {
        SCOPED_TRACE(subject.text());
        fill_part(subject);
        for (Rows rows : all_rows) {
            SCOPED_TRACE(subject.text() + ", rows " + std::to_string(static_cast<int>(rows)));
            round_trip(subject, rows);
            ++trips_;
            if (HasFatalFailure() || HasNonfatalFailure()) return;
        }
    }

    static inline int trips_ = 0;
    static inline std::vector<FormatInfo> formats_;
};

void TextureContents::round_trip(const Subject& subject, Rows rows) {
    const Format format = subject.format.format;
    const std::size_t block = subject.block();
    const Extent3D size = subject.texels(subject.region);
    Bytes written_level = subject.content(subject.level, 1);
    Bytes uploaded_level = subject.content(subject.level, 2);
    Bytes copied_level = subject.content(subject.level, 3);
    const Bytes written = subject.content(subject.region, 4);
    const Bytes uploaded = subject.content(subject.region, 5);
    const Texture by_queue = make_filled_texture(subject, format, written_level);
    const Texture by_buffer = make_filled_texture(subject, format, uploaded_level);
    const Texture by_texture = make_filled_texture(subject, twin(format), copied_level);

    const Strides odd = strides(subject, rows, 3); // queue writes have no alignment (L-08)
    must(device().write(subject.at(by_queue, subject.origin),
                        spread(written, subject.region, odd, 0), layout(odd, rows), size));
    const Strides in_buffer = strides(subject, rows, buffer_offset(subject));
    const Buffer source =
        make_filled(device(), spread(uploaded, subject.region, in_buffer, 0), Usage::copy_src);
    const Bytes untouched(spread(uploaded, subject.region, in_buffer, 5).size(), poison);
    const Buffer target = make_filled(device(), untouched);

    Commands commands = device().record("round trip");
    const ImageLayout image = layout(in_buffer, rows);
    check_report(commands.copy({source, image}, subject.at(by_buffer, subject.origin), size),
                 subject, rows);
    check_report(commands.copy(subject.at(by_queue, subject.origin), {target, image}, size),
                 subject, rows);
    TextureAt from = subject.at(by_queue, subject.origin);
    TextureAt to = subject.at(by_texture, subject.other);
    from.at.aspect = to.at.aspect = Aspect::all; // as textures are copied (3.3)
    commands.copy(from, to, size);
    auto first = commands.read<std::byte>(subject.whole(by_queue));
    auto second = commands.read<std::byte>(subject.whole(by_buffer));
    auto third = commands.read<std::byte>(subject.whole(by_texture));
    auto fourth = commands.read<std::byte>(target);
    must(device().submit(std::move(commands)));

    paste(written_level, subject.level, written, subject.region, subject.origin, block);
    paste(uploaded_level, subject.level, uploaded, subject.region, subject.origin, block);
    paste(copied_level, subject.level, written, subject.region, subject.other, block);
    EXPECT_EQ(must(first.wait(patience)), written_level) << "written by the queue";
    EXPECT_EQ(must(second.wait(patience)), uploaded_level) << "copied from a buffer";
    EXPECT_EQ(must(third.wait(patience)), copied_level) << "copied from a texture";
    EXPECT_EQ(must(fourth.wait(patience)), spread(written, subject.region, in_buffer, 5))
        << "copied to a buffer";
}

/// A region of a texture that holds nothing yet: all other texels are zero.
void TextureContents::fill_part(const Subject& subject) {
    const Format format = subject.format.format;
    const Extent3D size = subject.texels(subject.region);
    const Bytes part = subject.content(subject.region, 1);
    const Strides strides = TextureContents::strides(subject, Rows::to_256, 0);
    const Texture by_queue = make(subject, format);
    const Texture by_buffer = make(subject, format);
    const Texture by_texture = make(subject, format);
    const Buffer source =
        make_filled(device(), spread(part, subject.region, strides, 0), Usage::copy_src);
    must(device().write(subject.at(by_queue, subject.origin), part, {.tight = true}, size));
    Commands commands = device().record("fill a part");
    commands.copy({source, strides.layout()}, subject.at(by_buffer, subject.origin), size);
    TextureAt from = subject.at(by_queue, subject.origin);
    TextureAt to = subject.at(by_texture, subject.other);
    from.at.aspect = to.at.aspect = Aspect::all;
    commands.copy(from, to, size);
    auto first = commands.read<std::byte>(subject.whole(by_queue));
    auto second = commands.read<std::byte>(subject.whole(by_buffer));
    auto third = commands.read<std::byte>(subject.whole(by_texture));
    must(device().submit(std::move(commands)));
    Bytes expected(subject.level.count() * subject.block());
    Bytes moved = expected;
    paste(expected, subject.level, part, subject.region, subject.origin, subject.block());
    paste(moved, subject.level, part, subject.region, subject.other, subject.block());
    EXPECT_EQ(must(first.wait(patience)), expected) << "written by the queue";
    EXPECT_EQ(must(second.wait(patience)), expected) << "copied from a buffer";
    EXPECT_EQ(must(third.wait(patience)), moved) << "copied from a texture";
}

/// Of levels that only drawing fills.
void TextureContents::copy_out(const Subject& subject, const Texture& texture, const Bytes& level,
                               Rows rows) {
    const Extent3D size = subject.texels(subject.region);
    const Bytes moved = cut(level, subject.level, subject.region, subject.origin, subject.block());
    const Texture second = make(subject, subject.format.format);
    const Strides in_buffer = strides(subject, rows, buffer_offset(subject));
    const Bytes expected = spread(moved, subject.region, in_buffer, 5);
    const Buffer target = make_filled(device(), Bytes(expected.size(), poison));
    Commands commands = device().record("copy out");
    const ImageLayout image = layout(in_buffer, rows);
    check_report(commands.copy(subject.at(texture, subject.origin), {target, image}, size), subject,
                 rows);
    TextureAt from = subject.at(texture, subject.origin);
    TextureAt to = subject.at(second, subject.other);
    from.at.aspect = to.at.aspect = Aspect::all;
    commands.copy(from, to, size);
    auto first = commands.read<std::byte>(subject.whole(texture));
    auto third = commands.read<std::byte>(subject.at(second, subject.other), size);
    auto fourth = commands.read<std::byte>(target);
    must(device().submit(std::move(commands)));
    EXPECT_EQ(must(first.wait(patience)), level) << "drawn";
    EXPECT_EQ(must(third.wait(patience)), moved) << "copied from a texture";
    EXPECT_EQ(must(fourth.wait(patience)), expected) << "copied to a buffer";
}

/// A colour format's textures: 2D, the second level of one, 3D and 1D, as it can be.
std::vector<Subject> color_subjects(const FormatInfo& format, const Device& device) {
    Subject flat{.format = format,
                 .level = {7, 5, 3},
                 .region = {4, 3, 2},
                 .origin = {2, 1, 1},
                 .other = {3, 2, 0}};
    std::vector<Subject> out{flat};
    out.push_back(flat);
    out.back().mip = 1;
    if (format.dimension_3d && (!format.feature_3d || device.has(*format.feature_3d))) {
        out.push_back(flat);
        out.back().dimension = TextureDimension::d3;
    }
    if (format.dimension_1d) {
        out.push_back({.format = format,
                       .dimension = TextureDimension::d1,
                       .level = {7, 1, 1},
                       .region = {4, 1, 1},
                       .origin = {2, 0, 0},
                       .other = {3, 0, 0}});
    }
    return out;
}

/// Whole planes, of two layers of three.
Subject plane(const FormatInfo& format, Aspect aspect, std::uint32_t mip) {
    return {.format = format,
            .aspect = aspect,
            .mip = mip,
            .level = {12, 7, 3},
            .region = {12, 7, 2},
            .origin = {0, 0, 1},
            .other = {}};
}

TEST_F(TextureContents, OfColorFormatsMoveByteForByteInEveryDirection) {
    int formats = 0;
    trips_ = 0;
    for (const FormatInfo& format : formats_) {
        if (format.is_depth_stencil()) continue;
        for (const Subject& subject : color_subjects(format, device())) each(subject);
        ++formats;
        if (HasFailure()) break;
    }
    std::printf("%d round trips of 4 directions, %d colour formats\n", trips_, formats);
    RecordProperty("trips", trips_);
    EXPECT_GE(formats, 37) << "those that need no feature";
}

TEST_F(TextureContents, OfDepthAndStencilMovePlaneByPlane) {
    int aspects = 0;
    trips_ = 0;
    for (const FormatInfo& format : formats_) {
        if (!format.is_depth_stencil()) continue;
        for (Aspect aspect : {Aspect::depth_only, Aspect::stencil_only}) {
            if (!format.select(aspect).from_memory) continue;
            for (std::uint32_t mip : {0U, 1U}) each(plane(format, aspect, mip));
            ++aspects;
        }
    }
    std::printf("%d round trips of 4 directions, %d aspects\n", trips_, aspects);
    EXPECT_EQ(aspects, device().has(Feature::depth32float_stencil8) ? 4 : 3);
}

/// Fills the depth of one layer, which is only possible by drawing.
void clear_depth(Commands& commands, const Subject& subject, const Texture& texture,
                 std::uint32_t layer, float depth) {
    WGPUTextureViewDescriptor part = WGPU_TEXTURE_VIEW_DESCRIPTOR_INIT;
    part.dimension = WGPUTextureViewDimension_2D;
    part.baseMipLevel = subject.mip;
    part.mipLevelCount = 1;
    part.baseArrayLayer = layer;
    part.arrayLayerCount = 1;
    WGPUTextureView view = raw_engine().get<WGPUProcTextureCreateView>("wgpuTextureCreateView")(
        interop::raw(texture), &part);
    WGPURenderPassDepthStencilAttachment target = WGPU_RENDER_PASS_DEPTH_STENCIL_ATTACHMENT_INIT;
    target.view = view;
    target.depthLoadOp = WGPULoadOp_Clear;
    target.depthStoreOp = WGPUStoreOp_Store;
    target.depthClearValue = depth;
    if (subject.format.stencil.present) {
        target.stencilLoadOp = WGPULoadOp_Clear;
        target.stencilStoreOp = WGPUStoreOp_Store;
    }
    WGPURenderPassDescriptor pass = WGPU_RENDER_PASS_DESCRIPTOR_INIT;
    pass.depthStencilAttachment = &target;
    WGPURenderPassEncoder encoder = raw_engine().get<WGPUProcCommandEncoderBeginRenderPass>(
        "wgpuCommandEncoderBeginRenderPass")(commands.raw_encoder(), &pass);
    raw_engine().get<WGPUProcRenderPassEncoderEnd>("wgpuRenderPassEncoderEnd")(encoder);
    raw_engine().get<WGPUProcRenderPassEncoderRelease>("wgpuRenderPassEncoderRelease")(encoder);
    raw_engine().get<WGPUProcTextureViewRelease>("wgpuTextureViewRelease")(view);
    commands.uses(texture);
}

TEST_F(TextureContents, OfFloatDepthAreWhatWasDrawn) {
    FERRY_NEEDS_RAW_ENGINE();
    int subjects = 0;
    for (const FormatInfo& format : formats_) {
        if (!format.depth.to_memory || format.depth.from_memory) continue;
        for (std::uint32_t mip : {0U, 1U}) {
            const Subject subject = plane(format, Aspect::depth_only, mip);
            const Texture texture =
                make(subject, format.format, copied | TextureUsage::render_attachment);
            Commands commands = device().record("draw depth");
            std::vector<float> depths;
            for (std::uint32_t layer = 0; layer < 3; ++layer) {
                const float depth = 0.25F * static_cast<float>(layer + 1);
                clear_depth(commands, subject, texture, layer, depth);
                depths.insert(depths.end(), subject.level.x * subject.level.y, depth);
            }
            must(device().submit(std::move(commands)));
            const auto bytes = std::as_bytes(std::span(depths));
            for (Rows rows : all_rows) {
                SCOPED_TRACE(subject.text() + ", rows " + std::to_string(static_cast<int>(rows)));
                copy_out(subject, texture, {bytes.begin(), bytes.end()}, rows);
            }
            ++subjects;
        }
    }
    EXPECT_EQ(subjects, device().has(Feature::depth32float_stencil8) ? 4 : 2);
}

} // namespace
} // namespace ferry::test
