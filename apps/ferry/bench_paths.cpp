// SPDX-License-Identifier: MIT
#include "bench_paths.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstring>
#include <vector>

#include <fmt/format.h>

#include "ferry/ferry.hpp"
#include "report.hpp"
#include "text.hpp"

namespace app {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;
using ferry::UploadPath;

namespace {

constexpr std::uint64_t KiB = 1024;
constexpr std::uint64_t MiB = 1024 * KiB;
constexpr std::array<std::uint64_t, 16> sizes{
    4,       64,      KiB,     4 * KiB,  16 * KiB, 64 * KiB, 256 * KiB, MiB,
    2 * MiB, 4 * MiB, 8 * MiB, 16 * MiB, 32 * MiB, 64 * MiB, 128 * MiB, 256 * MiB};
constexpr std::array paths{UploadPath::queue_whole, UploadPath::queue_pieces, UploadPath::pool,
                           UploadPath::mapped_at_creation};
constexpr std::size_t chosen = paths.size();
constexpr std::size_t series_count = paths.size() + 1;

constexpr auto usage =
    ferry::BufferUsage::storage | ferry::BufferUsage::copy_dst | ferry::BufferUsage::copy_src;
constexpr int fewest_turns = 5;
constexpr auto least_time = series_count * 200ms; ///< for one size
constexpr auto most_time = series_count * 2s;
constexpr auto turn_time = 10ms; ///< small uploads are repeated for so long in one turn

UploadPath path_of(std::size_t series) noexcept {
    return series == chosen ? UploadPath::automatic : paths[series];
}

std::string_view series_name(std::size_t series) noexcept {
    return series == chosen ? "chosen" : name(paths[series]);
}

/// Data in warm memory, of which each upload takes another part: other bytes.
class Source {
public:
    explicit Source(std::uint64_t most_bytes) : words_(most_bytes / 4 + steps * step_words) {
        std::uint32_t hash = 1;
        for (std::uint32_t& word : words_) word = hash = hash * 1664525 + 1013904223;
    }

    [[nodiscard]] std::span<const std::byte> next(std::uint64_t size_bytes) {
        step_ = (step_ + 1) % steps;
        return std::as_bytes(std::span(words_)).subspan(step_ * step_words * 4, size_bytes);
    }

private:
    static constexpr std::size_t steps = 61, step_words = 16;
    std::vector<std::uint32_t> words_;
    std::size_t step_ = 0;
};

struct Row {
    std::uint64_t size_bytes = 0;
    ferry::UploadChoice choice;
    std::array<double, series_count> seconds{};

    [[nodiscard]] double gb_per_s(std::size_t series) const {
        return static_cast<double>(size_bytes) / seconds[series] / 1e9;
    }
    /// Rate of ferry's choice against the best path's.
    [[nodiscard]] double of_best() const {
        return *std::min_element(seconds.begin(), seconds.begin() + chosen) / seconds[chosen];
    }
    /// Of the same path measured twice.
    [[nodiscard]] double noise() const {
        const auto own = std::ranges::find(paths, choice.path) - paths.begin();
        const double ratio = seconds[static_cast<std::size_t>(own)] / seconds[chosen];
        return std::max(ratio, 1 / ratio) - 1;
    }
};

/// What a quarter of the uploads came under: other work on the machine slows the rest.
double lower_quartile(std::vector<double>& seconds) {
    const auto at = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 4);
    std::ranges::nth_element(seconds, at);
    return *at;
}

class PathRuns {
public:
    PathRuns(ferry::Device& device, const PathsBench& wanted)
        : device_(device), create_(wanted.create),
          source_(
              std::min({wanted.max_bytes, sizes.back(), device.limits().max_buffer_size_bytes})) {}

