// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <source_location>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "ferry/error.hpp"

namespace ferry {

class Awaits;

/// Names one `submit` of a device; numbers rise by one.
struct Submission {
    std::uint64_t number = 0;
};

namespace detail {
class Operation;
using OperationPtr = std::shared_ptr<Operation>;

[[nodiscard]] FERRY_API bool ready(const OperationPtr& operation);
[[nodiscard]] FERRY_API Result<> wait(const OperationPtr& operation, std::chrono::nanoseconds limit,
                                      std::source_location where);
FERRY_API void cancel(Operation* operation) noexcept;
[[nodiscard]] FERRY_API bool failed(const Operation& operation) noexcept;

/// How the outcome of an operation becomes a `T`. `take` is called once, after `ready` said true.
template <class T>
struct Outcome;

template <>
struct Outcome<Submission> {
    [[nodiscard]] FERRY_API static Result<Submission> take(Operation& operation);
};

/// Rows of bytes in mapped memory; one row, where there is no gap.
struct Rows {
    const std::byte* first = nullptr;
    std::size_t row_bytes = 0;
    std::size_t rows = 0;
    std::size_t pitch_bytes = 0; ///< from row to row

    [[nodiscard]] std::size_t size_bytes() const noexcept { return row_bytes * rows; }
    [[nodiscard]] bool aligned_for(std::size_t align) const noexcept {
        return (reinterpret_cast<std::uintptr_t>(first) | pitch_bytes) % align == 0;
    }
};

/// The bytes of a finished read, valid until `give_back`.
[[nodiscard]] FERRY_API Result<Rows> rows(Operation& operation);
/// Copies the rows without their gaps; large ones with the device's copy threads.
FERRY_API void copy_rows(Operation& operation, const Rows& rows, std::byte* target) noexcept;
/// Large memory that was never touched is touched by the copy threads first.
FERRY_API void touch(Operation& operation, void* target, std::size_t size_bytes) noexcept;
/// The bytes were copied to `copied`: puts channels in the order that was asked for, and gives the
/// memory back.
FERRY_API void give_back(Operation& operation, std::span<std::byte> copied) noexcept;
[[nodiscard]] FERRY_API Error too_small(std::size_t have_bytes, std::size_t need_bytes);

template <class T>
struct Outcome<std::vector<T>> {
    [[nodiscard]] static Result<std::vector<T>> take(Operation& operation) {
        auto source = rows(operation);
        if (!source) return std::unexpected(std::move(source).error());
        std::vector<T> out;
        if (source->aligned_for(alignof(T))) { // filled without being zeroed before
            out.reserve(source->size_bytes() / sizeof(T));
            touch(operation, out.data(), source->size_bytes());
            for (std::size_t row = 0; row < source->rows; ++row) {
                const auto* first =
                    reinterpret_cast<const T*>(source->first + row * source->pitch_bytes);
                out.insert(out.end(), first, first + source->row_bytes / sizeof(T));
            }
        } else {
            out.resize(source->size_bytes() / sizeof(T));
            copy_rows(operation, *source, reinterpret_cast<std::byte*>(out.data()));
        }
        give_back(operation, std::as_writable_bytes(std::span(out)));
        return out;
    }

    [[nodiscard]] static Result<std::size_t> take_into(Operation& operation, std::span<T> target) {
        auto source = rows(operation);
        if (!source) return std::unexpected(std::move(source).error());
        const std::size_t size_bytes = source->size_bytes();
        if (target.size_bytes() < size_bytes) {
            return std::unexpected(too_small(target.size_bytes(), size_bytes));
        }
        const std::span bytes = std::as_writable_bytes(target).first(size_bytes);
        copy_rows(operation, *source, bytes.data());
        give_back(operation, bytes);
        return size_bytes / sizeof(T);
    }
};

template <class T>
struct ElementOf {
    using type = void;
};
template <class T>
struct ElementOf<std::vector<T>> {
    using type = T;
};

/// A range that outlives the expression it stands in: an lvalue, or a view such as std::span.
template <class R, class T>
concept TargetRange =
    !std::is_void_v<T> && (std::is_lvalue_reference_v<R> ||
                           std::ranges::enable_borrowed_range<
                               std::remove_cvref_t<R>>)&&std::is_convertible_v<R, std::span<T>>;

[[nodiscard]] FERRY_API Error no_outcome();
} // namespace detail

/// A result that is not there yet: a read, a map, or "the GPU is done".
///
/// Each ticket has exactly one outcome: a value, or an error (`cancelled` and `device_lost` among
/// them). `take` or `wait` hands it out and empties the ticket. Progress happens inside these calls
/// and inside the device's own (`submit`, `poll`): nothing runs in the background. A ticket may
/// outlive its device and everything else; dropping it gives up the result and frees what it holds
/// once the GPU is done with it. Use it on the thread of its device.
template <class T>
class [[nodiscard]] Ticket {
public:
    using Element = detail::ElementOf<T>::type;

