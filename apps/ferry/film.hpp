// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "files.hpp"
#include "record_plan.hpp"

namespace app {

/// Where frames go: one .y4m or raw file or stream, or a .png file for each. Whole after every
/// frame.
class Film {
public:
    /// Creates the first file: a folder that is missing is found before anything is drawn.
    [[nodiscard]] static Result<Film> create(const RecordPlan& plan);

    /// Rows of red, green, blue and alpha, tight.
    [[nodiscard]] Result<> add(std::span<const std::byte> rgba);
    /// Puts the file in its place. Without a frame there is none.
    [[nodiscard]] Result<> finish();

    [[nodiscard]] std::uint64_t frames() const noexcept { return frames_; }

private:
    explicit Film(const RecordPlan& plan) : plan_(&plan) {}
    [[nodiscard]] Result<> open(std::uint64_t frame);
    [[nodiscard]] Result<> add_png(std::span<const std::byte> rgba);
    [[nodiscard]] Result<> add_y4m(std::span<const std::byte> rgba);

    const RecordPlan* plan_;
    std::optional<Output> output_{};
    std::vector<std::byte> converted_{};
    std::uint64_t frames_ = 0;
};

/// What --output stands for, in words: "out.y4m", "out-0000.png to out-0119.png".
[[nodiscard]] std::string film_text(const RecordPlan& plan, std::uint64_t frames);

} // namespace app
