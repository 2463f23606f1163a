// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <source_location>
#include <string_view>
#include <vector>

#include "ferry/buffer.hpp"
#include "ferry/kernel.hpp"
#include "ferry/ticket.hpp"

struct WGPUCommandEncoderImpl;

namespace ferry {

namespace detail {
struct CommandsState;
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

    /// The engine's own encoder, for passes of yours. It belongs to this object: do not finish or
    /// release it. Null on an empty or faulty recording. Name the buffers that your passes use with
    /// `uses`.
    [[nodiscard]] WGPUCommandEncoderImpl* raw_encoder() noexcept;

    /// Says that a pass recorded on `raw_encoder` uses this buffer, so that submit checks it like
    /// any other.
    void uses(const BufferView& buffer, Where where = Where::current());

    /// The first command that was wrong, if any.
    [[nodiscard]] const Error* error() const noexcept;

    [[nodiscard]] explicit operator bool() const noexcept { return state_ != nullptr; }

    /// For ferry's own parts.
    explicit Commands(std::unique_ptr<detail::CommandsState> state) noexcept;
    [[nodiscard]] std::unique_ptr<detail::CommandsState> release() noexcept;
    Commands(Commands&&) noexcept;
    Commands& operator=(Commands&&) noexcept;
    ~Commands();

private:
    friend class Device; // Device::read records and submits in one call
    [[nodiscard]] detail::OperationPtr read_bytes(const BufferView& source,
                                                  std::size_t element_size, Where where);
    std::unique_ptr<detail::CommandsState> state_;
};

} // namespace ferry
