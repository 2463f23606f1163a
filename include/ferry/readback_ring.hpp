// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <source_location>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "ferry/buffer.hpp"
#include "ferry/commands.hpp"
#include "ferry/device.hpp"
#include "ferry/error.hpp"
#include "ferry/texture.hpp"

namespace ferry {

namespace detail {
class Ring;
struct RingBlock;
} // namespace detail

/// What `ReadbackRing::record` does when no slot is free.
enum class RingPolicy : std::uint8_t {
    skip,        ///< this read is left out, and counted
    drop_oldest, ///< the oldest result that nobody has taken makes room; where there is none: skip
    grow,        ///< one more slot, up to `max_slots`; then: skip
    refuse,      ///< the recording fails with `busy`: nothing goes unread unnoticed
};

/// Which results a ring hands out.
enum class RingOrder : std::uint8_t {
    newest, ///< a newer result replaces an older one that nobody has taken
    all,    ///< each result, in the order of recording; one that is not taken keeps its slot
};

struct RingOptions {
    std::uint64_t size_bytes = 0; ///< required: of the reads of one `record`
    std::uint32_t slots = 4;      ///< more than frames are in flight; 1 to 1024
    std::uint32_t max_slots = 16; ///< for `RingPolicy::grow`; to 1024
    RingPolicy when_full = RingPolicy::skip;
    RingOrder order = RingOrder::newest;
    std::string_view label{}; ///< slots are labelled "LABEL staging I"
};

/// What became of a `record`.
enum class RingRecord : std::uint8_t {
    recorded,
    skipped, ///< no slot was free; not an error
    refused, ///< no slot was free (`RingPolicy::refuse`), or the read is wrong: submit says why
    closed,  ///< the ring is closed; counts nowhere
};

/// One read of a `record`: a buffer, a range of one, a texture or a region of one.
struct RingSource {
    RingSource(const Buffer& whole) : from(BufferView(whole)) {} // NOLINT: an argument
    RingSource(const BufferView& range) : from(range) {}         // NOLINT
    RingSource(const Texture& whole) : from(TextureAt(whole)) {} // NOLINT
    RingSource(const TextureAt& place) : from(place) {}          // NOLINT
    RingSource(const TextureAt& place, const Extent3D& region) : from(place), size(region) {}

    std::variant<BufferView, TextureAt> from;
    std::optional<Extent3D> size{};
};

/// Numbers of a ring since it was made; a window is the difference of two.
///
/// At every moment: requested = delivered + skipped + dropped + refused + cancelled + failed +
/// in_flight.
struct RingStats {
    std::uint64_t requested = 0; ///< calls of `record` on an open ring
    std::uint64_t delivered = 0; ///< results that were handed out
    std::uint64_t skipped = 0;   ///< no slot was free
    std::uint64_t dropped = 0;   ///< arrived, and made room for others untaken
    std::uint64_t refused = 0;   ///< `RingPolicy::refuse`, or a read that was wrong
    std::uint64_t cancelled = 0; ///< commands dropped or not submitted, ring closed
    std::uint64_t failed = 0;    ///< the submit failed, the map failed, the device was lost
    std::uint64_t in_flight = 0; ///< recorded, submitted, or arrived and not taken

    std::uint64_t bytes_delivered = 0;
    /// Waits that blocked until the newest submission was done, while reads were in flight. To wait
    /// for an older one, as a program does that keeps two frames on the GPU, does not count.
    std::uint64_t waits_in_frame = 0;
    std::uint32_t slots = 0;  ///< now
    std::uint32_t leases = 0; ///< slots in the consumer's hands now

