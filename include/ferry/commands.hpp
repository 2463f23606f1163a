// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <source_location>
#include <span>
#include <string_view>
#include <vector>

#include "ferry/batch.hpp"
#include "ferry/buffer.hpp"
#include "ferry/kernel.hpp"
#include "ferry/texture.hpp"
#include "ferry/ticket.hpp"
#include "ferry/upload_pool.hpp"
#include "ferry/write.hpp"

struct WGPUCommandEncoderImpl;

namespace ferry {

namespace detail {
struct CommandsState;
struct CommandsDeleter {
    FERRY_API void operator()(CommandsState* state) const noexcept;
};
using CommandsPtr = std::unique_ptr<CommandsState, CommandsDeleter>;
} // namespace detail

/// A number of threads or workgroups in one to three dimensions: `4096`, `{640, 480}`, `{64, 64,
/// 8}`.
struct Grid {
    /// Not given, which is not the same as 0.
    constexpr Grid() noexcept = default;
    template <std::integral X>
    constexpr Grid(X across) noexcept // NOLINT: `.threads = n`
        : Grid(across, 1, 1) {}
    template <std::integral X, std::integral Y>
    constexpr Grid(X across, Y down) noexcept : Grid(across, down, 1) {}
    template <std::integral X, std::integral Y, std::integral Z>
    constexpr Grid(X across, Y down, Z deep) noexcept
        : x(static_cast<std::uint64_t>(across)), y(static_cast<std::uint64_t>(down)),
          z(static_cast<std::uint64_t>(deep)), given(true) {}

    std::uint64_t x = 0, y = 0, z = 0;
    bool given = false;
};

/// How much a dispatch runs: exactly one of the two.
struct DispatchOptions {
    Grid threads{}; ///< at least so many; rounded up to whole workgroups
    Grid groups{};  ///< exactly so many workgroups
};

/// A recording of GPU work: copies, clears, dispatches, reads.
///
/// Nothing runs before `Device::submit`. A command that is wrong does not run either: the first
/// error is kept and `submit` returns it, with the command's name, its index and the line that
/// recorded it; then nothing of the recording is sent and the tickets taken from it end with that
/// error. Recording checks usage, ranges and alignment; states (mapped, destroyed) are checked at
/// submit (rule S-01). Move-only; dropping it unsubmitted cancels its tickets.
class FERRY_API Commands {
public:
    using Where = std::source_location;

    /// An empty handle: recording on it does nothing, and `submit` refuses it.
    Commands() noexcept;

    /// Copies the bytes of `source` to the start of `target`; needs `copy_src` and `copy_dst`.
    /// Offsets and size are multiples of 4, or the size ends at the visible end of both; never
    /// within one buffer (rules K-01 to K-07). `target`'s own size may be left out; when it is
    /// given it equals the source's.
    void copy(const BufferView& source, const BufferView& target, Where where = Where::current());

    /// Copies staged memory to the start of `target`, at this point of the commands; needs
    /// `copy_dst`. Uses the staging up, also when the command is wrong. The offset is a multiple of
    /// 4, and the size is one too or ends at the visible end of the buffer (rules K-01 to K-07).
    template <class T>
    void copy(Staging<T>&& staged, const BufferView& target, Where where = Where::current()) {
        copy_staged(staged.release(), target, where);
    }
    /// Copies staged texels to the region they were acquired for.
    void copy(StagingTexels&& staged, Where where = Where::current());

    /// Writes data at this point of the commands: commands before it see the old bytes, commands
    /// after it the new ones. (`Device::write` comes before the whole of the next submit.) The data
    /// is copied before the call returns, to buffers of the device that stay mapped, or to host
    /// memory when those are in use. Ranges as in `Device::write`; needs `copy_dst`.
    template <detail::Data R>
    void write(const Buffer& target, const R& data, const WriteOptions& options = {},
               Where where = Where::current()) {
        write_bytes(target, detail::bytes_of(data), sizeof(*std::data(data)), options, where);
    }
    /// Writes texels at this point of the commands; `data`, `layout` and `size` as in
    /// `Device::write`.
    template <detail::Data R>
    void write(const TextureAt& target, const R& data, const ImageLayout& layout = {},
               Where where = Where::current()) {
        write_texels(target, detail::bytes_of(data), detail::kind_of<R>(), layout, {}, where);
    }
    template <detail::Data R>
    void write(const TextureAt& target, const R& data, const ImageLayout& layout,
               const Extent3D& size, Where where = Where::current()) {
        write_texels(target, detail::bytes_of(data), detail::kind_of<R>(), layout, size, where);
    }

