// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "core/operation.hpp"

namespace ferry::detail {

/// Bytes on their way from the GPU: copied into a staging slot by recorded commands, mapped after
/// the submit.
class ReadOperation final : public Operation {
public:
    struct Layout {
        std::uint64_t skip_bytes = 0;         ///< before the wanted bytes, in the slot
        std::uint64_t size_bytes = 0;         ///< wanted
        std::uint64_t mapped_bytes = 0;       ///< of the slot, a multiple of 4
        std::optional<std::uint64_t> stamp{}; ///< must stand behind the bytes, at `stamp_at`
        std::uint64_t stamp_at = 0;
    };

    ReadOperation(std::shared_ptr<Core> core, std::string name, StagingSlot slot,
                  const Layout& layout);
    ~ReadOperation() override;

    /// The commands were sent: ask for the bytes.
    void map();
    /// The commands will not be sent by ferry.
    void never_submitted(Error error) noexcept;

    void settle() override;
    [[nodiscard]] bool submitted() const override { return stage_ != Stage::recorded; }

    /// Of a read that ended well.
    [[nodiscard]] std::span<const std::byte> bytes() const noexcept;
    void give_back() noexcept;

private:
    enum class Stage : std::uint8_t { recorded, pending, mapped, over };
    void let_go() noexcept override;
    void drop_slot() noexcept;
    [[nodiscard]] std::optional<Error> stamp_error() const;

    StagingSlot slot_;
    Layout layout_;
    Signal* signal_ = nullptr;
    const std::byte* data_ = nullptr;
    Stage stage_ = Stage::recorded;
};

} // namespace ferry::detail