    /// Until the arrival: in frames since the record's own, and in time since the submit.
    struct Latency {
        std::uint64_t last_frames = 0, max_frames = 0;
        double mean_frames = 0;
        std::chrono::nanoseconds last{}, mean{}, max{};
        std::chrono::nanoseconds p99{}; ///< within 7 %
    } latency{};
};

/// What `diagnose` found. Values are only ever appended.
enum class RingHealth : std::uint8_t {
    healthy,
    idle,               ///< nothing was recorded
    ring_too_small,     ///< reads are skipped that more slots would take: use `use_slots`
    queue_saturated,    ///< the GPU falls behind: no number of slots helps
    events_not_running, ///< maps are pending and the engine has answered nothing for long
    leases_held,        ///< the consumer keeps slots
    results_not_taken,  ///< `RingOrder::all`, and nobody takes
    not_submitted,      ///< recorded reads wait for a submit
    waits_in_frame,     ///< the program waits for the GPU inside its frame
    closed,
};
[[nodiscard]] FERRY_API std::string_view name(RingHealth health) noexcept;

struct RingDiagnosis {
    RingHealth health = RingHealth::healthy;
    std::uint32_t use_slots = 0; ///< `ring_too_small`: the smallest number that is enough
    std::string text;            ///< what was seen, with its numbers, and what to do
};

/// A result of a ring: a copy of the bytes, which this keeps; it may outlive the ring.
template <class T>
class Readback {
public:
    /// The first read of the `record`; rows of textures are tight.
    [[nodiscard]] std::span<const T> span() const noexcept { return part(0); }
    /// The reads of the `record` in their order, in whole elements; empty past the last one.
    [[nodiscard]] std::span<const T> part(std::size_t index) const noexcept;
    [[nodiscard]] T front() const noexcept { return span().empty() ? T{} : span().front(); }

    [[nodiscard]] std::uint64_t tag() const noexcept;
    [[nodiscard]] std::uint64_t frame() const noexcept; ///< recordings that used this ring, from 0
    [[nodiscard]] std::uint64_t sequence() const noexcept; ///< of the `record`, from 1

    Readback(const Readback&) = default; // no move: it is never empty
    Readback& operator=(const Readback&) = default;
    explicit Readback(std::shared_ptr<const detail::RingBlock> block) noexcept
        : block_(std::move(block)) {}

private:
    std::shared_ptr<const detail::RingBlock> block_;
};

namespace detail {
struct RingPart {
    std::size_t offset_bytes = 0;
    std::size_t size_bytes = 0;
};
[[nodiscard]] FERRY_API std::span<const std::byte> part_of(const RingBlock& block,
                                                           std::size_t index) noexcept;
struct RingMark {
    std::uint64_t tag = 0, frame = 0, sequence = 0;
};
[[nodiscard]] FERRY_API RingMark mark_of(const RingBlock& block) noexcept;
} // namespace detail

template <class T>
std::span<const T> Readback<T>::part(std::size_t index) const noexcept {
    const auto bytes = detail::part_of(*block_, index);
    return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
}
template <class T>
std::uint64_t Readback<T>::tag() const noexcept {
    return detail::mark_of(*block_).tag;
}
template <class T>
std::uint64_t Readback<T>::frame() const noexcept {
    return detail::mark_of(*block_).frame;
}
template <class T>
std::uint64_t Readback<T>::sequence() const noexcept {
    return detail::mark_of(*block_).sequence;
}

/// A result in the memory that the GPU wrote to: nothing is copied, and the ring has one slot less
/// until this is dropped. Rows of textures are padded.
class [[nodiscard]] FERRY_API MappedReadback {
public:
    MappedReadback() noexcept;
    MappedReadback(MappedReadback&&) noexcept;
    MappedReadback& operator=(MappedReadback&&) noexcept;
    ~MappedReadback();

    /// The bytes of read `part`, valid until this is dropped or the device ends. Errors:
    /// `device_lost`, `wrong_state` (device closed, moved from), `invalid_argument` (no such part).
    [[nodiscard]] Result<std::span<const std::byte>> bytes(std::size_t part = 0) const;
    /// The strides of a texture's part; a plan without images for a buffer's.
    [[nodiscard]] CopyPlan plan(std::size_t part = 0) const;