    /// An empty ticket: `ready` is true, and `take` and `wait` answer `wrong_state`.
    Ticket() noexcept = default;
    explicit Ticket(detail::OperationPtr operation) noexcept : operation_(std::move(operation)) {}

    /// Whether the outcome is there. Processes events once; never blocks.
    [[nodiscard]] bool ready() { return !operation_ || detail::ready(operation_); }

    /// The outcome, or nothing yet. Processes events once; never blocks.
    [[nodiscard]] std::optional<Result<T>> take() {
        if (!ready()) return std::nullopt;
        return outcome();
    }

    /// The outcome; blocks up to `limit` (0 and less: looks once). Name the value before looping
    /// over it: `for (auto x : ticket.wait(1s).value())` leaves the loop without its vector. Two
    /// errors leave the ticket pending, so that it can be asked again: `timeout`, and
    /// `not_submitted` at once when the commands it depends on were not submitted.
    [[nodiscard]] Result<T> wait(std::chrono::nanoseconds limit,
                                 std::source_location where = std::source_location::current()) {
        if (operation_) {
            if (auto waited = detail::wait(operation_, limit, where); !waited) {
                return std::unexpected(std::move(waited).error());
            }
        }
        return outcome();
    }

    /// As `take`, for reads: copies into memory of yours and answers the number of elements.
    /// `target` may be larger than the result; when it is smaller the answer is `invalid_argument`
    /// and the ticket stays pending.
    template <class R>
    requires detail::TargetRange<R, Element>
    [[nodiscard]] std::optional<Result<std::size_t>> take_into(R&& target) {
        if (!ready()) return std::nullopt;
        return outcome_into(target);
    }

    /// As `wait`, for reads into memory of yours.
    template <class R>
    requires detail::TargetRange<R, Element>
    [[nodiscard]] Result<std::size_t> wait_into(
        R&& target, std::chrono::nanoseconds limit,
        std::source_location where = std::source_location::current()) {
        if (operation_) {
            if (auto waited = detail::wait(operation_, limit, where); !waited) {
                return std::unexpected(std::move(waited).error());
            }
        }
        return outcome_into(target);
    }

    /// Gives the result up: the outcome becomes the error `cancelled`, unless it is there already.
    void cancel() noexcept {
        if (operation_) detail::cancel(operation_.get());
    }

    /// Whether an outcome is still to be taken.
    [[nodiscard]] explicit operator bool() const noexcept { return operation_ != nullptr; }

    Ticket(Ticket&&) noexcept = default;
    Ticket& operator=(Ticket&& other) noexcept {
        Ticket(std::move(other)).swap(*this);
        return *this;
    }
    ~Ticket() {
        if (operation_) detail::cancel(operation_.get());
    }
    void swap(Ticket& other) noexcept { operation_.swap(other.operation_); }

private:
    friend class Awaits; // takes an outcome that is there without another look

    [[nodiscard]] Result<T> outcome() {
        if (!operation_) return std::unexpected(detail::no_outcome());
        auto taken = detail::Outcome<T>::take(*operation_);
        operation_.reset();
        return taken;
    }

    template <class R>
    [[nodiscard]] Result<std::size_t> outcome_into(R& target) {
        if (!operation_) return std::unexpected(detail::no_outcome());
        auto copied = detail::Outcome<T>::take_into(*operation_, std::span<Element>(target));
        if (copied || detail::failed(*operation_)) operation_.reset();
        return copied;
    }

    detail::OperationPtr operation_;
};

} // namespace ferry
