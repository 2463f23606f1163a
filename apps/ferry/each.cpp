// SPDX-License-Identifier: MIT
#include "each.hpp"

#include <algorithm>
#include <filesystem>
#include <map>

#include <glob.h>

#include <fmt/format.h>

#include "arguments.hpp"
#include "report.hpp"
#include "text.hpp"

namespace app {

namespace {
using Path = std::filesystem::path;

/// The files of one --each.
struct Files {
    Named named{}; ///< the binding and the pattern
    std::vector<std::string> paths{};
};

Result<Files> find_files(const std::string& text) {
    auto named = parse_named("--each", text, "data='in/*.npy'");
    if (!named) return std::unexpected(std::move(named).error());
    glob_t found{};
    const int failed = ::glob(named->value.c_str(), 0, nullptr, &found);
    Files files{.named = *std::move(named)};
    if (failed == 0) files.paths.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
    ::globfree(&found);
    std::sort(files.paths.begin(), files.paths.end());
    if (!files.paths.empty()) return files;
    return fail(Errc::io, fmt::format("No file matches {} of --each {}.", files.named.value, text),
                "Check the folder and the ending, and quote the pattern: --each "
                "data='in/*.npy'.");
}

std::string stem_of(const std::string& path) { return Path(path).stem().string(); }

/// The path of the same stem.
Result<std::string> partner(const Files& files, const Files& first, const std::string& path) {
    const std::string* there = nullptr;
    for (const std::string& each : files.paths) {
        if (stem_of(each) != stem_of(path)) continue;
        if (there != nullptr) {
            return fail(Errc::invalid_argument,
                        fmt::format("Two files of --each {} are called {}: {} and {}.",
                                    files.named.name, stem_of(path), *there, each),
                        "Let the pattern find one of each stem.");
        }
        there = &each;
    }
    if (there != nullptr && files.paths.size() == first.paths.size()) return *there;
    return fail(Errc::invalid_argument,
                fmt::format("The files of several --each go together by their stems: {} finds "
                            "({}) and {} finds ({}){}.",
                            first.named.value, first.paths.size(), files.named.value,
                            files.paths.size(),
                            there == nullptr ? fmt::format(", none for {}", path) : ""),
                "Let each pattern find a file of the same stem.");
}

std::string replaced(std::string text, const std::string& word, const std::string& by) {
    for (std::size_t at = text.find(word); at != std::string::npos;
         at = text.find(word, at + by.size()))
        text.replace(at, word.size(), by);
    return text;
}

/// As if the round were a run of its own.
Result<RunOptions> turn_of(const RunOptions& options, const std::vector<Files>& all,
                           const std::string& path) {
    RunOptions turn = options;
    turn.load = {all[0].named.name + "=" + path};
    for (std::size_t i = 1; i < all.size(); ++i) {
        auto other = partner(all[i], all[0], path);
        if (!other) return std::unexpected(std::move(other).error());
        turn.load.push_back(all[i].named.name + "=" + *other);
    }
    turn.load.insert(turn.load.end(), options.load.begin(), options.load.end());
    for (std::string& save : turn.save) {
        save = replaced(std::move(save), "{stem}", stem_of(path));
        save = replaced(std::move(save), "{name}", Path(path).filename().string());
    }
    return turn;
}

/// {steam} would be a name like any other.
Result<> check_placeholders(const RunOptions& options) {
    for (const std::string& save : options.save) {
        for (std::size_t open = save.find('{'); open != save.npos;
             open = save.find('{', open + 1)) {
            const std::string word = save.substr(open, save.find('}', open) - open + 1);
            if (word == "{stem}" || word == "{name}" || !word.ends_with('}')) continue;
            return fail(
                Errc::invalid_argument,
                fmt::format("{} in --save {} stands for nothing.", word, save),
                "{stem} is the name of the input without its ending, and {name} all of it.");
        }
    }
    return {};
}

std::string value_of(const std::string& named) { return named.substr(named.find('=') + 1); }

/// No result is written twice, nor over a file that another round reads.
Result<> check_outputs(const std::vector<RunOptions>& turns, std::size_t inputs) {
    std::map<std::string, std::size_t> readers, writers;
    for (std::size_t i = 0; i < turns.size(); ++i) {
        for (std::size_t k = 0; k < inputs; ++k)
            readers.emplace(Path(value_of(turns[i].load[k])).lexically_normal().string(), i);
    }
    for (std::size_t i = 0; i < turns.size(); ++i) {
        const std::string source = value_of(turns[i].load[0]);
        for (const std::string& save : turns[i].save) {
            const std::string path = Path(value_of(save)).lexically_normal().string();
            const auto [writer, is_first] = writers.emplace(path, i);
            if (!is_first && writer->second != i) {
                return fail(Errc::invalid_argument,
                            fmt::format("The results of {} and {} are both to be saved in {}.",
                                        value_of(turns[writer->second].load[0]), source, path),
                            "Give each its own file: {stem} in a path of --save stands for the "
                            "name of the input without its ending, and {name} for all of it.");
            }
            const auto reader = readers.find(path);
            if (reader == readers.end() || reader->second == i) continue;
            return fail(Errc::invalid_argument,
                        fmt::format("The result of {} is to be saved in {}, which is an input.",
                                    source, path),
                        "Save the results in a folder of their own: --save "
                        "data=out/{stem}.npy.");
        }
    }
    return {};
}

std::uint64_t bytes_of(const RunOptions& turn, std::size_t inputs) {
    std::uint64_t bytes = 0;
    for (std::size_t k = 0; k < inputs; ++k) {
        std::error_code failed;
        const auto size = std::filesystem::file_size(value_of(turn.load[k]), failed);
        if (!failed) bytes += size;
    }
    return bytes;
}
} // namespace

Result<Each> Each::find(const RunOptions& options, const Common& common) {
    if (!options.stream.empty()) {
        return fail(Errc::invalid_argument, "Both --each and --stream are given.",
                    "Run --stream on one file after the other, or leave it out: --each holds "
                    "three files at a time.");
    }
    if (auto ok = check_placeholders(options); !ok) return std::unexpected(std::move(ok).error());
    std::vector<Files> all;
    for (const std::string& text : options.each) {
        auto files = find_files(text);
        if (!files) return std::unexpected(std::move(files).error());
        all.push_back(*std::move(files));
    }
    Each each(common);
    for (const std::string& path : all[0].paths) {
        auto turn = turn_of(options, all, path);
        if (!turn) return std::unexpected(std::move(turn).error());
        each.turns_.push_back(*std::move(turn));
    }
    if (auto ok = check_outputs(each.turns_, all.size()); !ok)
        return std::unexpected(std::move(ok).error());
    return each;
}

Result<Plan> Each::widest(std::string wgsl) const {
    const std::size_t inputs = turns_[0].each.size();
    const auto widest = std::max_element(turns_.begin(), turns_.end(),
                                         [&](const RunOptions& a, const RunOptions& b) {
                                             return bytes_of(a, inputs) < bytes_of(b, inputs);
                                         });
    return make_plan(*widest, std::move(wgsl));
}

Result<> Each::use(const Plan& plan) {
    plan_ = &plan;
    said_.insert(plan.notes.begin(), plan.notes.end());
    for (const Slot& slot : plan.slots) {
        if (!slot.varies || slot.origin != "standard input") continue;
        return fail(Errc::invalid_argument,
                    fmt::format("\"{}\" is loaded again for every file, since the shader writes "
                                "it, and standard input is read once.",
                                slot.binding->name),
                    "Give it as a file.");
    }
    return {};
}

std::string Each::label(std::uint64_t number) const {
    return fmt::format("with {} (file {} of {})", value_of(turns_[number].load[0]),
                       count_text(number + 1), count_text(count()));
}

Result<Round> Each::open(std::uint64_t number) {
    auto plan = make_plan(turns_[number], plan_->wgsl, plan_);
    if (!plan) return std::unexpected(std::move(plan).error());
    Round round{.plan = *std::move(plan)};
    round.grid = round.plan->grid;
    for (Slot& slot : round.plan->slots) {
        if (slot.varies) round.parts.push_back({.slot = &slot, .layout = slot.layout});
    }
    return round;
}

Result<> Each::begin(Round& round) {
    for (const std::string& note : round.plan->notes) {
        if (said_.insert(note).second) say(*common_, "note: " + note);
    }
    auto outputs = create_outputs(*round.plan, true);
    if (!outputs) return std::unexpected(std::move(outputs).error());
    round.outputs = *std::move(outputs);
    return {};
}

Result<> Each::save(Round& round, SlotSet& memory) {
    return memory.save(round.outputs, true, false);
}

Result<> Each::end(Round& round) { return commit(round.outputs); }

void Each::show(Progress& progress, std::uint64_t finished) const {
    progress.at(finished, [&] { return fmt::format("{} files", count_text(count())); });
}

} // namespace app
