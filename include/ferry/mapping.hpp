// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "ferry/error.hpp"
#include "ferry/ticket.hpp"

namespace ferry {

/// A range of bytes of a buffer; an omitted size means up to the end.
struct ByteRange {
    std::uint64_t offset_bytes = 0;
    std::optional<std::uint64_t> size_bytes{};
};

/// Which way a mapping goes. Values are webgpu.h's.
enum class MapMode : std::uint64_t { read = 1, write = 2 };

namespace detail {
struct BufferState;

/// Shared by a mapping and the spans taken from it: whether the memory is still there.
struct MapLife {
    [[nodiscard]] bool there() const noexcept {
        return alive && !(device_lost && device_lost->load(std::memory_order_acquire));
    }

    /// What ended it, as a clause.
    [[nodiscard]] std::string_view reason() const noexcept {
        return alive ? "the device was lost" : ended;
    }

    bool alive = true;
    std::shared_ptr<const std::atomic<bool>> device_lost; ///< set as soon as the engine tells
    std::string label;                                    ///< of the buffer
    std::string_view ended = "unmap was called"; ///< what ended it, as a clause: "unmap was called"
};

[[nodiscard]] FERRY_API Error detached(const MapLife* life);
[[nodiscard]] FERRY_API Error out_of_range(const MapLife& life, std::size_t index,
                                           std::size_t size);

struct MappedBytes {
    std::shared_ptr<MapLife> life;
    std::byte* data = nullptr;
    std::size_t size_bytes = 0;
};

/// The part of a `Mapping` that does not depend on its mode.
class FERRY_API MappingBase {
public:
    MappingBase() noexcept = default;
    explicit MappingBase(std::shared_ptr<BufferState> buffer) noexcept;
    MappingBase(MappingBase&&) noexcept = default;
    MappingBase& operator=(MappingBase&& other) noexcept;
    ~MappingBase();

    [[nodiscard]] bool alive() const noexcept { return life_ && life_->there(); }
    [[nodiscard]] ByteRange range() const noexcept;
    [[nodiscard]] Result<MappedBytes> take(std::optional<ByteRange> range, std::size_t element_size,
                                           std::size_t element_align);
    [[nodiscard]] Result<> unmap();

private:
    std::shared_ptr<BufferState> buffer_;
    std::shared_ptr<MapLife> life_;
};

template <class T>
concept Element = std::is_trivially_copyable_v<T> && std::is_object_v<T> && !std::is_const_v<T> &&
                  !std::is_volatile_v<T> && !std::is_pointer_v<T>;

/// What can come back in a std::vector whose elements lie side by side.
template <class T>
concept Readable = Element<T> && std::is_default_constructible_v<T> && !std::is_same_v<T, bool>;

} // namespace detail

/// Typed memory of a mapping. It *detaches* when the mapping ends (unmap, destroy, close, device
/// loss): then `size()` is 0 and every access answers `wrong_state` instead of memory that is gone.
///
/// Each access checks; a hot loop takes `span()` once, checks nothing more, and may use it until
/// the mapping ends. `T` is const for reading. Copies of a span refer to the same memory.
template <class T>
class MappedSpan {
public:
    using Value = std::remove_const_t<T>;

    MappedSpan() noexcept = default;
    explicit MappedSpan(detail::MappedBytes bytes) noexcept
        : life_(std::move(bytes.life)), data_(reinterpret_cast<T*>(bytes.data)),
          size_(bytes.size_bytes / sizeof(T)) {}

    /// Elements; 0 once detached.
    [[nodiscard]] std::size_t size() const noexcept { return alive() ? size_ : 0; }
    [[nodiscard]] bool empty() const noexcept { return size() == 0; }

    /// A copy of element `index`. Errors: `wrong_state` when detached, `invalid_argument` past the
    /// end.
    [[nodiscard]] Result<Value> at(std::size_t index) const {
        if (auto ok = check(index); !ok) return std::unexpected(std::move(ok).error());
        return data_[index];
    }

    /// Writes element `index`.
    [[nodiscard]] Result<> set(std::size_t index,
                               const Value& value) requires(!std::is_const_v<T>) {
        if (auto ok = check(index); !ok) return ok;
        data_[index] = value;
        return {};
    }

    /// The memory itself, unchecked from here on; valid until the mapping ends. Name it before
    /// looping over it.
    [[nodiscard]] Result<std::span<T>> span() const {
        if (!alive()) return std::unexpected(detail::detached(life_.get()));
        return std::span<T>(data_, size_);
    }

