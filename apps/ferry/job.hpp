// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <chrono>
#include <string_view>
#include <variant>
#include <vector>

#include "common.hpp"
#include "ferry/device.hpp"
#include "plan.hpp"
#include "progress.hpp"

namespace app {

/// One run on a device: opened, loaded, computed, saved, in this order.
class Job {
public:
    Job(Plan plan, const Common& common) : plan_(std::move(plan)), common_(common) {}

    /// Creates the output files first: a folder that is missing is found before anything is
    /// computed.
    [[nodiscard]] Result<> create_outputs();
    [[nodiscard]] Result<> open(std::string_view shader_path);
    /// A defect of the driver that may touch this run, or empty.
    [[nodiscard]] std::string driver_note() const;
    [[nodiscard]] Result<> load();
    [[nodiscard]] Result<> compute();
    [[nodiscard]] Result<> save();

    [[nodiscard]] const Plan& plan() const noexcept { return plan_; }
    [[nodiscard]] const ferry::Device& device() const noexcept { return device_; }
    [[nodiscard]] const ferry::Kernel& kernel() const noexcept { return kernel_; }
    [[nodiscard]] std::array<std::uint64_t, 3> groups() const noexcept;

private:
    struct Saved {
        std::size_t slot = 0;
        std::vector<Output> outputs{};
        ferry::Buffer buffer{}; ///< that the CPU reads
        ferry::ReadMapping mapping{};
        ferry::Ticket<std::vector<std::uint8_t>> ticket{}; ///< of a texture
        std::vector<std::uint8_t> texels{};
    };
    [[nodiscard]] bool shows_progress() const noexcept { return !common_.quiet; }
    [[nodiscard]] Result<> load_slot(const Slot& slot);
    [[nodiscard]] Result<> load_buffer(const Slot& slot);
    [[nodiscard]] Result<> load_texture(const Slot& slot);
    [[nodiscard]] Result<> record_saved(ferry::Commands& commands, Saved& saved);
    [[nodiscard]] Result<> receive(Saved& saved, Progress& progress);
    [[nodiscard]] Result<> make_readback(Saved& saved);
    [[nodiscard]] Result<> save_one(Saved& saved);
    [[nodiscard]] Result<> save_texture(Saved& saved);
    [[nodiscard]] Error over_limit(Error error) const;

    Plan plan_;
    const Common& common_;
    ferry::Device device_{};
    ferry::Kernel kernel_{};
    std::vector<std::variant<ferry::Buffer, ferry::Texture>> resources_{}; ///< one for each slot
    std::vector<Saved> saved_{}; ///< one for each slot that is saved
};

} // namespace app
