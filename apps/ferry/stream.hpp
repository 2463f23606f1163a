// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "pipeline.hpp"

namespace app {

/// The chunks of the arrays that are streamed, each a round.
class Stream final : public Rounds {
public:
    /// Creates the files of what is streamed and saved, and writes their headers: the whole shape
    /// is known. `plan` has a `cut`.
    [[nodiscard]] static Result<Stream> create(Plan& plan);

    [[nodiscard]] std::uint64_t count() const override { return cut_.chunks(); }
    [[nodiscard]] std::string label(std::uint64_t number) const override;
    [[nodiscard]] Result<Round> open(std::uint64_t number) override;
    [[nodiscard]] Result<> begin(Round& round) override;
    [[nodiscard]] Result<> save(Round& round, SlotSet& memory) override;
    [[nodiscard]] Result<> end(Round& round) override;
    void show(Progress& progress, std::uint64_t finished) const override;

    /// Once every chunk is written.
    [[nodiscard]] Result<> commit() { return app::commit(outputs_); }
    /// What goes in or comes out in all, the larger of the two.
    [[nodiscard]] std::uint64_t bytes() const;

private:
    Stream(Plan& plan, std::vector<SlotOutputs> outputs)
        : plan_(&plan), cut_(*plan.cut), outputs_(std::move(outputs)) {}
    [[nodiscard]] std::uint64_t rows_of(std::uint64_t number) const noexcept;

    Plan* plan_;
    Cut cut_;
    std::vector<SlotOutputs> outputs_;
};

} // namespace app
