// SPDX-License-Identifier: MIT
#include "core/upload_slots.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>
#include <utility>

#include "base/align.hpp"
#include "base/error.hpp"
#include "core/core.hpp"
#include "core/make_buffer.hpp"
#include "core/operation.hpp"

namespace ferry::detail {

using base::fail;
using base::grouped;
using base::text;

namespace {

constexpr std::uint64_t smallest_buffer = std::uint64_t{16} << 10;
constexpr std::chrono::milliseconds tick{10};
constexpr std::uint32_t window_ticks = 64; // a buffer goes when it is idle for two of these

/// Sizes share buffers in steps of at most a quarter.
std::uint64_t class_of(std::uint64_t size_bytes) noexcept {
    const std::uint64_t size = std::max(size_bytes, smallest_buffer);
    return base::round_up(size, std::bit_floor(size) / 4).value_or(size_bytes);
}

/// Whole words, and never nothing.
std::uint64_t engine_size(std::uint64_t size_bytes) noexcept {
    return std::max<std::uint64_t>(base::round_up(size_bytes, 4).value_or(size_bytes), 4);
}

/// The bytes between the data and the end of its last word reach the GPU as zeros.
void pad_last_word(std::byte* memory, std::uint64_t size_bytes) noexcept {
    const std::uint64_t end = engine_size(size_bytes);
    std::memset(memory + size_bytes, 0, static_cast<std::size_t>(end - size_bytes));
}

} // namespace

UploadSlots::UploadSlots(Core& core, std::string name, const UploadPoolOptions& options)
    : core_(core), name_(std::move(name)), cap_bytes_(options.cap_bytes),
      host_cap_bytes_(options.cap_bytes),
      floor_bytes_(std::min(options.floor_bytes, options.cap_bytes)), policy_(options.when_full) {}

std::uint64_t UploadSlots::buffer_bytes(std::uint64_t size_bytes) noexcept {
    return class_of(size_bytes);
}

Result<std::uint32_t> UploadSlots::acquire(std::uint64_t size_bytes, PoolPolicy when_full) {
    ++totals_.requested;
    auto index = find_or_make(size_bytes, when_full);
    if (!index) {
        const Errc code = index.error().code;
        const bool refused = code == Errc::busy || code == Errc::limit_exceeded;
        ++(refused ? totals_.refused : totals_.failed);
        return index;
    }
    UploadSlot& slot = slots_[*index];
    slot.state = State::held;
    slot.size_bytes = size_bytes;
    slot.foreign = false;
    slot.use = totals_.requested;
    recent_peak_ = std::max(recent_peak_, bytes_in_use());
    return index;
}

Result<std::uint32_t> UploadSlots::find_or_make(std::uint64_t size_bytes, PoolPolicy when_full) {
    if (auto ok = core_.check_usable({"acquire from the ", {}, name_}); !ok)
        return std::unexpected(std::move(ok).error());
    if (closed_) {
        return fail(Errc::wrong_state, {}, text("The ", name_, " is closed."),
                    "Make another pool to go on uploading.");
    }
    const std::uint64_t limit = core_.limits.max_buffer_size_bytes;
    if (engine_size(size_bytes) > limit) {
        return fail(Errc::limit_exceeded, "B-07",
                    text("The request of (", grouped(size_bytes), ") bytes to the ", name_,
                         " is over the device's limit of (", grouped(limit), ") for a buffer."),
                    "Upload in pieces.");
    }
    if (const auto free = find_free(size_bytes)) {
        ++totals_.reused;
        slots_[*free].way = StagingWay::reused;
        return *free;
    }
    auto made = make(size_bytes, when_full);
    if (made || when_full == PoolPolicy::refuse) return made;
    if (!core_.usable()) return made;
    return make_host(size_bytes);
}

/// The best fit, of which at least half is used.
std::optional<std::uint32_t> UploadSlots::find_free(std::uint64_t size_bytes) const noexcept {
    const std::uint64_t need = engine_size(size_bytes);
    std::optional<std::uint32_t> best;
    for (std::uint32_t i = 0; i < slots_.size(); ++i) {
        const UploadSlot& slot = slots_[i];
        const bool fits = slot.state == State::free && slot.capacity_bytes >= need &&
                          slot.capacity_bytes / 2 <= class_of(size_bytes);
        if (fits && (!best || slot.capacity_bytes < slots_[*best].capacity_bytes)) best = i;
    }
    return best;
}

Result<std::uint32_t> UploadSlots::make(std::uint64_t size_bytes, PoolPolicy when_full) {
    const std::uint64_t exact = engine_size(size_bytes);
    std::uint64_t size = std::min(class_of(size_bytes), core_.limits.max_buffer_size_bytes);
    if (size > cap_bytes_ / 2 || !base::fits(bytes_, size, cap_bytes_)) size = exact;
    if (!make_room(size)) return std::unexpected(full(size_bytes, when_full));
    const bool one_use = size > cap_bytes_ / 2; // it would push all others out
    auto made = make_buffer(core_, {.usage = WGPUBufferUsage_MapWrite | WGPUBufferUsage_CopySrc,
                                    .size_bytes = size,
                                    .mapped = true,
                                    .label = "ferry upload"});
    if (!made) return std::unexpected(std::move(made).error());
    auto* memory = static_cast<std::byte*>(
        core_.gpu().BufferGetMappedRange(*made, 0, static_cast<std::size_t>(size)));
    if (memory == nullptr) {
        core_.gpu().BufferRelease(*made);
        return fail(Errc::out_of_memory, "B-02",
                    text("The engine gives no mapped memory of (", grouped(size), ") bytes to the ",
                         name_, '.'),
                    "Free memory, or use PoolPolicy::queue_write.");
    }
    const std::uint32_t index = empty_slot();
    UploadSlot& slot = slots_[index];
    slot.way = one_use ? StagingWay::one_use : StagingWay::made;
    slot.buffer = *made;
    slot.capacity_bytes = size;
    slot.memory = memory;
    ++(one_use ? totals_.one_use : totals_.made);
    bytes_ += size;
    totals_.peak_bytes = std::max(totals_.peak_bytes, bytes_);
    return index;
}

/// Host memory instead, at most as much as its cap, or for one request of any size.
Result<std::uint32_t> UploadSlots::make_host(std::uint64_t size_bytes) {
    const std::uint64_t size = engine_size(size_bytes);
    if (host_bytes_ != 0 && !base::fits(host_bytes_, size, host_cap_bytes_))
        return std::unexpected(full(size_bytes, PoolPolicy::queue_write));
    std::unique_ptr<std::byte[]> memory(new (std::nothrow) std::byte[size]);
    if (!memory) {
        return fail(
            Errc::out_of_memory, {},
            text("The host has no memory of (", grouped(size), ") bytes for the ", name_, '.'),
            "Upload in pieces.");
    }
    const std::uint32_t index = empty_slot();
    UploadSlot& slot = slots_[index];
    slot.way = StagingWay::queue_write;
    slot.capacity_bytes = size;
    slot.memory = memory.get();
    slot.host = std::move(memory);
    ++totals_.queue_writes;
    host_bytes_ += size;
    return index;
}

/// Lets go of free buffers, if that is enough.
bool UploadSlots::make_room(std::uint64_t size_bytes) noexcept {
    if (size_bytes > cap_bytes_ || bytes_ - bytes_in(State::free) > cap_bytes_ - size_bytes)
        return false;
    release_free(cap_bytes_ - size_bytes, 0);
    return true;
}

std::uint32_t UploadSlots::empty_slot() {
    for (std::uint32_t i = 0; i < slots_.size(); ++i) {
        if (slots_[i].state == State::empty) return i;
    }
    slots_.emplace_back();
    return static_cast<std::uint32_t>(slots_.size()) - 1;
}

Error UploadSlots::full(std::uint64_t size_bytes, PoolPolicy when_full) const {
    if (size_bytes > cap_bytes_ && when_full == PoolPolicy::refuse) {
        return {Errc::limit_exceeded,
                {},
                text("The request of (", grouped(size_bytes), ") bytes is over the cap of the ",
                     name_, " of (", grouped(cap_bytes_), ") bytes."),
                text("Raise .cap_bytes, upload in pieces, or use PoolPolicy::queue_write."),
                {},
                {}};
    }
    return {Errc::busy,
            {},
            text("The ", name_, " has no room for (", grouped(size_bytes),
                 ") bytes: of its cap of (", grouped(cap_bytes_), ") bytes (",
                 grouped(bytes_in(State::held)), ") are in your hands, (",
                 grouped(bytes_in(State::recorded)), ") in commands that were not submitted, (",
                 grouped(bytes_in(State::pending)), ") with the GPU; (", grouped(host_bytes_),
                 ") bytes of host memory are in use beside it."),
            "Submit or drop what is in hand, try again after a later submit, or raise .cap_bytes.",
            {},
            {}};
}

void UploadSlots::drop(std::uint32_t index) noexcept {
    UploadSlot& slot = slots_[index];
    if (slot.state != State::held) return;
    ++totals_.dropped;
    if (closed_ || slot.memory == nullptr || slot.way == StagingWay::one_use || slot.host)
        return release(slot);
    slot.state = State::free;
}

Result<> UploadSlots::check_series(std::uint64_t count, std::uint64_t each_bytes,
                                   std::uint64_t last_bytes) const {
    const std::uint64_t host = policy_ == PoolPolicy::queue_write ? host_cap_bytes_ : 0;
    const std::uint64_t room = cap_bytes_ / each_bytes + host / each_bytes;
    const std::uint64_t rest = std::max(cap_bytes_ % each_bytes, host % each_bytes);
    if (count <= room || (count - 1 == room && last_bytes <= rest)) return {};
    return fail(Errc::limit_exceeded, {},
                text("The (", grouped(count), ") bands of (", grouped(each_bytes),
                     ") bytes are more than the ", name_, " holds at a time, (",
                     grouped(cap_bytes_), ") bytes and (", grouped(host), ") of host memory."),
                "Raise .cap_bytes, or acquire fewer rows at a time.");
}

Error UploadSlots::memory_gone() const {
    return {Errc::wrong_state,
            {},
            text("The memory of the ", name_, " is gone: its device has ended."),
            "Open a new device and upload again.",
            {},
            {}};
}

Result<WGPUBuffer> UploadSlots::stage(std::uint32_t index, bool foreign) {
    UploadSlot& slot = slots_[index];
    if (slot.memory == nullptr) return std::unexpected(memory_gone());
    pad_last_word(slot.memory, slot.size_bytes);
    if (slot.host) {
        if (auto ok = stage_host(slot); !ok) return ok;
        slot.host.reset();
    } else {
        core_.unmap(slot.buffer);
    }
    slot.memory = nullptr;
    slot.foreign = foreign;
    slot.state = State::recorded;
    return slot.buffer;
}

/// The bytes reach a buffer of their own before the next submit, and the target at the point of the
/// copy.
Result<WGPUBuffer> UploadSlots::stage_host(UploadSlot& slot) {
    auto made = make_buffer(core_, {.usage = WGPUBufferUsage_CopySrc | WGPUBufferUsage_CopyDst,
                                    .size_bytes = slot.capacity_bytes,
                                    .label = "ferry upload"});
    if (!made) return made;
    const std::uint64_t errors = core_.inbox().error_count();
    core_.gpu().QueueWriteBuffer(core_.queue(), *made, 0, slot.host.get(),
                                 static_cast<std::size_t>(slot.capacity_bytes));
    core_.note_write(slot.capacity_bytes);
    auto ok = core_.reported_since(errors, {"staging an upload"});
    if (ok) ok = core_.flush_much();
    if (!ok) {
        core_.gpu().BufferRelease(*made);
        return std::unexpected(std::move(ok).error());
    }
    slot.buffer = *made;
    return made;
}

void UploadSlots::sent(std::uint32_t index) {
    UploadSlot& slot = slots_[index];
    if (slot.state != State::recorded) return;
    ++totals_.sent;
    totals_.bytes_sent += slot.size_bytes;
    over(slot);
}

void UploadSlots::never_sent(std::uint32_t index, const Error&) noexcept {
    UploadSlot& slot = slots_[index];
    if (slot.state != State::recorded) return;
    ++totals_.dropped;
    slot.foreign ? release(slot) : over(slot);
}

/// The commands with the slot were dealt with: it is mapped again, if it is kept.
void UploadSlots::over(UploadSlot& slot) noexcept {
    const bool kept = slot.way == StagingWay::reused || slot.way == StagingWay::made;
    if (!kept || closed_ || !core_.usable()) return release(slot);
    map_again(slot);
}

void UploadSlots::map_again(UploadSlot& slot) {
    Instance& instance = core_.instance();
    slot.state = State::pending;
    slot.signal = instance.signals().take();
    instance.asked(slot.signal,
                   core_.gpu().BufferMapAsync(slot.buffer, WGPUMapMode_Write, 0,
                                              static_cast<std::size_t>(slot.capacity_bytes),
                                              Signals::map_info(slot.signal)));
}

void UploadSlots::settle() {
    for (std::uint32_t i = 0; i < slots_.size(); ++i) {
        if (slots_[i].state == State::pending && slots_[i].signal->fired) settle(i);
    }
    decay();
}

void UploadSlots::settle(std::uint32_t index) {
    Signal* signal = std::exchange(slots_[index].signal, nullptr);
    const WGPUBuffer buffer = slots_[index].buffer;
    const bool mapped = signal->status == WGPUMapAsyncStatus_Success;
    const auto error = map_error(core_, *signal, name_);
    core_.instance().signals().give_back(signal);
    void* memory = nullptr;
    if (mapped && !error) {
        memory = core_.gpu().BufferGetMappedRange(
            buffer, 0, static_cast<std::size_t>(slots_[index].capacity_bytes));
    }
    UploadSlot& slot = slots_[index];  // a callback of the program's may have made others
    if (slot.buffer != buffer) return; // or closed the pool
    if (memory == nullptr) {
        ++totals_.map_failures;
        if (mapped) core_.unmap(buffer);
        return release(slot);
    }
    slot.memory = static_cast<std::byte*>(memory);
    slot.state = State::free;
}

void UploadSlots::release(UploadSlot& slot) noexcept {
    if (slot.signal != nullptr) {
        core_.unmap(slot.buffer); // ends the pending map
        core_.instance().signals().give_back(slot.signal);
    }
    if (slot.buffer != nullptr) core_.gpu().BufferRelease(slot.buffer);
    (slot.way == StagingWay::queue_write ? host_bytes_ : bytes_) -= slot.capacity_bytes;
    slot = {};
}

/// What was in use at a time in this window or in the last one stays.
void UploadSlots::decay() noexcept {
    const auto now = std::chrono::steady_clock::now();
    if (now - last_tick_ < tick) return;
    last_tick_ = now;
    if (++ticks_ % window_ticks == 0) last_peak_ = std::exchange(recent_peak_, 0);
    recent_peak_ = std::max(recent_peak_, bytes_in_use());
    const std::uint64_t kept = std::max(recent_peak_, last_peak_);
    release_free(std::max(kept, floor_bytes_), kept);
}

/// Lets go of free buffers, the largest first, until the pool has at most `most_bytes`; it keeps at
/// least `least_bytes`.
void UploadSlots::release_free(std::uint64_t most_bytes, std::uint64_t least_bytes) noexcept {
    while (bytes_ > most_bytes) {
        UploadSlot* largest = nullptr;
        for (UploadSlot& slot : slots_) {
            if (slot.state != State::free || bytes_ - slot.capacity_bytes < least_bytes) continue;
            if (largest == nullptr || slot.capacity_bytes > largest->capacity_bytes)
                largest = &slot;
        }
        if (largest == nullptr) return;
        ++totals_.trimmed;
        release(*largest);
    }
}

void UploadSlots::trim() noexcept { release_free(floor_bytes_, 0); }

void UploadSlots::close() noexcept {
    closed_ = true;
    for (UploadSlot& slot : slots_) {
        if (slot.state == State::free || slot.state == State::pending) release(slot);
    }
}

void UploadSlots::end_with_device() noexcept {
    close();
    for (UploadSlot& slot : slots_) slot.memory = nullptr;
}

void UploadSlots::release_all() noexcept {
    for (UploadSlot& slot : slots_) {
        if (slot.state != State::empty) release(slot);
    }
}

std::uint64_t UploadSlots::bytes_in(State state) const noexcept {
    std::uint64_t sum = 0;
    for (const UploadSlot& slot : slots_) {
        if (slot.state == state && slot.way != StagingWay::queue_write) sum += slot.capacity_bytes;
    }
    return sum;
}

std::uint64_t UploadSlots::bytes_in_use() const noexcept { return bytes_ - bytes_in(State::free); }

UploadStats UploadSlots::stats() const noexcept {
    UploadStats out = totals_;
    out.bytes = bytes_;
    out.host_bytes = host_bytes_;
    for (const UploadSlot& slot : slots_) {
        out.in_hand += slot.state == State::held ? 1 : 0;
        out.recorded += slot.state == State::recorded ? 1 : 0;
        out.free_buffers += slot.state == State::free ? 1 : 0;
        out.buffers += slot.state != State::empty && slot.way != StagingWay::queue_write ? 1 : 0;
    }
    return out;
}

Result<std::byte*> memory_of(const StagingHandle& handle) {
    std::byte* memory = handle.memory();
    if (memory == nullptr) return std::unexpected(handle.pool()->memory_gone());
    return memory;
}

} // namespace ferry::detail
