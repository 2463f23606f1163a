// SPDX-License-Identifier: MIT
#include "core/read.hpp"

#include <cstring>
#include <utility>

#include "base/error.hpp"

namespace ferry::detail {

using base::text;

ReadOperation::ReadOperation(std::shared_ptr<Core> core, std::string name, StagingSlot slot,
                             const Layout& layout)
    : Operation(std::move(core), std::move(name)), slot_(std::move(slot)), layout_(layout) {}

ReadOperation::~ReadOperation() { give_back(); }

void ReadOperation::sent(std::uint32_t) {
    if (done()) return drop_slot(); // cancelled before the submit
    signal_ = core()->instance().signals().take();
    stage_ = Stage::pending;
    note_submission();
    core()->instance().asked(
        signal_, core()->gpu().BufferMapAsync(slot_.buffer(), WGPUMapMode_Read, 0,
                                              static_cast<std::size_t>(layout_.mapped_bytes),
                                              Signals::map_info(signal_)));
}

void ReadOperation::never_sent(std::uint32_t, const Error& reason) noexcept {
    drop_slot();
    fail(reason);
}

/// An encoder of the user's may be sent at any time, and a stamp must not be found where it was
/// left by an earlier read: a slot with a stamp is used once.
void ReadOperation::drop_slot() noexcept {
    if (layout_.stamp) slot_.discard();
    slot_ = {};
    stage_ = Stage::over;
}

void ReadOperation::settle() {
    if (stage_ != Stage::pending || !signal_->fired) return;
    const bool mapped = signal_->status == WGPUMapAsyncStatus_Success;
    auto error = map_error(*core(), *signal_, name());
    core()->instance().signals().give_back(std::exchange(signal_, nullptr));
    stage_ = mapped ? Stage::mapped : Stage::over;
    if (error) return fail(*std::move(error));
    data_ = static_cast<const std::byte*>(core()->gpu().BufferGetConstMappedRange(
        slot_.buffer(), 0, static_cast<std::size_t>(layout_.mapped_bytes)));
    if (data_ == nullptr) {
        return fail(Error{Errc::engine,
                          {},
                          text(name(), " is mapped, but the engine gives no memory."),
                          {},
                          {},
                          {}});
    }
    if (auto wrong = stamp_error()) return fail(*std::move(wrong));
    finish();
}

std::optional<Error> ReadOperation::stamp_error() const {
    if (!layout_.stamp) return std::nullopt;
    if (std::memcmp(data_ + layout_.stamp_at, &*layout_.stamp, sizeof(std::uint64_t)) == 0) {
        return std::nullopt;
    }
    return Error{Errc::not_submitted,
                 "Q-09",
                 text(name(), " has no bytes: the encoder it was recorded into was not submitted."),
                 "Submit the encoder's command buffer before calling interop::submitted.",
                 {},
                 {}};
}

Rows ReadOperation::rows() const noexcept {
    return {data_ + layout_.skip_bytes, static_cast<std::size_t>(layout_.row_bytes),
            static_cast<std::size_t>(layout_.rows), static_cast<std::size_t>(layout_.pitch_bytes)};
}

void ReadOperation::give_back() noexcept {
    data_ = nullptr;
    if (stage_ == Stage::recorded) return drop_slot();
    let_go();
}

/// While the slot is part of unsent commands it stays with them; `sent` or `never_sent` frees
/// it.
void ReadOperation::let_go() noexcept {
    if (stage_ == Stage::recorded) return;
    const bool held = stage_ == Stage::pending || stage_ == Stage::mapped;
    if (held && slot_) core()->unmap(slot_.buffer()); // ends a pending map, too (rule U-01)
    if (signal_ != nullptr) core()->instance().signals().give_back(std::exchange(signal_, nullptr));
    drop_slot();
}

Result<Rows> rows(Operation& operation) {
    if (operation.error()) return std::unexpected(*operation.error());
    return static_cast<ReadOperation&>(operation).rows();
}

void copy_rows(Operation& operation, const Rows& rows, std::byte* target) noexcept {
    base::CopyCrew& crew = operation.core()->crew();
    if (rows.rows == 1) return crew.copy(target, rows.first, rows.row_bytes);
    crew.copy_rows(target, rows.row_bytes, rows.first, rows.pitch_bytes, rows.row_bytes, rows.rows);
}

/// One byte of each page; a page that is new to the process costs more than a copy of it.
void touch(Operation& operation, void* target, std::size_t size_bytes) noexcept {
    constexpr std::size_t page = 4096;
    constexpr std::size_t part = std::size_t{2} << 20;
    if (size_bytes < 2 * part) return;
    auto* const bytes = static_cast<volatile std::byte*>(target);
    operation.core()->crew().run(size_bytes / part, [bytes](std::size_t index) noexcept {
        for (std::size_t at = 0; at < part; at += page) bytes[index * part + at] = std::byte{};
    });
}

void swap_red_blue(std::span<std::byte> pixels) noexcept {
    for (std::size_t i = 0; i + 3 < pixels.size(); i += 4) std::swap(pixels[i], pixels[i + 2]);
}

void give_back(Operation& operation, std::span<std::byte> copied) noexcept {
    auto& read = static_cast<ReadOperation&>(operation);
    if (read.layout().swap_red_blue) swap_red_blue(copied);
    read.give_back();
}

} // namespace ferry::detail
