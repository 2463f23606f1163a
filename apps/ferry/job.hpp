// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "common.hpp"
#include "ferry/device.hpp"
#include "plan.hpp"
#include "slot_set.hpp"

namespace app {

/// A kernel on its device, and the bindings that stay the same for all rounds of a run. Opened,
/// loaded, computed once or in rounds, saved.
class Job {
public:
    Job(Plan plan, const Common& common) : plan_(std::move(plan)), common_(common) {}

    [[nodiscard]] Result<> create_outputs();
    [[nodiscard]] Result<> open(std::string_view shader_path);
    /// A defect of the driver that may touch this run, or empty.
    [[nodiscard]] std::string driver_note() const;
    /// Sends what stays.
    [[nodiscard]] Result<> load();
    /// The one round of a run in which everything stays.
    [[nodiscard]] Result<> compute();
    /// Brings back what stays and is saved.
    [[nodiscard]] Result<> collect();
    /// Writes it; the files are not there before `commit`.
    [[nodiscard]] Result<> save();
    [[nodiscard]] Result<> commit() { return app::commit(outputs_); }

    /// For a round: what stays, and what is of this round.
    [[nodiscard]] Result<ferry::Bindings> bind(const SlotSet& round);
    /// Inputs, kernel and outputs of a round.
    [[nodiscard]] Result<> submit(SlotSet& round, const ferry::Bindings& bindings,
                                  const ferry::DispatchOptions& grid);

    [[nodiscard]] Plan& plan() noexcept { return plan_; }
    [[nodiscard]] const Plan& plan() const noexcept { return plan_; }
    [[nodiscard]] ferry::Device& device() noexcept { return device_; }
    [[nodiscard]] const ferry::Device& device() const noexcept { return device_; }
    [[nodiscard]] const ferry::Kernel& kernel() const noexcept { return kernel_; }
    [[nodiscard]] std::array<std::uint64_t, 3> groups() const noexcept;

private:
    [[nodiscard]] bool shows_progress() const noexcept { return !common_.quiet; }
    [[nodiscard]] Result<> receive();
    [[nodiscard]] Error over_limit(Error error) const;

    Plan plan_;
    const Common& common_;
    ferry::Device device_{};
    ferry::Kernel kernel_{};
    SlotSet stays_{};
    std::vector<SlotOutputs> outputs_{}; ///< of what stays
};

} // namespace app
