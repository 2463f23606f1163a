// SPDX-License-Identifier: MIT
#include "commands/pass_plan.hpp"

#include <algorithm>
#include <utility>

#include "base/align.hpp"

namespace ferry::detail {

namespace {

constexpr std::uint64_t words_per_piece = 16;

/// Builds a plan run by run.
class PassPlanner {
public:
    PassPlanner(Spread spread, const PassLimits& limits) : spread_(spread), limits_(limits) {}

    void add(const BatchRange& run, std::uint64_t place) {
        if (!fits(run)) open(run);
        PassWindow& window = plan.windows.back();
        window.size_bytes = run.end() - window.offset_bytes;
        const std::uint64_t words = run.size_bytes / 4;
        for (std::uint64_t first = 0; first < words; first += words_per_piece, ++window.pieces) {
            add_piece((run.offset_bytes - window.offset_bytes) / 4 + first, place / 4 + first,
                      std::min(words - first, words_per_piece));
        }
    }

    PassPlan plan{};

private:
    [[nodiscard]] bool fits(const BatchRange& run) const {
        if (plan.windows.empty()) return false;
        const PassWindow& window = plan.windows.back();
        return window.buffer == run.buffer &&
               run.end() - window.offset_bytes <= limits_.binding_bytes;
    }
    void open(const BatchRange& run) {
        while (plan.table.size() * 4 % limits_.alignment_bytes != 0) plan.table.push_back(0);
        plan.windows.push_back({run.buffer,
                                base::round_down(run.offset_bytes, limits_.alignment_bytes), 0,
                                plan.table.size() * 4, 0});
    }
    void add_piece(std::uint64_t in_buffer, std::uint64_t in_block, std::uint64_t words) {
        if (spread_ == Spread::scatter) std::swap(in_buffer, in_block);
        for (std::uint64_t number : {in_buffer, in_block, words})
            plan.table.push_back(static_cast<std::uint32_t>(number));
    }

    Spread spread_;
    PassLimits limits_;
};

} // namespace

PassPlan plan_pass(Spread spread, std::span<const BatchRange> runs, const std::vector<bool>& packed,
                   std::span<const std::uint64_t> places, const PassLimits& limits) {
    PassPlanner planner(spread, limits);
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (packed[i]) planner.add(runs[i], places[i]);
    }
    return std::move(planner.plan);
}

} // namespace ferry::detail
