// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <source_location>
#include <span>
#include <string_view>
#include <utility>

#include "ferry/error.hpp"
#include "ferry/mapping.hpp"
#include "ferry/texture.hpp"
#include "ferry/write.hpp"

namespace ferry {

class Device;

namespace detail {
class UploadSlots;
struct StagedTexels;
} // namespace detail

/// Memory that can be written and not read: on many machines it is not cached, and reading it back
/// costs a hundred times a write. Elements are written whole, best in order. A view: valid as long
/// as the `Staging` that it comes from and its device.
template <class T>
class WriteSpan {
public:
    /// An element that can be assigned to.
    class Slot {
    public:
        explicit Slot(T* at) noexcept : at_(at) {}
        const Slot& operator=(const T& value) const noexcept {
            *at_ = value;
            return *this;
        }
        Slot(const Slot&) noexcept = default;
        Slot& operator=(const Slot&) = delete; // that would read

    private:
        T* at_;
    };

    /// An output iterator.
    class Iterator {
    public:
        using difference_type = std::ptrdiff_t;
        using value_type = void;
        using pointer = void;
        using reference = Slot;
        using iterator_category = std::output_iterator_tag;

        Iterator() noexcept = default;
        explicit Iterator(T* at) noexcept : at_(at) {}
        Slot operator*() const noexcept { return Slot(at_); }
        Iterator& operator++() noexcept {
            ++at_;
            return *this;
        }
        Iterator operator++(int) noexcept { return Iterator(at_++); }
        bool operator==(const Iterator&) const noexcept = default;

    private:
        T* at_ = nullptr;
    };

    WriteSpan() noexcept = default;
    explicit WriteSpan(std::span<T> memory) noexcept : memory_(memory) {}

    [[nodiscard]] std::size_t size() const noexcept { return memory_.size(); }
    [[nodiscard]] std::size_t size_bytes() const noexcept { return memory_.size_bytes(); }
    [[nodiscard]] bool empty() const noexcept { return memory_.empty(); }

    /// Unchecked, as in `std::span`.
    [[nodiscard]] Slot operator[](std::size_t index) const noexcept {
        return Slot(memory_.data() + index);
    }
    [[nodiscard]] Iterator begin() const noexcept { return Iterator(memory_.data()); }
    [[nodiscard]] Iterator end() const noexcept { return Iterator(memory_.data() + size()); }

    /// Copies `values` to element `first` and on. Errors: `invalid_argument` when they do not fit.
    [[nodiscard]] Result<> copy_from(std::span<const T> values, std::size_t first = 0) const {
        if (first > size() || values.size() > size() - first) {
            return std::unexpected(detail::too_small(
                (first > size() ? 0 : size() - first) * sizeof(T), values.size_bytes()));
        }
        std::copy_n(values.data(), values.size(), memory_.data() + first);
        return {};
    }

    /// The address, for C functions that only write there, such as `fread`.
    [[nodiscard]] T* raw() const noexcept { return memory_.data(); }

private:
    std::span<T> memory_;
};

/// Where the memory of a `Staging` came from.
enum class StagingWay : std::uint8_t {
    reused,     ///< a buffer of the pool that was free
    made,       ///< a new buffer of the pool
    one_use,    ///< a buffer of its own, too large for the pool to keep
    queue_write ///< memory of the host, sent by a queue write: the pool is full, or mapping failed
};
[[nodiscard]] FERRY_API std::string_view name(StagingWay way) noexcept;

namespace detail {

/// A slot of a pool in the user's hands; goes back when dropped.
class FERRY_API StagingHandle {
public:
    StagingHandle() noexcept;
    StagingHandle(std::shared_ptr<UploadSlots> pool, std::uint32_t slot) noexcept;
    StagingHandle(StagingHandle&&) noexcept;
    StagingHandle& operator=(StagingHandle&&) noexcept;
    ~StagingHandle();

    [[nodiscard]] std::byte* memory() const noexcept; ///< null when empty or the device has ended
    [[nodiscard]] std::uint64_t size_bytes() const noexcept;
    [[nodiscard]] StagingWay way() const noexcept;
    [[nodiscard]] explicit operator bool() const noexcept { return pool_ != nullptr; }