    [[nodiscard]] std::uint64_t tag() const noexcept;
    [[nodiscard]] std::uint64_t frame() const noexcept;
    [[nodiscard]] std::uint64_t sequence() const noexcept;
    [[nodiscard]] explicit operator bool() const noexcept { return ring_ != nullptr; }

    /// For ferry's own parts.
    MappedReadback(std::shared_ptr<detail::Ring> ring, std::uint32_t slot) noexcept;

private:
    std::shared_ptr<detail::Ring> ring_;
    std::uint32_t slot_ = 0;
};

/// Reads something in every frame and never waits.
///
/// The staging buffers are made once. `record` copies into a free one at that point of the
/// commands; the submit maps it; the bytes arrive some frames later, and `latest` or `next` hands
/// them out. When every slot is busy the read is skipped and counted, and the frame goes on.
/// Move-only. Use it on the thread of its device; it may outlive it. Nothing here blocks, and after
/// the first frames nothing allocates.
class FERRY_API ReadbackRing {
public:
    using Where = std::source_location;

    ReadbackRing() noexcept;

    /// Errors: `invalid_argument` (no size, no slots), `limit_exceeded`, `out_of_memory`,
    /// `device_lost`.
    [[nodiscard]] static Result<ReadbackRing> create(Device& device, const RingOptions& options,
                                                     Where where = Where::current());

    /// Records a read of one source: `size_bytes` of the ring, or the range's own size. The source
    /// needs `copy_src`; a wrong one fails the recording, as any command. `tag` comes back with the
    /// result.
    RingRecord record(Commands& commands, const RingSource& source, std::uint64_t tag = 0,
                      Where where = Where::current());
    /// Several reads into one slot; together at most the ring's size, each rounded up to 16 bytes.
    RingRecord record(Commands& commands, std::initializer_list<RingSource> sources,
                      std::uint64_t tag = 0, Where where = Where::current());

    /// The newest result; nothing before the first one. The same one again until a newer one comes,
    /// also after `close`. Never goes back, and drops what is older and not taken; what
    /// `next_mapped` gave does not count. Processes events once.
    template <detail::Readable T>
    requires(alignof(T) <= 16) [[nodiscard]] std::optional<Readback<T>> latest() {
        auto block = latest_block();
        if (!block) return std::nullopt;
        return Readback<T>(std::move(block));
    }

    /// The next result that was not taken: with `RingOrder::all` each, in the order of recording,
    /// with `RingOrder::newest` the newest. Processes events once.
    template <detail::Readable T>
    requires(alignof(T) <= 16) [[nodiscard]] std::optional<Readback<T>> next() {
        auto block = next_block();
        if (!block) return std::nullopt;
        return Readback<T>(std::move(block));
    }

    /// As `next`, without a copy.
    [[nodiscard]] std::optional<MappedReadback> next_mapped();

    /// Rises with each newer result that `latest` would give; 0 before the first.
    [[nodiscard]] std::uint64_t version();

    /// Why the last read that failed did, or nothing.
    [[nodiscard]] std::optional<Error> last_error() const;

    [[nodiscard]] RingStats stats() const;
    /// In words: is the ring too small, the GPU behind, the consumer slow? Looks at what happened
    /// since the last call.
    [[nodiscard]] RingDiagnosis diagnose();

    /// Ends it: reads in flight end as cancelled, slots are freed. Any number of times. The
    /// device's loss does the same.
    void close() noexcept;
    [[nodiscard]] bool is_open() const noexcept;

    ReadbackRing(ReadbackRing&&) noexcept;
    ReadbackRing& operator=(ReadbackRing&&) noexcept;
    ~ReadbackRing();

private:
    explicit ReadbackRing(std::shared_ptr<detail::Ring> ring) noexcept;
    [[nodiscard]] std::shared_ptr<const detail::RingBlock> latest_block();
    [[nodiscard]] std::shared_ptr<const detail::RingBlock> next_block();

    std::shared_ptr<detail::Ring> ring_;
};

} // namespace ferry
