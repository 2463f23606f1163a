// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <source_location>
#include <string_view>

#include "ferry/error.hpp"
#include "ferry/mapping.hpp"
#include "ferry/ticket.hpp"

namespace ferry {

/// What a buffer may be used for; combine with `|`. Values are webgpu.h's.
/// `map_read` goes only with `copy_dst`, `map_write` only with `copy_src` (rules B-05, B-06).
enum class BufferUsage : std::uint64_t {
    none = 0x0,
    map_read = 0x1,
    map_write = 0x2,
    copy_src = 0x4,
    copy_dst = 0x8,
    index = 0x10,
    vertex = 0x20,
    uniform = 0x40,
    storage = 0x80,
    indirect = 0x100,
    query_resolve = 0x200,
};

[[nodiscard]] constexpr BufferUsage operator|(BufferUsage a, BufferUsage b) noexcept {
    return BufferUsage{static_cast<std::uint64_t>(a) | static_cast<std::uint64_t>(b)};
}
constexpr BufferUsage& operator|=(BufferUsage& a, BufferUsage b) noexcept { return a = a | b; }
/// Whether `usage` has every bit of `wanted`.
[[nodiscard]] constexpr bool has(BufferUsage usage, BufferUsage wanted) noexcept {
    const auto bits = static_cast<std::uint64_t>(wanted);
    return (static_cast<std::uint64_t>(usage) & bits) == bits;
}

/// How bytes reach a buffer or a texture. All keep the order of calls and lead to the same bytes;
/// they differ in time and memory. Values are only ever appended.
enum class UploadPath : std::uint8_t {
    automatic,         ///< the one measured as the fastest for this engine, adapter kind and size
    queue_whole,       ///< one queue write: the engine stages the bytes
    queue_pieces,      ///< queue writes of a size that suits the engine
    pool,              ///< copies from buffers that stay mapped, sent piece by piece
    mapped_at_creation ///< the buffer is born with its data; only when it is created
};
[[nodiscard]] FERRY_API std::string_view name(UploadPath path) noexcept;

/// How a buffer is made.
struct BufferOptions {
    BufferUsage usage = BufferUsage::none; ///< required
    std::optional<std::uint64_t>
        size_bytes{};         ///< any size; with data: at least the data's, which is the default
    std::string_view label{}; ///< shown in every error about the buffer
    /// Of its first data; all but `mapped_at_creation` need `copy_dst`.
    UploadPath path = UploadPath::automatic;
};

/// Who holds a buffer's memory.
enum class MapState : std::uint8_t {
    unmapped,  ///< the GPU may use it
    pending,   ///< a map was asked for and has not ended
    mapped,    ///< the CPU has it
    destroyed, ///< `destroy` was called; final
    lost,      ///< its device is gone or closed; final
};
[[nodiscard]] FERRY_API std::string_view name(MapState state) noexcept;

/// A handle to memory on the GPU.
///
/// Move-only. Every byte of a new buffer is zero (rule B-10). Dropping the handle releases the
/// buffer; commands that were recorded or submitted with it keep it alive. It may outlive its
/// device. The size you asked for is the size you see; the engine's buffer is rounded up to 4
/// bytes, so that any size can be mapped, copied and cleared whole.
class FERRY_API Buffer {
public:
    /// An empty handle; everything on it answers `invalid_argument`.
    Buffer() noexcept = default;

    [[nodiscard]] std::uint64_t size_bytes() const noexcept;
    [[nodiscard]] BufferUsage usage() const noexcept;
    [[nodiscard]] std::string_view label() const noexcept;
    /// Kept by ferry itself; costs nothing and asks no engine.
    [[nodiscard]] MapState map_state() const noexcept;

    /// Asks for the range to become readable memory; needs `map_read`. The offset is a multiple of
    /// 8, the size of 4 or up to the end (rules M-05 to M-09). The ticket's outcome comes once the
    /// GPU is done with all submitted work on this buffer, and until the mapping is dropped the GPU
    /// cannot use it. Never blocks, copies nothing. Outcomes: `invalid_argument` (range, usage),
    /// `wrong_state` (mapped or pending already, destroyed, closed), `not_submitted` (recorded
    /// commands write to this buffer: submit them first), `cancelled`, `device_lost`.
    [[nodiscard]] Ticket<ReadMapping> map_read(
        ByteRange range = {}, std::source_location where = std::source_location::current());

    /// As `map_read`, for writing; needs `map_write`. Bytes that you do not write keep their value
    /// (rule C-02). The range is sent when the mapping is unmapped or dropped.
    [[nodiscard]] Ticket<WriteMapping> map_write(
        ByteRange range = {}, std::source_location where = std::source_location::current());

    /// Ends the mapping, or cancels the one that is pending. No mapping: nothing to do, and no
    /// error (rule U-01). Errors: `device_lost` when bytes written through a mapping can no longer
    /// reach the GPU.
    [[nodiscard]] Result<> unmap();

    /// Frees the memory now, whoever else holds a handle; ends a mapping first. Work already
    /// submitted still completes. Any number of times (rule U-02).
    void destroy() noexcept;

    [[nodiscard]] explicit operator bool() const noexcept { return state_ != nullptr; }

    /// For ferry's own parts.
    explicit Buffer(std::shared_ptr<detail::BufferState> state) noexcept;
    [[nodiscard]] const std::shared_ptr<detail::BufferState>& state() const noexcept {
        return state_;
    }
    Buffer(Buffer&&) noexcept = default;
    Buffer& operator=(Buffer&&) noexcept = default;

private:
    std::shared_ptr<detail::BufferState> state_;
};

/// A buffer, or a range of one, as an argument. Converts from `Buffer`; keeps the buffer alive.
struct FERRY_API BufferView {
    BufferView(const Buffer& whole) noexcept; // NOLINT: a buffer is a view of itself
    BufferView(const Buffer& buffer, ByteRange range) noexcept;
    BufferView(std::shared_ptr<detail::BufferState> state, ByteRange part) noexcept
        : buffer(std::move(state)), range(part) {}

    std::shared_ptr<detail::BufferState> buffer;
    ByteRange range{};
};

/// A new buffer and its memory, which the CPU may fill before the GPU sees it.
struct MappedBuffer {
    Buffer buffer;
    WriteMapping mapping;
};

} // namespace ferry