    [[nodiscard]] const std::shared_ptr<UploadSlots>& pool() const noexcept { return pool_; }
    [[nodiscard]] std::uint32_t slot() const noexcept { return slot_; }
    /// The slot is somebody else's from here on.
    void let_go() noexcept { pool_.reset(); }

private:
    std::shared_ptr<UploadSlots> pool_;
    std::uint32_t slot_ = 0;
};

} // namespace detail

/// Mapped memory to be filled and then given to `Commands::copy`. Move-only; dropped without that,
/// its memory goes back to the pool. May outlive the pool. What is not written keeps bytes of
/// earlier uploads.
template <class T>
class [[nodiscard]] Staging {
public:
    Staging() noexcept = default;
    explicit Staging(detail::StagingHandle handle) noexcept : handle_(std::move(handle)) {}

    /// The memory; empty once it was given away or the device has ended. Any thread may fill what
    /// the device's thread has got here.
    [[nodiscard]] WriteSpan<T> span() & noexcept {
        auto* memory = reinterpret_cast<T*>(handle_.memory());
        return WriteSpan<T>(memory == nullptr ? std::span<T>() : std::span<T>(memory, size()));
    }
    WriteSpan<T> span() && = delete; // the memory would go back at once

    [[nodiscard]] std::size_t size() const noexcept {
        return static_cast<std::size_t>(handle_.size_bytes() / sizeof(T));
    }
    [[nodiscard]] StagingWay way() const noexcept { return handle_.way(); }
    [[nodiscard]] explicit operator bool() const noexcept { return static_cast<bool>(handle_); }

    /// For ferry's own parts.
    [[nodiscard]] detail::StagingHandle release() noexcept { return std::move(handle_); }

private:
    detail::StagingHandle handle_;
};

/// Mapped memory for a region of a texture, rows padded as the device needs them; large ones lie in
/// several buffers. Move-only, and used like `Staging`.
class [[nodiscard]] FERRY_API StagingTexels {
public:
    StagingTexels() noexcept;
    StagingTexels(StagingTexels&&) noexcept;
    StagingTexels& operator=(StagingTexels&&) noexcept;
    ~StagingTexels();

    /// Rows of blocks in one image, and images (layers or slices).
    [[nodiscard]] std::uint64_t rows() const noexcept;
    [[nodiscard]] std::uint64_t images() const noexcept;
    [[nodiscard]] std::uint64_t row_bytes() const noexcept;

    /// One row of blocks; empty for a row that is not there.
    [[nodiscard]] WriteSpan<std::byte> row(std::uint64_t row, std::uint64_t image = 0) & noexcept;
    /// All rows from data that lies tight. Errors: `invalid_argument` when it is not exactly the
    /// region's size, `wrong_state` when the device has ended.
    template <detail::Data R>
    [[nodiscard]] Result<> copy_from(const R& data) {
        return copy_bytes(detail::bytes_of(data));
    }

    [[nodiscard]] explicit operator bool() const noexcept { return texels_ != nullptr; }

    /// For ferry's own parts.
    explicit StagingTexels(std::unique_ptr<detail::StagedTexels> texels) noexcept;
    [[nodiscard]] std::unique_ptr<detail::StagedTexels> release() noexcept;

private:
    [[nodiscard]] Result<> copy_bytes(std::span<const std::byte> data);
    std::unique_ptr<detail::StagedTexels> texels_;
};

/// What `UploadPool::acquire` does when its buffers are all in use and the cap is reached, or the
/// engine gives no mapped memory.
enum class PoolPolicy : std::uint8_t {
    queue_write, ///< memory of the host, at most as much as the cap, sent by a queue write
    refuse,      ///< the error `busy` (or `out_of_memory`)
};

struct UploadPoolOptions {
    std::uint64_t cap_bytes = std::uint64_t{64} << 20;  ///< of all buffers of the pool together
    std::uint64_t floor_bytes = std::uint64_t{1} << 20; ///< at most so much is kept when idle
    PoolPolicy when_full = PoolPolicy::queue_write;
    std::string_view label{};
};

/// Numbers of a pool since it was made; a window is the difference of two.
///
/// At every moment: requested = reused + made + one_use + queue_writes + refused + failed, and
/// reused + made + one_use + queue_writes = sent + dropped + in_hand + recorded.
struct UploadStats {
    std::uint64_t requested = 0; ///< calls of `acquire`; of texels, one for each buffer it takes
    std::uint64_t reused = 0, made = 0, one_use = 0, queue_writes = 0; ///< as `StagingWay`
    std::uint64_t refused = 0; ///< the pool was full, or the request was over a limit
    std::uint64_t failed = 0;  ///< no memory, no device, closed, or an error of the engine
    std::uint64_t sent = 0;    ///< submitted
    std::uint64_t dropped = 0; ///< given back without use, or the commands were not submitted
    std::uint64_t in_hand = 0, recorded = 0; ///< now

