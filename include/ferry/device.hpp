// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <optional>
#include <source_location>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ferry/buffer.hpp"
#include "ferry/commands.hpp"
#include "ferry/engine.hpp"
#include "ferry/kernel.hpp"
#include "ferry/limits.hpp"
#include "ferry/texture.hpp"
#include "ferry/ticket.hpp"
#include "ferry/write.hpp"

// Threads: 1. No global mutable state and no hidden threads; two devices are independent. 2. A
// device and everything made from it is used by one thread at a time; it may move from one thread
// to another. 3. Progress happens only inside calls on the device and its objects. 4. Raw engine
// calls of your own count as use of the device. 5. Exceptions to this are marked on the function.

namespace ferry {

namespace detail {
class Core;
}

enum class PowerPreference : std::uint32_t { none = 0, low_power = 1, high_performance = 2 };

/// How a device is opened. The default: the best adapter of the default engine, with the standard's
/// limits.
struct DeviceOptions {
    Engine engine{};            ///< empty: `Engine::find()`
    std::string_view adapter{}; ///< index ("1") or a part of its name ("llvmpipe"); empty: the best
    PowerPreference power =
        PowerPreference::none; ///< low_power: integrated before discrete; else discrete first
    std::vector<Feature> required_features{}; ///< the device has them all or is not opened
    Limits required_limits{}; ///< 0: the standard's default; may be an `Adapter::limits`, whole
    std::string_view label{};
    bool canary = true; ///< move some bytes there and back before the device is handed out
    std::uint64_t staging_budget_bytes = std::uint64_t{64}
                                         << 20; ///< kept for later reads; as much for uploads
    /// Threads that help to copy large data; they sleep otherwise. Left out: up to 7, by the cores.
    std::optional<unsigned> copy_threads{};
};

/// A GPU, opened: makes buffers, textures, kernels and recordings, and sends them.
///
/// Move-only. Dropping it lets go of one reference: buffers, tickets and mappings made from it stay
/// usable and keep the engine's device alive, so the order of destruction never matters. Only
/// `open`, `create_kernel` (compilation), streams and `Ticket::wait` take time by design; a large
/// `write` waits 2 ms at the most for memory that the GPU still reads. Calls that make
/// something or end a recording read the engine's verdict before they return: about a microsecond,
/// and 5 s at the most with an engine that is stuck.
class FERRY_API Device {
public:
    using Where = std::source_location;

    Device() noexcept = default;

    /// Opens a device: the first adapter, best first, that fits the options, gives a device and
    /// brings the canary's bytes back. Errors: `io` or `invalid_argument` (no such engine),
    /// `unsupported` (no adapter is left: each candidate is listed with the reason, and what to
    /// install), `engine` (the engine does not start).
    [[nodiscard]] static Result<Device> open(const DeviceOptions& options = {},
                                             Where where = Where::current());

    /// A buffer of zeros; `options.size_bytes` is required. Errors: `invalid_argument` (usage
    /// pairs, rules B-04 to B-06), `limit_exceeded` (B-07), `out_of_memory`, `device_lost`.
    [[nodiscard]] Result<Buffer> create_buffer(const BufferOptions& options,
                                               Where where = Where::current());

    /// A buffer born with `data`. Any legal usage: `copy_dst` is not needed and not added (rule
    /// B-11). On the path that `explain_create` tells.
    template <detail::Data R>
    [[nodiscard]] Result<Buffer> create_buffer(const R& data, const BufferOptions& options,
                                               Where where = Where::current()) {
        return create_with_bytes(detail::bytes_of(data), options, where);
    }

    /// A buffer whose memory is yours to fill at once, and which the GPU gets when the mapping
    /// ends.
    [[nodiscard]] Result<MappedBuffer> create_mapped_buffer(const BufferOptions& options,
                                                            Where where = Where::current());

    /// A texture of zeros. Errors: `invalid_argument` with the nearest legal size (whole blocks,
    /// levels, samples, dimension; rules of createTexture), `unsupported` with the feature that the
    /// format needs, `limit_exceeded`, `out_of_memory`, `device_lost`.
    [[nodiscard]] Result<Texture> create_texture(const TextureOptions& options,
                                                 Where where = Where::current());

