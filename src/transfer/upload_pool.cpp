// SPDX-License-Identifier: MIT
#include "ferry/upload_pool.hpp"

#include "base/error.hpp"
#include "base/located.hpp"
#include "commands/staged_texels.hpp"
#include "core/core.hpp"
#include "ferry/device.hpp"
#include "resource/write_rules.hpp"
#include "transfer/make_slots.hpp"

namespace ferry {

using base::fail;
using base::located;
using base::text;
using detail::UploadSlots;

namespace {

Result<std::shared_ptr<UploadSlots>> create_slots(const Device& device,
                                                  const UploadPoolOptions& options) {
    if (!device) return std::unexpected(detail::empty_handle("device", {}));
    const auto core = device.core();
    core->pump();
    if (auto ok = core->check_usable({"create pool", options.label}); !ok)
        return std::unexpected(std::move(ok).error());
    if (options.cap_bytes == 0) {
        return fail(Errc::invalid_argument, {},
                    text("The pool \"", options.label, "\" has a cap of (0) bytes."),
                    "Give .cap_bytes of some frames' uploads; 64 MiB is the default.");
    }
    return detail::make_slots(core, text("pool \"", options.label, '"'), options);
}

Result<detail::StagingHandle> acquire(const std::shared_ptr<UploadSlots>& slots, std::size_t count,
                                      std::size_t element_size) {
    if (!slots) return std::unexpected(detail::empty_handle("pool", {}));
    std::uint64_t size_bytes = 0;
    if (__builtin_mul_overflow(count, element_size, &size_bytes)) {
        slots->note_refused();
        return fail(
            Errc::limit_exceeded, "A-14",
            text("The (", count, ") elements of (", element_size, ") bytes are over 2^64 bytes."),
            "Upload in pieces.");
    }
    slots->core().pump();
    auto slot = slots->acquire(size_bytes);
    if (!slot) return std::unexpected(std::move(slot).error());
    return detail::StagingHandle(slots, *slot);
}

Result<StagingTexels> acquire(const std::shared_ptr<UploadSlots>& slots, const TextureAt& target,
                              const std::optional<Extent3D>& size) {
    if (!slots) return std::unexpected(detail::empty_handle("pool", {}));
    if (auto ok = detail::check_texel_target(slots->core(), target.texture); !ok)
        return std::unexpected(std::move(ok).error());
    slots->core().pump();
    auto texels = detail::stage_texels(slots, target.texture, target.at, size);
    if (!texels) return std::unexpected(std::move(texels).error());
    return StagingTexels(*std::move(texels));
}

} // namespace

std::string_view name(StagingWay way) noexcept {
    switch (way) {
    case StagingWay::reused: return "reused";
    case StagingWay::made: return "made";
    case StagingWay::one_use: return "one_use";
    case StagingWay::queue_write: return "queue_write";
    }
    return "unknown";
}

namespace detail {

StagingHandle::StagingHandle() noexcept = default;
StagingHandle::StagingHandle(std::shared_ptr<UploadSlots> pool, std::uint32_t slot) noexcept
    : pool_(std::move(pool)), slot_(slot) {}
StagingHandle::StagingHandle(StagingHandle&&) noexcept = default;
StagingHandle& StagingHandle::operator=(StagingHandle&& other) noexcept {
    StagingHandle taken(std::move(other));
    std::swap(pool_, taken.pool_);
    std::swap(slot_, taken.slot_);
    return *this;
}
StagingHandle::~StagingHandle() {
    if (pool_) pool_->drop(slot_);
}

std::byte* StagingHandle::memory() const noexcept {
    return pool_ && pool_->core().usable() ? pool_->slot(slot_).memory : nullptr;
}
std::uint64_t StagingHandle::size_bytes() const noexcept {
    return pool_ ? pool_->slot(slot_).size_bytes : 0;
}
StagingWay StagingHandle::way() const noexcept {
    return pool_ ? pool_->slot(slot_).way : StagingWay::made;
}

} // namespace detail

StagingTexels::StagingTexels() noexcept = default;
StagingTexels::StagingTexels(std::unique_ptr<detail::StagedTexels> texels) noexcept
    : texels_(std::move(texels)) {}
StagingTexels::StagingTexels(StagingTexels&&) noexcept = default;
StagingTexels& StagingTexels::operator=(StagingTexels&&) noexcept = default;
StagingTexels::~StagingTexels() = default;

std::uint64_t StagingTexels::rows() const noexcept {
    return texels_ ? texels_->cut.whole.block_rows : 0;
}
std::uint64_t StagingTexels::images() const noexcept {
    return texels_ ? texels_->cut.whole.images : 0;
}
std::uint64_t StagingTexels::row_bytes() const noexcept {
    return texels_ ? texels_->cut.whole.row_bytes : 0;
}

WriteSpan<std::byte> StagingTexels::row(std::uint64_t row, std::uint64_t image) & noexcept {
    std::byte* memory = texels_ ? texels_->row(row, image) : nullptr;
    if (memory == nullptr) return {};
    return WriteSpan<std::byte>({memory, static_cast<std::size_t>(row_bytes())});
}

Result<> StagingTexels::copy_bytes(std::span<const std::byte> data) {
    if (!texels_) return std::unexpected(detail::empty_handle("staging", {}));
    const auto& bands = texels_->bands;
    if (!bands.empty() && bands.front().memory.memory() == nullptr)
        return std::unexpected(bands.front().memory.pool()->memory_gone());
    CopyPlan tight = texels_->cut.whole;
    if (data.size() != tight.tight_bytes) {
        return fail(Errc::invalid_argument, "L-09",
                    text("The region of ", texels_->texture->named(), " has (", tight.tight_bytes,
                         ") bytes without gaps, and the data (", data.size(), ")."),
                    "Give exactly the region's rows, or fill it row by row.");
    }
    tight.bytes_per_row = tight.row_bytes;
    tight.rows_per_image = tight.block_rows;
    detail::fill(*texels_, data.data(), tight);
    return {};
}

std::unique_ptr<detail::StagedTexels> StagingTexels::release() noexcept {
    return std::move(texels_);
}

UploadPool::UploadPool() noexcept = default;
UploadPool::UploadPool(std::shared_ptr<UploadSlots> slots) noexcept : slots_(std::move(slots)) {}
UploadPool::UploadPool(UploadPool&&) noexcept = default;
UploadPool& UploadPool::operator=(UploadPool&& other) noexcept {
    UploadPool taken(std::move(other));
    slots_.swap(taken.slots_); // the pool that was here is dropped
    return *this;
}
UploadPool::~UploadPool() { close(); }

Result<UploadPool> UploadPool::create(Device& device, const UploadPoolOptions& options,
                                      Where where) {
    auto slots = located(create_slots(device, options), where);
    if (!slots) return std::unexpected(std::move(slots).error());
    return UploadPool(*std::move(slots));
}

Result<detail::StagingHandle> UploadPool::acquire_bytes(std::size_t count, std::size_t element_size,
                                                        Where where) {
    const auto slots = slots_; // a callback of the user's may drop the handle
    return located(ferry::acquire(slots, count, element_size), where);
}

Result<StagingTexels> UploadPool::acquire_texels(const TextureAt& target,
                                                 const std::optional<Extent3D>& size, Where where) {
    const auto slots = slots_;
    return located(ferry::acquire(slots, target, size), where);
}

UploadStats UploadPool::stats() const { return slots_ ? slots_->stats() : UploadStats{}; }

void UploadPool::trim() noexcept {
    if (slots_) slots_->trim();
}

void UploadPool::close() noexcept {
    if (slots_) slots_->close();
}

bool UploadPool::is_open() const noexcept { return slots_ && slots_->is_open(); }

} // namespace ferry
