// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <ranges>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "ferry/buffer.hpp"
#include "ferry/ticket.hpp"
#include "ferry/write.hpp"

namespace ferry {

/// How the bytes of a batch get from their buffers to one place, or back. Both lead to the same
/// bytes. Values are only ever appended.
enum class BatchWay : std::uint8_t {
    automatic, ///< the one measured as the faster for this engine, adapter kind and number of runs
    copies,    ///< one engine copy for each run of bytes
    compute,   ///< one compute pass for all short runs in buffers that have `storage`
};
[[nodiscard]] FERRY_API std::string_view name(BatchWay way) noexcept;

struct BatchOptions {
    BatchWay way = BatchWay::automatic;
};

namespace detail {

/// Data that outlives the expression it stands in: an lvalue, or a view such as std::span.
template <class R>
concept LastingData = Data<std::remove_cvref_t<R>> &&
    (std::is_lvalue_reference_v<R> || std::ranges::enable_borrowed_range<std::remove_cvref_t<R>>);

} // namespace detail

/// One write of a batch.
struct BatchWrite {
    /// `values`: contiguous data, as in `Commands::write`; it must be there until `write_each`
    /// returns.
    template <detail::LastingData R>
    BatchWrite(BufferView place, R&& values) noexcept
        : target(std::move(place)), data(detail::bytes_of(values)) {}

    BufferView target; ///< its size may be left out
    std::span<const std::byte> data;
};

/// What a batch did. Ranges that touch or overlap, and for reads those with a small gap between
/// them, are one run.
struct BatchReport {
    BatchWay way = BatchWay::copies; ///< never `automatic`
    std::string_view reason{};       ///< in words; static text
    std::size_t ranges = 0;          ///< asked for, empty ones too
    std::size_t runs = 0;
    std::size_t copies = 0;     ///< of the engine
    std::size_t dispatches = 0; ///< of ferry's kernel
    std::uint64_t staged_bytes = 0;
};

namespace detail {

/// Where the results of a batch of reads lie.
struct BatchLayout {
    std::vector<std::uint64_t> staged;    ///< in the staging slot
    std::vector<std::uint64_t> ends{{0}}; ///< among the results in a row: i has [i, i + 1)
    BatchReport report{};
};

/// Of a read that has ended, until its bytes are copied. Errors: the read's own.
[[nodiscard]] FERRY_API Result<std::shared_ptr<const BatchLayout>> batch_layout(
    Operation& operation);
/// Copies the results, in a row, and gives the staging memory back.
FERRY_API void copy_batch(Operation& operation, std::byte* target) noexcept;

} // namespace detail

/// The results of many reads that came back together, in the order in which they were asked for.
/// Memory of its own: may outlive everything.
template <class T>
class Batch {
public:
    Batch() = default;

    /// Of results; empty ones count.
    [[nodiscard]] std::size_t size() const noexcept { return layout_ ? layout_->staged.size() : 0; }
    /// One result. Unchecked, as in `std::span`.
    [[nodiscard]] std::span<const T> operator[](std::size_t index) const& noexcept {
        const std::size_t first = place(index);
        return std::span(values_).subspan(first, place(index + 1) - first);
    }
    std::span<const T> operator[](std::size_t index) && = delete; // its memory would go at once
    /// All results in a row.
    [[nodiscard]] std::span<const T> all() const& noexcept { return values_; }
    std::span<const T> all() && = delete;

    [[nodiscard]] BatchReport report() const noexcept {
        return layout_ ? layout_->report : BatchReport{};
    }

    /// For ferry's own parts.
    Batch(std::shared_ptr<const detail::BatchLayout> layout, std::vector<T> values) noexcept
        : layout_(std::move(layout)), values_(std::move(values)) {}

private:
    [[nodiscard]] std::size_t place(std::size_t index) const noexcept {
        return static_cast<std::size_t>(layout_->ends[index] / sizeof(T));
    }

    std::shared_ptr<const detail::BatchLayout> layout_;
    std::vector<T> values_;
};

namespace detail {

template <class T>
struct Outcome<Batch<T>> {
    [[nodiscard]] static Result<Batch<T>> take(Operation& operation) {
        auto layout = batch_layout(operation);
        if (!layout) return std::unexpected(std::move(layout).error());
        std::vector<T> values(static_cast<std::size_t>((*layout)->ends.back() / sizeof(T)));
        copy_batch(operation, reinterpret_cast<std::byte*>(values.data()));
        return Batch<T>(*std::move(layout), std::move(values));
    }

    [[nodiscard]] static Result<std::size_t> take_into(Operation& operation, std::span<T> target) {
        const auto layout = batch_layout(operation);
        if (!layout) return std::unexpected(layout.error());
        const auto size_bytes = static_cast<std::size_t>((*layout)->ends.back());
        if (target.size_bytes() < size_bytes) {
            return std::unexpected(too_small(target.size_bytes(), size_bytes));
        }
        copy_batch(operation, reinterpret_cast<std::byte*>(target.data()));
        return size_bytes / sizeof(T);
    }
};

template <class T>
struct ElementOf<Batch<T>> {
    using type = T;
};

} // namespace detail

} // namespace ferry