    /// As many calls of `write`, through one staging buffer. Ranges may lie in any order and in
    /// several buffers, touch, or be empty; where they overlap the later one counts. The first that
    /// is wrong is named by its index. Answers how it was done.
    BatchReport write_each(std::span<const BatchWrite> writes, const BatchOptions& options = {},
                           Where where = Where::current());

    /// Copies texels from a buffer to a texture; needs `copy_src` and `copy_dst`. `size` left out:
    /// the rest of the mip level. The layout's offset is a multiple of a block's bytes (4 for depth
    /// and stencil), its `bytes_per_row` of 256 where it is needed (rules L-01 to L-10, T-01 to
    /// T-08). Rows at another multiple of a block's bytes are taken as well (depth and
    /// stencil: whole words), at the price that the report tells: row by row, or through staging.
    CopyReport copy(const BufferImage& source, const TextureAt& target,
                    Where where = Where::current()) {
        return copy_texels(CopyDirection::buffer_to_texture, source, target, {}, where);
    }
    CopyReport copy(const BufferImage& source, const TextureAt& target, const Extent3D& size,
                    Where where = Where::current()) {
        return copy_texels(CopyDirection::buffer_to_texture, source, target, size, where);
    }

    /// Copies texels from a texture to a buffer, as above. Bytes between rows and images keep their
    /// value.
    CopyReport copy(const TextureAt& source, const BufferImage& target,
                    Where where = Where::current()) {
        return copy_texels(CopyDirection::texture_to_buffer, target, source, {}, where);
    }
    CopyReport copy(const TextureAt& source, const BufferImage& target, const Extent3D& size,
                    Where where = Where::current()) {
        return copy_texels(CopyDirection::texture_to_buffer, target, source, size, where);
    }

    /// Copies texels between textures of one format, up to "-srgb", and one sample count; all
    /// aspects, and never within one sub-resource (rules ). `size` left out: the rest
    /// of the source's level.
    void copy(const TextureAt& source, const TextureAt& target, Where where = Where::current()) {
        copy_textures(source, target, {}, where);
    }
    void copy(const TextureAt& source, const TextureAt& target, const Extent3D& size,
              Where where = Where::current()) {
        copy_textures(source, target, size, where);
    }

    /// Sets the bytes to zero; needs `copy_dst`. Offset and size as in `copy` (rules K-10, K-11).
    void clear(const BufferView& target, Where where = Where::current());

    /// Runs a compute kernel with these buffers bound. Every binding that the entry point uses must
    /// be given.
    void dispatch(const Kernel& kernel, std::initializer_list<Binding> bindings,
                  const DispatchOptions& options, Where where = Where::current());
    void dispatch(const Kernel& kernel, const Bindings& bindings, const DispatchOptions& options,
                  Where where = Where::current());

    /// Reads the bytes as they are at this point of the recording; needs `copy_src`. Any offset and
    /// any size that is a multiple of `sizeof(T)`: exactly these bytes come back. The ticket is
    /// ready some time after the submit.
    template <detail::Readable T>
    [[nodiscard]] Ticket<std::vector<T>> read(const BufferView& source,
                                              Where where = Where::current()) {
        return Ticket<std::vector<T>>(read_bytes(source, sizeof(T), where));
    }

    /// As many calls of `read`, which come back together: one staging buffer, one map. Ranges may
    /// lie in any order and in several buffers, overlap, repeat or be empty. The first range that
    /// is wrong is named by its index. `Batch::report` tells how it was done.
    template <detail::Readable T>
    [[nodiscard]] Ticket<Batch<T>> read_each(std::span<const BufferView> sources,
                                             const BatchOptions& options = {},
                                             Where where = Where::current()) {
        return Ticket<Batch<T>>(read_batch(sources, sizeof(T), options, where));
    }

