// SPDX-License-Identifier: MIT
#pragma once

#include <set>
#include <string>
#include <vector>

#include "pipeline.hpp"

namespace app {

/// The files of `--each`, a round for each file. Files of several `--each` go together by their
/// stems.
class Each final : public Rounds {
public:
    /// Finds the files and checks where their results go, before anything runs.
    [[nodiscard]] static Result<Each> find(const RunOptions& options, const Common& common);

    /// What the device and the kernel are made for: the round with the largest file.
    [[nodiscard]] Result<Plan> widest(std::string wgsl) const;
    /// What stays is that of `plan`, which outlives this.
    [[nodiscard]] Result<> use(const Plan& plan);

    [[nodiscard]] std::uint64_t count() const override { return turns_.size(); }
    [[nodiscard]] std::string label(std::uint64_t number) const override;
    [[nodiscard]] Result<Round> open(std::uint64_t number) override;
    [[nodiscard]] Result<> begin(Round& round) override;
    [[nodiscard]] Result<> save(Round& round, SlotSet& memory) override;
    [[nodiscard]] Result<> end(Round& round) override;
    void show(Progress& progress, std::uint64_t finished) const override;

private:
    explicit Each(const Common& common) : common_(&common) {}
    const Common* common_;
    std::vector<RunOptions> turns_{}; ///< as if each were a run of its own
    const Plan* plan_ = nullptr;
    std::set<std::string> said_{}; ///< notes
};

} // namespace app
