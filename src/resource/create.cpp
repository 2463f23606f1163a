// SPDX-License-Identifier: MIT
#include "resource/create.hpp"

#include <limits>

#include "base/align.hpp"
#include "base/error.hpp"
#include "core/make_buffer.hpp"

namespace ferry::detail {

using base::fail;
using base::grouped;
using base::text;

namespace {

constexpr auto known_usages = static_cast<std::uint64_t>(0x3FF);

Result<> check_usage(const BufferOptions& options) {
    const auto bits = static_cast<std::uint64_t>(options.usage);
    if (bits == 0) {
        return fail(
            Errc::invalid_argument, "B-04",
            text("The buffer \"", options.label, "\" has no usage."),
            "State what it is for, such as .usage = BufferUsage::storage | BufferUsage::copy_src.");
    }
    if ((bits & ~known_usages) != 0) {
        return fail(
            Errc::invalid_argument, "B-04",
            text("The usage (", bits, ") of the buffer \"", options.label, "\" has unknown bits."),
            "Combine values of BufferUsage only.");
    }
    constexpr const char* two_buffers =
        "Use two buffers: one for the GPU's work, and one of map_read | copy_dst (to read, or "
        "Commands::read, which has "
        "it for you) or map_write | copy_src (to write).";
    const auto read = static_cast<std::uint64_t>(BufferUsage::map_read | BufferUsage::copy_dst);
    if (has(options.usage, BufferUsage::map_read) && (bits & ~read) != 0) {
        return fail(Errc::invalid_argument, "B-05",
                    text("The buffer \"", options.label,
                         "\" combines map_read with more than copy_dst; the legal pair is "
                         "map_read | copy_dst."),
                    two_buffers);
    }
    const auto write = static_cast<std::uint64_t>(BufferUsage::map_write | BufferUsage::copy_src);
    if (has(options.usage, BufferUsage::map_write) && (bits & ~write) != 0) {
        return fail(Errc::invalid_argument, "B-06",
                    text("The buffer \"", options.label,
                         "\" combines map_write with more than copy_src; the legal pair is "
                         "map_write | copy_src."),
                    two_buffers);
    }
    return {};
}

std::string higher_limit(const Core& core) {
    const std::uint64_t most = core.adapter.limits.max_buffer_size_bytes;
    if (most <= core.limits.max_buffer_size_bytes)
        return "Work in pieces; the adapter offers no more.";
    return text(
        "Work in pieces, or open the device with required_limits.max_buffer_size_bytes of up to ",
        grouped(most), ", which this adapter offers.");
}

/// The size the engine is asked for.
Result<std::uint64_t> check_size(const Core& core, const BufferOptions& options) {
    if (!options.size_bytes) {
        return fail(Errc::invalid_argument, {},
                    text("The buffer \"", options.label, "\" has no size."),
                    "State .size_bytes, or give the data.");
    }
    const std::uint64_t limit = core.limits.max_buffer_size_bytes;
    auto rounded = base::round_up(*options.size_bytes, 4);
    if (!rounded || *rounded > limit) {
        return fail(Errc::limit_exceeded, "B-07",
                    text("The buffer \"", options.label, "\" of (", grouped(*options.size_bytes),
                         ") bytes is over the device's limit of (", grouped(limit), ") bytes."),
                    higher_limit(core));
    }
    if (*rounded > std::numeric_limits<std::size_t>::max()) {
        return fail(Errc::limit_exceeded, "A-14",
                    text("The buffer \"", options.label, "\" is over this system's memory."));
    }
    return *rounded;
}

enum class Start : bool { unmapped, mapped };

/// The engine size of a buffer that may be made now.
Result<std::uint64_t> check(const std::shared_ptr<Core>& core, const BufferOptions& options) {
    if (!core) return std::unexpected(empty_handle("device", {}));
    core->pump();
    if (auto ok = core->check_usable({"create a buffer"}); !ok) {
        return std::unexpected(std::move(ok).error());
    }
    if (auto ok = check_usage(options); !ok) return std::unexpected(std::move(ok).error());
    return check_size(*core, options);
}

Result<std::shared_ptr<BufferState>> create(const std::shared_ptr<Core>& core,
                                            const BufferOptions& options, Start start) {
    auto size = check(core, options);
    if (!size) return std::unexpected(std::move(size).error());
    const bool engine_mapped = start == Start::mapped && *size > 0;
    auto handle = make_buffer(*core, {.usage = static_cast<WGPUBufferUsage>(options.usage),
                                      .size_bytes = *size,
                                      .mapped = engine_mapped,
                                      .label = options.label});
    if (!handle) return std::unexpected(std::move(handle).error());
    auto state = std::make_shared<BufferState>(core, *handle);
    state->size_bytes = *options.size_bytes;
    state->allocated_bytes = *size;
    state->usage = options.usage;
    state->label = options.label;
    state->mode = MapMode::write;
    state->mapped = {0, *size};
    state->engine_mapped = engine_mapped;
    if (start == Start::mapped && !state->begin_mapping()) {
        return fail(Errc::out_of_memory, "B-02",
                    text("The engine gives no memory to fill ", state->named(), '.'),
                    "Make it unmapped and use Device::write, or free memory.");
    }
    return state;
}

} // namespace

Result<std::shared_ptr<BufferState>> create_buffer(std::shared_ptr<Core> core,
                                                   const BufferOptions& options) {
    return create(core, options, Start::unmapped);
}

Result<std::shared_ptr<BufferState>> create_mapped(std::shared_ptr<Core> core,
                                                   const BufferOptions& options) {
    return create(core, options, Start::mapped);
}

Result<BufferOptions> with_size_of(std::uint64_t data_bytes, BufferOptions options) {
    if (!options.size_bytes) options.size_bytes = data_bytes;
    if (*options.size_bytes >= data_bytes) return options;
    return fail(Errc::invalid_argument, {},
                text("The data of (", data_bytes, ") bytes does not fit the buffer \"",
                     options.label, "\" of (", *options.size_bytes, ") bytes."),
                "Leave .size_bytes out, or make it at least the data's size.");
}

Result<std::shared_ptr<BufferState>> create_filled(const std::shared_ptr<Core>& core,
                                                   std::span<const std::byte> data,
                                                   const BufferOptions& options) {
    auto state = create(core, options, Start::mapped);
    if (!state) return state;
    if (!data.empty()) core->crew().copy((*state)->memory, data.data(), data.size());
    if (auto sent = (*state)->unmap(); !sent) return std::unexpected(std::move(sent).error());
    return state;
}

} // namespace ferry::detail