    /// Reads texels as they are at this point; needs `copy_src`. Rows come back without padding,
    /// image after image; `size` left out: the rest of the mip level. `T` divides a row:
    /// `std::uint8_t`, `float`, `Rgba8`. Depth and stencil one aspect at a time and whole;
    /// `depth24plus` not at all (rule 3.4).
    template <detail::Readable T>
    [[nodiscard]] Ticket<std::vector<T>> read(const TextureAt& source,
                                              Where where = Where::current()) {
        return Ticket<std::vector<T>>(read_texels(source, {}, detail::element_kind<T>(), where));
    }
    template <detail::Readable T>
    [[nodiscard]] Ticket<std::vector<T>> read(const TextureAt& source, const Extent3D& size,
                                              Where where = Where::current()) {
        return Ticket<std::vector<T>>(read_texels(source, size, detail::element_kind<T>(), where));
    }

    /// As `read`, but the texels stay where the GPU put them, rows padded: no copy on the CPU.
    [[nodiscard]] Ticket<PaddedTexels> read_padded(const TextureAt& source,
                                                   Where where = Where::current()) {
        return Ticket<PaddedTexels>(read_texels(source, {}, {}, where));
    }
    [[nodiscard]] Ticket<PaddedTexels> read_padded(const TextureAt& source, const Extent3D& size,
                                                   Where where = Where::current()) {
        return Ticket<PaddedTexels>(read_texels(source, size, {}, where));
    }

    /// The engine's own encoder, for passes of yours. It belongs to this object: do not finish or
    /// release it. Null on an empty or faulty recording. Name the buffers and textures that your
    /// passes use with `uses`.
    [[nodiscard]] WGPUCommandEncoderImpl* raw_encoder() noexcept;

    /// Says that a pass recorded on `raw_encoder` uses this, so that submit checks it like
    /// any other.
    void uses(const BufferView& buffer, Where where = Where::current());
    void uses(const Texture& texture, Where where = Where::current());

    /// The first command that was wrong, if any.
    [[nodiscard]] const Error* error() const noexcept;

    [[nodiscard]] explicit operator bool() const noexcept { return state_ != nullptr; }

    /// For ferry's own parts.
    explicit Commands(detail::CommandsPtr state) noexcept;
    [[nodiscard]] detail::CommandsPtr release() noexcept;
    [[nodiscard]] detail::CommandsState* state() const noexcept { return state_.get(); }
    Commands(Commands&&) noexcept;
    Commands& operator=(Commands&&) noexcept;
    ~Commands();

private:
    friend class Device; // Device::read records and submits in one call
    [[nodiscard]] detail::OperationPtr read_bytes(const BufferView& source,
                                                  std::size_t element_size, Where where);
    [[nodiscard]] detail::OperationPtr read_batch(std::span<const BufferView> sources,
                                                  std::size_t element_size,
                                                  const BatchOptions& options, Where where);
    [[nodiscard]] detail::OperationPtr read_texels(const TextureAt& source,
                                                   const std::optional<Extent3D>& size,
                                                   detail::ElementKind element, Where where);
    void copy_staged(detail::StagingHandle staged, const BufferView& target, Where where);
    void write_bytes(const Buffer& target, std::span<const std::byte> data,
                     std::size_t element_size, const WriteOptions& options, Where where);
    void write_texels(const TextureAt& target, std::span<const std::byte> data,
                      detail::ElementKind element, const ImageLayout& layout,
                      const std::optional<Extent3D>& size, Where where);
    CopyReport copy_texels(CopyDirection direction, const BufferImage& image,
                           const TextureAt& place, const std::optional<Extent3D>& size,
                           Where where);
    void copy_textures(const TextureAt& source, const TextureAt& target,
                       const std::optional<Extent3D>& size, Where where);
    detail::CommandsPtr state_;
};

} // namespace ferry