    /// A compute kernel from WGSL. Errors: `invalid_argument` with line, column and source line
    /// where the engine tells them; `limit_exceeded` for the workgroup size; `unsupported` for
    /// samplers and external textures.
    [[nodiscard]] Result<Kernel> create_kernel(std::string_view wgsl,
                                               const KernelOptions& options = {},
                                               Where where = Where::current());

    /// Bindings for many dispatches.
    [[nodiscard]] Result<Bindings> bind(const Kernel& kernel,
                                        std::initializer_list<Binding> bindings,
                                        Where where = Where::current());
    [[nodiscard]] Result<Bindings> bind(const Kernel& kernel, std::span<const Binding> bindings,
                                        Where where = Where::current());

    /// Writes data into a buffer, in order with submits and before anything of the next one; the
    /// data is copied before the call returns, on the path that `explain_write` tells. For a write
    /// between two commands see `Commands::write`. Needs `copy_dst`. The offset is a multiple of 4,
    /// and the size is one too or ends at the visible end of the buffer (rules W-01 to W-09).
    /// Errors: `invalid_argument` with the nearest legal range, `wrong_state` (mapped, pending,
    /// destroyed).
    template <detail::Data R>
    [[nodiscard]] Result<> write(const Buffer& target, const R& data,
                                 const WriteOptions& options = {}, Where where = Where::current()) {
        return write_bytes(target, detail::bytes_of(data), sizeof(*std::data(data)), options,
                           where);
    }

    /// What `write` of so many bytes does by itself here, and why.
    [[nodiscard]] UploadChoice explain_write(std::uint64_t size_bytes) const;
    /// What `create_buffer` with so much data does by itself here, and why.
    [[nodiscard]] UploadChoice explain_create(std::uint64_t size_bytes, BufferUsage usage) const;

    /// Writes texels, in order with submits; the data is copied before the call returns. Needs
    /// `copy_dst`. `layout` says how the rows lie in `data`, in bytes, at any alignment; for more
    /// than one row of blocks its strides or `tight` are required. `size` left out: the rest of the
    /// mip level. `Rgba8` and `Bgra8` keep their colours in either order of channels. Errors:
    /// `invalid_argument` with the nearest legal value (rules 3.1 to 3.5), `wrong_state`
    /// (destroyed).
    template <detail::Data R>
    [[nodiscard]] Result<> write(const TextureAt& target, const R& data,
                                 const ImageLayout& layout = {}, Where where = Where::current()) {
        return write_texels(target, detail::bytes_of(data), detail::kind_of<R>(), layout, {},
                            where);
    }
    template <detail::Data R>
    [[nodiscard]] Result<> write(const TextureAt& target, const R& data, const ImageLayout& layout,
                                 const Extent3D& size, Where where = Where::current()) {
        return write_texels(target, detail::bytes_of(data), detail::kind_of<R>(), layout, size,
                            where);
    }

    /// Writes every level of a texture from data in which they lie tight behind each other, as
    /// `mip_level` says. Errors: as `write`, and `invalid_argument` when the data is not exactly
    /// the chain's size.
    template <detail::Data R>
    [[nodiscard]] Result<> write_mip_levels(const Texture& target, const R& data,
                                            Where where = Where::current()) {
        return write_levels(target, detail::bytes_of(data), detail::kind_of<R>(), where);
    }

    /// A new, empty recording. Never fails here: an error is kept in it and comes out at `submit`.
    [[nodiscard]] Commands record(std::string_view label = {});

    /// Sends a recording and starts the maps of its reads; uses the recording up in any case.
    /// Errors: the recording's first error; `wrong_state` when a buffer it uses is mapped, pending
    /// or destroyed (rule S-02); `device_lost`; `engine`. After an error nothing was sent.
    [[nodiscard]] Result<Submission> submit(Commands&& commands, Where where = Where::current());

    /// Reads bytes of a buffer: records, submits and maps in one call. For one-off reads; needs
    /// `copy_src`.
    template <detail::Readable T>
    [[nodiscard]] Ticket<std::vector<T>> read(const BufferView& source,
                                              Where where = Where::current()) {
        return Ticket<std::vector<T>>(read_bytes(source, sizeof(T), where));
    }

