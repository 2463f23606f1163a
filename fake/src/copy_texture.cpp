// SPDX-License-Identifier: MIT
// The four texel copies of webgpu.h: buffer to texture, back, texture to texture, and writeTexture.
#include <cstring>
#include <memory>

#include "api.hpp"
#include "encoder.hpp"
#include "texel_copy.hpp"

namespace ferry_fake {

namespace {

// The checks that B2T and T2B share; `plane` is what to move.
Check check_buffer_copy(const TexelSide& side, const Buffer& buffer,
                        const WGPUTexelCopyBufferLayout& layout, const WGPUExtent3D& size,
                        Direction direction, Plane& plane) {
    const bool to_texture = direction == Direction::to_texture;
    Check problem =
        check_side(side, size, to_texture ? WGPUTextureUsage_CopyDst : WGPUTextureUsage_CopySrc,
                   to_texture ? "CopyDst" : "CopySrc");
    if (!problem)
        problem = to_texture ? buffer.check_usage(WGPUBufferUsage_CopySrc, "CopySrc (rules T-02)")
                             : buffer.check_usage(WGPUBufferUsage_CopyDst, "CopyDst (rules T-02)");
    if (!problem) problem = choose_plane(side, direction, plane);
    if (!problem) problem = check_buffer_alignment(side, plane, layout);
    if (!problem) problem = check_layout(side, plane, layout, size, buffer.size);
    if (!problem && !to_texture && side.texture->format.is_compressed() &&
        !side.texture->device->has(WGPUFeatureName_CoreFeaturesAndLimits))
        problem =
            invalid("A compatibility device copies no compressed texture to a buffer (rules 3.6).");
    return problem;
}

void record(CommandEncoder& encoder, const WGPUTexelCopyBufferInfo& linear,
            const WGPUTexelCopyTextureInfo& texels, const WGPUExtent3D& size, Direction direction) {
    Buffer* const buffer = encoder_argument(encoder, linear.buffer, "copy's buffer");
    Texture* const texture = encoder_argument(encoder, texels.texture, "copy's texture");
    if (!buffer || !texture) return;
    const TexelSide side = side_of(*texture, texels);
    Plane plane = Plane::color;
    if (Check problem = check_buffer_copy(side, *buffer, linear.layout, size, direction, plane))
        return encoder.fail(*problem);
    encoder.uses.add(*buffer);
    encoder.uses.add(*texture);
    encoder.commands.push_back(
        [buffer, side, plane, size, direction, layout = resolve(linear.layout)] {
            move_texels(buffer->memory.data(), layout, side, plane, size, direction);
        });
}

// all aspects of the format, whichever way they are named.
Check check_all_aspects(const TexelSide& side) {
    const Format& format = side.texture->format;
    if (side.aspect == WGPUTextureAspect_All) return std::nullopt;
    const bool only_depth = format.depth_bytes > 0 && format.stencil_bytes == 0;
    const bool only_stencil = format.stencil_bytes > 0 && format.depth_bytes == 0;
    if (side.aspect == WGPUTextureAspect_DepthOnly && only_depth) return std::nullopt;
    if (side.aspect == WGPUTextureAspect_StencilOnly && only_stencil) return std::nullopt;
    return invalid("A copy between textures takes all aspects (rules X-04).");
}

// a set of subresources is a level, with layers for 2D textures only.
Check check_disjoint(const TexelSide& from, const TexelSide& to, const WGPUExtent3D& size) {
    if (from.texture != to.texture || from.mip != to.mip) return std::nullopt;
    const Problem problem = invalid("Source and destination share a subresource (rules X-05).");
    if (from.texture->dimension != WGPUTextureDimension_2D) return problem;
    std::uint64_t const depth = size.depthOrArrayLayers;
    const bool disjoint =
        from.origin.z + depth <= to.origin.z || to.origin.z + depth <= from.origin.z || depth == 0;
    if (disjoint) return std::nullopt;
    return problem;
}

Check check_texture_copy(const TexelSide& from, const TexelSide& to, const WGPUExtent3D& size) {
    Check problem = check_side(from, size, WGPUTextureUsage_CopySrc, "CopySrc");
    if (!problem) problem = check_side(to, size, WGPUTextureUsage_CopyDst, "CopyDst");
    if (!problem && without_srgb(from.texture->format.id) != without_srgb(to.texture->format.id))
        problem = invalid("The formats differ by more than -srgb (rules X-01).");
    if (!problem && from.texture->sample_count != to.texture->sample_count)
        problem = invalid("The sample counts differ (rules X-02).");
    if (!problem) problem = check_all_aspects(from);
    if (!problem) problem = check_all_aspects(to);
    if (!problem) problem = check_disjoint(from, to, size);
    const bool compatibility = !from.texture->device->has(WGPUFeatureName_CoreFeaturesAndLimits);
    if (!problem && compatibility &&
        (from.texture->format.is_compressed() || from.texture->sample_count > 1))
        problem = invalid(
            "A compatibility device copies no compressed or multisampled texture (rules 3.6).");
    return problem;
}

void copy_plane(const TexelSide& from, const TexelSide& to, Plane plane, const WGPUExtent3D& size) {
    const Format& format = from.texture->format;
    std::uint64_t const bytes = std::uint64_t{size.width / format.block_width} *
                                format.bytes(plane) * from.texture->sample_count;
    if (bytes == 0) return;
    const auto place = [&](const TexelSide& side, std::uint64_t row, std::uint64_t layer) {
        return side.texture->block(plane, side.mip, side.origin.x / format.block_width,
                                   side.origin.y / format.block_height + row,
                                   side.origin.z + layer);
    };
    for (std::uint64_t z = 0; z < size.depthOrArrayLayers; ++z)
        for (std::uint64_t y = 0; y < size.height / format.block_height; ++y)
            std::memcpy(place(to, y, z), place(from, y, z), bytes);
}

Check check_write(Queue& queue, Texture* texture, const WGPUTexelCopyTextureInfo& info,
                  const WGPUTexelCopyBufferLayout& layout, const WGPUExtent3D& size,
                  std::uint64_t available, Plane& plane) {
    if (Check scripted = queue.world->scripted_problem()) return scripted;
    if (!texture) return invalid("The texture to write is no usable handle.");
    if (!(texture->device == queue.device))
        return invalid("The texture belongs to another device (rules T-01).");
    if (!texture->valid)
        return invalid("The texture (", texture->label, ") is invalid (rules T-01).");
    if (texture->destroyed)
        return invalid("The texture (", texture->label, ") is destroyed (rules T-08).");
    const TexelSide side = side_of(*texture, info);
    if (Check problem = check_side(side, size, WGPUTextureUsage_CopyDst, "CopyDst")) return problem;
    if (Check problem = choose_plane(side, Direction::to_texture, plane)) return problem;
    return check_layout(side, plane, layout, size, available);
}

} // namespace

namespace api {

void CommandEncoderCopyBufferToTexture(WGPUCommandEncoder handle,
                                       const WGPUTexelCopyBufferInfo* source,
                                       const WGPUTexelCopyTextureInfo* destination,
                                       const WGPUExtent3D* size) {
    CommandEncoder& encoder = *trusted(handle);
    if (encoder.open_for("CopyBufferToTexture"))
        record(encoder, *source, *destination, *size, Direction::to_texture);
}

void CommandEncoderCopyTextureToBuffer(WGPUCommandEncoder handle,
                                       const WGPUTexelCopyTextureInfo* source,
                                       const WGPUTexelCopyBufferInfo* destination,
                                       const WGPUExtent3D* size) {
    CommandEncoder& encoder = *trusted(handle);
    if (encoder.open_for("CopyTextureToBuffer"))
        record(encoder, *destination, *source, *size, Direction::from_texture);
}

void CommandEncoderCopyTextureToTexture(WGPUCommandEncoder handle,
                                        const WGPUTexelCopyTextureInfo* source,
                                        const WGPUTexelCopyTextureInfo* destination,
                                        const WGPUExtent3D* given) {
    CommandEncoder& encoder = *trusted(handle);
    if (!encoder.open_for("CopyTextureToTexture")) return;
    Texture* const from_texture = encoder_argument(encoder, source->texture, "copy source");
    Texture* const to_texture = encoder_argument(encoder, destination->texture, "copy destination");
    if (!from_texture || !to_texture) return;
    const TexelSide from = side_of(*from_texture, *source);
    const TexelSide to = side_of(*to_texture, *destination);
    const WGPUExtent3D size = *given;
    if (Check problem = check_texture_copy(from, to, size)) return encoder.fail(*problem);
    encoder.uses.add(*from_texture);
    encoder.uses.add(*to_texture);
    encoder.commands.push_back([from, to, size] {
        for (Plane plane : {Plane::color, Plane::depth, Plane::stencil})
            copy_plane(from, to, plane, size);
    });
}

void QueueWriteTexture(WGPUQueue handle, const WGPUTexelCopyTextureInfo* destination,
                       const void* data, size_t data_size, const WGPUTexelCopyBufferLayout* layout,
                       const WGPUExtent3D* given) {
    Queue& queue = *trusted(handle);
    const Ref<Device> device = queue.device;
    const Ref<Texture> texture(argument(*queue.world, destination->texture));
    const WGPUExtent3D size = *given;
    Plane plane = Plane::color;
    Check problem =
        check_write(queue, texture.get(), *destination, *layout, size, data_size, plane);
    if (!problem && data_size > 0 && !data) problem = invalid("The data to write is null.");
    if (!device->accept(problem) || device->lost || data_size == 0) return;
    // The bytes are taken before the call returns.
    const auto bytes = std::make_shared<std::vector<std::byte>>(data_size);
    std::memcpy(bytes->data(), data, data_size);
    const TexelSide side = side_of(*texture, *destination);
    device->queue.add(
        queue.world->now, 0, [texture, side, plane, size, bytes, linear = resolve(*layout)] {
            move_texels(bytes->data(), linear, side, plane, size, Direction::to_texture);
        });
}

} // namespace api
} // namespace ferry_fake
