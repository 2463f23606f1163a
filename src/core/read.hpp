// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>

#include "core/operation.hpp"
#include "core/staged.hpp"
#include "ferry/layout.hpp"

namespace ferry::detail {

struct BatchLayout;

/// Bytes on their way from the GPU: copied into a staging slot by recorded commands, mapped after
/// the submit.
class ReadOperation final : public Operation, public Staged {
public:
    struct Layout {
        std::uint64_t skip_bytes = 0; ///< before the wanted bytes, in the slot
        std::uint64_t row_bytes = 0;  ///< wanted
        std::uint64_t rows = 1;       ///< of them, one every `pitch_bytes`
        std::uint64_t pitch_bytes = 0;
        std::uint64_t mapped_bytes = 0;       ///< of the slot, a multiple of 4
        std::optional<std::uint64_t> stamp{}; ///< must stand behind the bytes, at `stamp_at`
        std::uint64_t stamp_at = 0;
        bool swap_red_blue = false; ///< the wanted pixels have the other order of channels
        std::shared_ptr<const CopyPlan> texels{};   ///< of a read of a texture
        std::shared_ptr<const BatchLayout> batch{}; ///< of many reads at once
    };

    ReadOperation(std::shared_ptr<Core> core, std::string name, StagingSlot slot,
                  const Layout& layout);
    ~ReadOperation() override;

    void sent(std::uint32_t index) override;
    void never_sent(std::uint32_t index, const Error& reason) noexcept override;

    void settle() override;
    [[nodiscard]] bool submitted() const override { return stage_ != Stage::recorded; }

    /// Of a read that ended well.
    [[nodiscard]] Rows rows() const noexcept;
    [[nodiscard]] const Layout& layout() const noexcept { return layout_; }
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

/// Of pixels of four 8-bit channels.
void swap_red_blue(std::span<std::byte> pixels) noexcept;

} // namespace ferry::detail
