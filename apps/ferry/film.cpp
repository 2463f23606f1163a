// SPDX-License-Identifier: MIT
#include "film.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "png.hpp"
#include "y4m.hpp"

namespace app {

namespace {
bool is_numbered(const RecordPlan& plan) {
    return plan.format == FilmFormat::png && plan.output != "-";
}

/// "out.png" becomes "out-0007.png": as many digits as the last frame needs, and at least 4.
std::string numbered(const RecordPlan& plan, std::uint64_t frame) {
    const std::filesystem::path path(plan.output);
    const std::size_t digits = std::max<std::size_t>(4, std::to_string(plan.frames - 1).size());
    const std::string file =
        fmt::format("{}-{:0{}}{}", path.stem().string(), frame, digits, path.extension().string());
    return (path.parent_path() / file).string();
}
} // namespace

std::string film_text(const RecordPlan& plan, std::uint64_t frames) {
    if (plan.output == "-") return "standard output";
    if (!is_numbered(plan) || frames == 0) return plan.output;
    const std::string first = numbered(plan, 0);
    return frames == 1 ? first : fmt::format("{} to {}", first, numbered(plan, frames - 1));
}

Result<Film> Film::create(const RecordPlan& plan) {
    Film film(plan);
    if (auto ok = film.open(0); !ok) return std::unexpected(std::move(ok).error());
    return film;
}

Result<> Film::open(std::uint64_t frame) {
    auto output = Output::create(is_numbered(*plan_) ? numbered(*plan_, frame) : plan_->output);
    if (!output) return std::unexpected(std::move(output).error());
    output_ = *std::move(output);
    output_->write_on_after_signal();
    return {};
}

Result<> Film::add(std::span<const std::byte> rgba) {
    Result<> added;
    switch (plan_->format) {
    case FilmFormat::y4m: added = add_y4m(rgba); break;
    case FilmFormat::png: added = add_png(rgba); break;
    case FilmFormat::raw: added = output_->write(rgba); break;
    }
    if (!added) {
        return within(std::move(added).error(), fmt::format("while writing frame {}", frames_));
    }
    ++frames_;
    return {};
}

Result<> Film::add_y4m(std::span<const std::byte> rgba) {
    if (frames_ == 0) {
        const std::string header = y4m_header(plan_->width, plan_->height, plan_->rate);
        if (auto ok = output_->write(std::as_bytes(std::span(header))); !ok) return ok;
    }
    y4m_frame(rgba, plan_->width, plan_->height, converted_);
    return output_->write(converted_);
}

Result<> Film::add_png(std::span<const std::byte> rgba) {
    if (!output_) {
        if (auto ok = open(frames_); !ok) return ok;
    }
    Progress none(false, {}, 0);
    const PngRows rows{.width = plan_->width, .height = plan_->height, .bytes = rgba};
    if (auto ok = write_png(*output_, rows, none); !ok || !is_numbered(*plan_)) return ok;
    auto ok = output_->commit();
    output_.reset();
    return ok;
}

Result<> Film::finish() {
    if (!output_ || frames_ == 0 || is_numbered(*plan_)) return {};
    return output_->commit();
}

} // namespace app