    Result<Row> measure(std::uint64_t size_bytes) {
        size_bytes_ = size_bytes;
        Row row{.size_bytes = size_bytes,
                .choice = create_ ? device_.explain_create(size_bytes, usage)
                                  : device_.explain_write(size_bytes)};
        if (auto ok = make_target(); !ok) return std::unexpected(ok.error());
        for (std::size_t series = 0; series < series_count; ++series) {
            if (auto ok = check(path_of(series)); !ok) return std::unexpected(ok.error());
        }
        std::array<std::vector<double>, series_count> seconds;
        const auto start = Clock::now();
        for (int turns = 0; !enough(turns, Clock::now() - start); ++turns) {
            for (std::size_t series = 0; series < series_count; ++series) {
                if (auto ok = turn(path_of(series), seconds[series]); !ok)
                    return std::unexpected(ok.error());
            }
        }
        std::ranges::transform(seconds, row.seconds.begin(), lower_quartile);
        return row;
    }

private:
    static bool enough(int turns, Clock::duration time) {
        return (turns >= fewest_turns && time >= least_time) || (turns > 0 && time >= most_time);
    }

    /// The first upload of a turn is not counted: the path comes back to what it keeps for reuse.
    Result<> turn(UploadPath path, std::vector<double>& seconds) {
        if (auto first = timed(path); !first) return std::unexpected(first.error());
        const auto end = Clock::now() + turn_time;
        do {
            auto one = timed(path);
            if (!one) return std::unexpected(one.error());
            seconds.push_back(*one);
        } while (Clock::now() < end);
        return {};
    }

    Result<double> timed(UploadPath path) {
        const auto bytes = source_.next(size_bytes_);
        const auto start = Clock::now();
        if (auto ok = upload(path, bytes); !ok) return std::unexpected(ok.error());
        auto done = device_.done();
        for (const auto limit = start + 60s; !done.ready() && Clock::now() < limit;) {
        }
        const double seconds = Seconds(Clock::now() - start).count();
        if (auto ok = done.wait(0s); !ok) return std::unexpected(ok.error());
        if (create_) target_ = {};
        return seconds;
    }

    Result<> check(UploadPath path) {
        const auto bytes = source_.next(size_bytes_);
        if (auto ok = upload(path, bytes); !ok) return ok;
        auto seen = device_.read<std::byte>(target_).wait(60s);
        if (!seen) return std::unexpected(seen.error());
        if (std::ranges::equal(*seen, bytes)) return {};
        return fail(Errc::engine, fmt::format("On the path {} other bytes arrive than the {} sent.",
                                              name(path), size_text(size_bytes_)));
    }

    Result<> make_target() {
        target_ = {};
        if (create_) return {};
        auto made = device_.create_buffer({.usage = usage, .size_bytes = size_bytes_});
        if (!made) return std::unexpected(made.error());
        target_ = *std::move(made);
        return {};
    }

    Result<> upload(UploadPath path, std::span<const std::byte> bytes) {
        if (create_) {
            auto made = device_.create_buffer(bytes, {.usage = usage, .path = path});
            if (!made) return std::unexpected(made.error());
            target_ = *std::move(made);
            return {};
        }
        if (path == UploadPath::mapped_at_creation) return stage_once(bytes);
        return device_.write(target_, bytes, {.path = path});
    }

    /// The target is there already: the buffer that is born with the bytes is copied to it.
    Result<> stage_once(std::span<const std::byte> bytes) {
        auto staged = device_.create_mapped_buffer(
            {.usage = ferry::BufferUsage::copy_src, .size_bytes = bytes.size()});
        if (!staged) return std::unexpected(staged.error());
        auto mapped = staged->mapping.as<std::byte>();
        if (!mapped) return std::unexpected(mapped.error());
        auto memory = mapped->span();
        if (!memory) return std::unexpected(memory.error());
        std::memcpy(memory->data(), bytes.data(), bytes.size());
        if (auto ok = staged->mapping.unmap(); !ok) return ok;
        auto commands = device_.record("bench paths");
        commands.copy(staged->buffer, target_);
        if (auto sent = device_.submit(std::move(commands)); !sent)
            return std::unexpected(sent.error());
        return {};
    }