    /// Many reads at once, as `Commands::read_each` does: records, submits and maps in one call.
    template <detail::Readable T>
    [[nodiscard]] Ticket<Batch<T>> read_each(std::span<const BufferView> sources,
                                             const BatchOptions& options = {},
                                             Where where = Where::current()) {
        return Ticket<Batch<T>>(read_batch(sources, sizeof(T), options, where));
    }

    /// Many writes at once, as `Commands::write_each` does: records and submits in one call.
    [[nodiscard]] Result<BatchReport> write_each(std::span<const BatchWrite> writes,
                                                 const BatchOptions& options = {},
                                                 Where where = Where::current());

    /// Reads texels, as `Commands::read` does: records, submits and maps in one call.
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

    /// Reads texels without a copy on the CPU, as `Commands::read_padded` does.
    [[nodiscard]] Ticket<PaddedTexels> read_padded(const TextureAt& source,
                                                   Where where = Where::current()) {
        return Ticket<PaddedTexels>(read_texels(source, {}, {}, where));
    }
    [[nodiscard]] Ticket<PaddedTexels> read_padded(const TextureAt& source, const Extent3D& size,
                                                   Where where = Where::current()) {
        return Ticket<PaddedTexels>(read_texels(source, size, {}, where));
    }

    /// A ticket that is ready when the GPU is done with everything submitted and written so far
    /// (onSubmittedWorkDone).
    [[nodiscard]] Ticket<Submission> done();

    /// Processes events once, without blocking. The other calls do this too; a loop that calls none
    /// of them needs it.
    void poll() noexcept;

    /// Ends the device: tickets end as `cancelled`, mappings detach, buffers become `lost`. Any
    /// number of times.
    void close() noexcept;

    /// Why the device is gone, or nothing while it is there.
    [[nodiscard]] std::optional<Error> lost() const;

    /// Bytes of queue writes that no submit has followed yet, which engines keep in memory of
    /// theirs. ferry submits by itself at 16 MiB.
    [[nodiscard]] std::uint64_t unsent_bytes() const noexcept;

    /// Errors that the engine reported outside of any call, oldest first; taking them empties the
    /// list.
    [[nodiscard]] std::vector<Error> take_uncaptured_errors();

    /// What ferry has noticed that costs time, in words, with what to do instead; taking it empties
    /// the list. Each is said once: a read that was repeated and waited for 60 times.
    [[nodiscard]] std::vector<std::string> take_advice();

    [[nodiscard]] const Engine& engine() const noexcept;
    [[nodiscard]] const Adapter& adapter() const noexcept;
    [[nodiscard]] const Limits& limits() const noexcept;
    [[nodiscard]] bool has(Feature feature) const noexcept;

    [[nodiscard]] explicit operator bool() const noexcept { return core_ != nullptr; }

    /// For ferry's own parts.
    explicit Device(std::shared_ptr<detail::Core> core) noexcept;
    [[nodiscard]] const std::shared_ptr<detail::Core>& core() const noexcept { return core_; }
    Device(Device&&) noexcept = default;
    Device& operator=(Device&&) noexcept = default;

private:
    template <class Record>
    [[nodiscard]] detail::OperationPtr read_now(Where where, Record record_read);
    [[nodiscard]] Result<Buffer> create_with_bytes(std::span<const std::byte> data,
                                                   const BufferOptions& options, Where where);
    [[nodiscard]] Result<> write_bytes(const Buffer& target, std::span<const std::byte> data,
                                       std::size_t element_size, const WriteOptions& options,
                                       Where where);
    [[nodiscard]] detail::OperationPtr read_bytes(const BufferView& source,
                                                  std::size_t element_size, Where where);
    [[nodiscard]] Result<> write_texels(const TextureAt& target, std::span<const std::byte> data,
                                        detail::ElementKind element, const ImageLayout& layout,
                                        const std::optional<Extent3D>& size, Where where);
    [[nodiscard]] Result<> write_levels(const Texture& target, std::span<const std::byte> data,
                                        detail::ElementKind element, Where where);
    [[nodiscard]] detail::OperationPtr read_batch(std::span<const BufferView> sources,
                                                  std::size_t element_size,
                                                  const BatchOptions& options, Where where);
    [[nodiscard]] detail::OperationPtr read_texels(const TextureAt& source,
                                                   const std::optional<Extent3D>& size,
                                                   detail::ElementKind element, Where where);

    std::shared_ptr<detail::Core> core_;
};

} // namespace ferry