    std::uint64_t bytes_sent = 0;
    std::uint64_t map_failures = 0; ///< buffers that could not be mapped again, and were let go of
    std::uint64_t trimmed = 0;      ///< free buffers that were let go of
    std::uint32_t buffers = 0;      ///< now; `free_buffers` of them mapped and ready
    std::uint32_t free_buffers = 0;
    std::uint64_t bytes = 0; ///< of them; never over the cap
    std::uint64_t peak_bytes = 0;
    std::uint64_t host_bytes = 0; ///< of queue writes in hand or recorded
};

/// A pool of upload buffers that are always mapped.
///
/// `acquire` answers memory at once; `Commands::copy` puts its bytes into a buffer or texture at
/// that point of the commands; after the submit the buffer is mapped again and, once the GPU is
/// done with it, comes back. When none is free a new one is made, mapped at creation, up to the
/// cap. Buffers that are not needed for a second or so go, down to the floor. Nothing here blocks.
/// Move-only. Use it on the thread of its device.
class FERRY_API UploadPool {
public:
    using Where = std::source_location;

    UploadPool() noexcept;

    /// Makes no buffer yet. Errors: `invalid_argument` (a cap of 0), `device_lost`.
    [[nodiscard]] static Result<UploadPool> create(Device& device,
                                                   const UploadPoolOptions& options = {},
                                                   Where where = Where::current());

    /// Memory for `count` elements, to write and not to read. Errors: `busy` (full; try again after
    /// a submit has run), `limit_exceeded` (over the device's buffer size, or over the cap with
    /// `PoolPolicy::refuse`), `out_of_memory`, `wrong_state` (closed), `device_lost`.
    template <detail::Element T>
    requires(alignof(T) <= 16)
        [[nodiscard]] Result<Staging<T>> acquire(std::size_t count,
                                                 Where where = Where::current()) {
        auto handle = acquire_bytes(count, sizeof(T), where);
        if (!handle) return std::unexpected(std::move(handle).error());
        return Staging<T>(*std::move(handle));
    }

    /// Memory for a region of a texture; `size` left out: the rest of the mip level. Errors: as
    /// above, and `invalid_argument` (rules 3.1 to 3.5; `copy_dst`).
    [[nodiscard]] Result<StagingTexels> acquire(const TextureAt& target,
                                                Where where = Where::current()) {
        return acquire_texels(target, {}, where);
    }
    [[nodiscard]] Result<StagingTexels> acquire(const TextureAt& target, const Extent3D& size,
                                                Where where = Where::current()) {
        return acquire_texels(target, size, where);
    }

    [[nodiscard]] UploadStats stats() const;
    /// Lets go of free buffers at once, down to the floor.
    void trim() noexcept;
    /// Ends it: free and returning buffers go. Memory in hand can still be filled and copied. Any
    /// number of times; dropping the pool does the same.
    void close() noexcept;
    [[nodiscard]] bool is_open() const noexcept;

    UploadPool(UploadPool&&) noexcept;
    UploadPool& operator=(UploadPool&&) noexcept;
    ~UploadPool();

private:
    explicit UploadPool(std::shared_ptr<detail::UploadSlots> slots) noexcept;
    [[nodiscard]] Result<detail::StagingHandle> acquire_bytes(std::size_t count,
                                                              std::size_t element_size,
                                                              Where where);
    [[nodiscard]] Result<StagingTexels> acquire_texels(const TextureAt& target,
                                                       const std::optional<Extent3D>& size,
                                                       Where where);

    std::shared_ptr<detail::UploadSlots> slots_;
};

} // namespace ferry