    ferry::Device& device_;
    bool create_;
    Source source_;
    ferry::Buffer target_;
    std::uint64_t size_bytes_ = 0;
};

std::string json_lines(const Row& row, const ferry::Device& device, bool create) {
    std::string lines;
    for (std::size_t series = 0; series < series_count; ++series) {
        nlohmann::ordered_json line{{"path", series_name(series)},
                                    {"bytes", row.size_bytes},
                                    {"gb_per_s", row.gb_per_s(series)},
                                    {"us", row.seconds[series] * 1e6},
                                    {"engine", device.engine().name()},
                                    {"adapter", device.adapter().name},
                                    {"call", create ? "create_buffer" : "write"}};
        if (series == chosen) {
            line["choice"] = name(row.choice.path);
            line["of_best"] = row.of_best();
            line["noise"] = row.noise();
        }
        lines += line.dump() + '\n';
    }
    return lines;
}

std::string rate_text(double gb_per_s) {
    return gb_per_s < 0.1 ? fmt::format("{:.6f}", gb_per_s) : fmt::format("{:.3f}", gb_per_s);
}

constexpr std::string_view columns = "{:<8}  {:>11}  {:>12}  {:>8}  {:>18}  {:>8}  {:>6}  {}\n";

std::string head_text(const ferry::Device& device, bool create) {
    return fmt::format("{} on {}\nGB/s of {}, until the GPU has the bytes\n",
                       device.engine().name(), device.adapter().name,
                       create ? "a new buffer with its data" : "a write to a buffer") +
           fmt::format(fmt::runtime(columns), "size", name(paths[0]), name(paths[1]),
                       name(paths[2]), name(paths[3]), "chosen", "/ best", "choice");
}

std::string row_text(const Row& row) {
    std::array<std::string, series_count> rates;
    for (std::size_t series = 0; series < series_count; ++series)
        rates[series] = rate_text(row.gb_per_s(series));
    return fmt::format(fmt::runtime(columns), size_text(row.size_bytes), rates[0], rates[1],
                       rates[2], rates[3], rates[4], fmt::format("{:.3f}", row.of_best()),
                       name(row.choice.path));
}

std::string summary_text(const std::vector<Row>& rows) {
    const Row& worst = std::ranges::min(rows, {}, &Row::of_best);
    const Row& loudest = std::ranges::max(rows, {}, &Row::noise);
    return fmt::format("The choice has at least {:.1f} % of the best rate (at {}).\n"
                       "Noise: one path measured twice differs by up to {:.1f} % (at {}).\n",
                       worst.of_best() * 100, size_text(worst.size_bytes), loudest.noise() * 100,
                       size_text(loudest.size_bytes));
}

} // namespace

Result<> bench_paths(const Common& common, ferry::Device& device, const PathsBench& wanted) {
    PathRuns runs(device, wanted);
    std::vector<Row> rows;
    if (!common.json) {
        if (auto ok = print(head_text(device, wanted.create)); !ok) return ok;
    }
    for (const std::uint64_t size : sizes) {
        if (size > wanted.max_bytes) break;
        if (size > device.limits().max_buffer_size_bytes) {
            say(common,
                fmt::format("{} and more are left out: the device's limit for a buffer is "
                            "{}.",
                            size_text(size), size_text(device.limits().max_buffer_size_bytes)));
            break;
        }
        auto row = runs.measure(size);
        if (!row) return within(std::move(row).error(), fmt::format("at {}", size_text(size)));
        const std::string text =
            common.json ? json_lines(*row, device, wanted.create) : row_text(*row);
        if (auto ok = print(text); !ok) return ok;
        rows.push_back(*std::move(row));
    }
    return common.json ? Result<>{} : print(summary_text(rows));
}

} // namespace app
