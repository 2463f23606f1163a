// SPDX-License-Identifier: MIT
// Commands on buffers alone: copy and clear (rules 2.2 and 2.3).
#include <cstring>

#include "api.hpp"
#include "encoder.hpp"

namespace ferry_fake {

namespace {

Check check_range(const Buffer& buffer, const char* role, std::uint64_t offset,
                  std::uint64_t size) {
    if (offset % 4 != 0)
        return invalid("The ", role, " offset (", offset, ") is no multiple of 4.");
    if (size % 4 != 0) return invalid("The ", role, " size (", size, ") is no multiple of 4.");
    if (offset > buffer.size || size > buffer.size - offset)
        return invalid("The ", role, " range at offset (", offset, ") of size (", size,
                       ") is outside of the ", buffer.name(), " (", buffer.size, " bytes).");
    return std::nullopt;
}

Check check_copy(const Buffer& from, std::uint64_t from_offset, const Buffer& to,
                 std::uint64_t to_offset, std::uint64_t size) {
    if (Check problem = from.check_usage(WGPUBufferUsage_CopySrc, "CopySrc (rules K-03)"))
        return problem;
    if (Check problem = to.check_usage(WGPUBufferUsage_CopyDst, "CopyDst (rules K-03)"))
        return problem;
    if (Check problem = check_range(from, "copy source", from_offset, size)) return problem;
    if (Check problem = check_range(to, "copy destination", to_offset, size)) return problem;
    if (&from == &to)
        return invalid("Source and destination are the same ", from.name(), " (rules K-06).");
    return std::nullopt;
}

} // namespace

namespace api {

void CommandEncoderCopyBufferToBuffer(WGPUCommandEncoder handle, WGPUBuffer source,
                                      uint64_t source_offset, WGPUBuffer destination,
                                      uint64_t destination_offset, uint64_t size) {
    CommandEncoder& encoder = *trusted(handle);
    if (!encoder.open_for("CopyBufferToBuffer")) return;
    Buffer* const from = encoder_argument(encoder, source, "copy source");
    Buffer* const to = encoder_argument(encoder, destination, "copy destination");
    if (!from || !to) return;
    if (Check problem = check_copy(*from, source_offset, *to, destination_offset, size))
        return encoder.fail(*problem);
    encoder.uses.add(*from);
    encoder.uses.add(*to);
    encoder.commands.push_back([from, source_offset, to, destination_offset, size] {
        if (size > 0)
            std::memcpy(to->memory.data() + destination_offset, from->memory.data() + source_offset,
                        size);
    });
}

void CommandEncoderClearBuffer(WGPUCommandEncoder handle, WGPUBuffer target, uint64_t offset,
                               uint64_t size) {
    CommandEncoder& encoder = *trusted(handle);
    if (!encoder.open_for("ClearBuffer")) return;
    Buffer* const buffer = encoder_argument(encoder, target, "buffer to clear");
    if (!buffer) return;
    if (size == WGPU_WHOLE_SIZE) size = offset > buffer->size ? 0 : buffer->size - offset;
    Check problem = buffer->check_usage(WGPUBufferUsage_CopyDst, "CopyDst (rules K-10)");
    if (!problem) problem = check_range(*buffer, "clear", offset, size);
    if (problem) return encoder.fail(*problem);
    encoder.uses.add(*buffer);
    encoder.commands.push_back([buffer, offset, size] {
        if (size > 0) std::memset(buffer->memory.data() + offset, 0, size);
    });
}

} // namespace api
} // namespace ferry_fake