    /// A copy that is yours.
    [[nodiscard]] Result<std::vector<Value>> copy() const {
        if (!alive()) return std::unexpected(detail::detached(life_.get()));
        return std::vector<Value>(data_, data_ + size_);
    }

    /// Copies everything into memory of yours, which may be larger; answers the number of elements.
    template <class R>
    requires detail::TargetRange<R, Value>
    [[nodiscard]] Result<std::size_t> copy_to(R&& target) const {
        if (!alive()) return std::unexpected(detail::detached(life_.get()));
        const std::span<Value> out(target);
        if (out.size() < size_) {
            return std::unexpected(detail::too_small(out.size_bytes(), size_ * sizeof(T)));
        }
        std::copy_n(data_, size_, out.data());
        return size_;
    }

    /// Writes `values` from the first element on; the rest keeps its value.
    [[nodiscard]] Result<> copy_from(std::span<const Value> values) requires(!std::is_const_v<T>) {
        if (!alive()) return std::unexpected(detail::detached(life_.get()));
        if (values.size() > size_) {
            return std::unexpected(detail::too_small(size_ * sizeof(T), values.size_bytes()));
        }
        std::copy_n(values.data(), values.size(), data_);
        return {};
    }

private:
    [[nodiscard]] bool alive() const noexcept { return life_ && life_->there(); }
    [[nodiscard]] Result<> check(std::size_t index) const {
        if (!alive()) return std::unexpected(detail::detached(life_.get()));
        if (index >= size_) return std::unexpected(detail::out_of_range(*life_, index, size_));
        return {};
    }

    std::shared_ptr<const detail::MapLife> life_;
    T* data_ = nullptr;
    std::size_t size_ = 0;
};

/// Memory of a buffer that the CPU holds. Move-only; unmaps when dropped.
///
/// While it lives the GPU cannot use the buffer: a `write` or `submit` with it is refused. It keeps
/// the buffer alive.
template <MapMode Mode>
class [[nodiscard]] Mapping : private detail::MappingBase {
public:
    template <class T>
    using ElementFor = std::conditional_t<Mode == MapMode::read, const T, T>;

    Mapping() noexcept = default;
    explicit Mapping(std::shared_ptr<detail::BufferState> buffer) noexcept
        : MappingBase(std::move(buffer)) {}

    /// What was mapped, in bytes from the start of the buffer.
    using MappingBase::range;
    /// Whether the memory is still there.
    using MappingBase::alive;

    /// Everything that was mapped, as `T`. Its size is a multiple of `sizeof(T)`.
    /// Ranges for writing never overlap: one that was handed out stays so until unmap (rules G-06,
    /// G-08). Errors: `wrong_state` (ended), `invalid_argument` (size, alignment, overlap).
    template <detail::Element T>
    [[nodiscard]] Result<MappedSpan<ElementFor<T>>> as() & {
        return take_as<T>(std::nullopt);
    }

    /// A part of it. `range` counts from the start of the *buffer*: the offset is a multiple of 8
    /// and the size of 4, or up to the end (rules G-02 to G-05); an omitted size means up to the
    /// end of what was mapped.
    template <detail::Element T>
    [[nodiscard]] Result<MappedSpan<ElementFor<T>>> as(ByteRange range) & {
        return take_as<T>(range);
    }

    template <class T>
    void as() && = delete; // the span would outlive the mapping
    template <class T>
    void as(ByteRange) && = delete;

    /// Ends the mapping and gives the buffer back to the GPU; what was written is sent, in order
    /// with submits and writes. A second time does nothing. Errors: `device_lost` when written
    /// bytes can no longer reach the GPU.
    [[nodiscard]] Result<> unmap() { return MappingBase::unmap(); }

private:
    template <class T>
    [[nodiscard]] Result<MappedSpan<ElementFor<T>>> take_as(std::optional<ByteRange> range) {
        auto taken = take(range, sizeof(T), alignof(T));
        if (!taken) return std::unexpected(std::move(taken).error());
        return MappedSpan<ElementFor<T>>(*std::move(taken));
    }
};

using ReadMapping = Mapping<MapMode::read>;
using WriteMapping = Mapping<MapMode::write>;

namespace detail {
[[nodiscard]] FERRY_API Result<std::shared_ptr<BufferState>> mapped_buffer(Operation& operation);

template <MapMode Mode>
struct Outcome<Mapping<Mode>> {
    [[nodiscard]] static Result<Mapping<Mode>> take(Operation& operation) {
        auto buffer = mapped_buffer(operation);
        if (!buffer) return std::unexpected(std::move(buffer).error());
        return Mapping<Mode>(*std::move(buffer));
    }
};
} // namespace detail

} // namespace ferry
