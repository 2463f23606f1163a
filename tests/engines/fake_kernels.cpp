// SPDX-License-Identifier: MIT
#include "fake_kernels.hpp"

#include <array>
#include <cstring>
#include <span>
#include <string_view>

#include <gtest/gtest.h>

namespace ferry::test {
namespace {

using Word = std::uint32_t;

/// One dispatch. Out of a buffer's bounds nothing is written and zero is read, as WGSL allows.
class Run {
public:
    explicit Run(const FerryFakeDispatch& dispatch) : dispatch_(dispatch) {}

    template <class T>
    [[nodiscard]] std::span<T> array(Word group, Word binding) const {
        for (const auto& bound : std::span(dispatch_.bindings, dispatch_.binding_count)) {
            if (bound.group == group && bound.binding == binding)
                return {static_cast<T*>(bound.data), bound.size / sizeof(T)};
        }
        ADD_FAILURE() << dispatch_.entry_point << ": nothing is bound to " << group << '.'
                      << binding;
        return {};
    }
    [[nodiscard]] double constant(std::string_view key, double value) const {
        for (const auto& each : std::span(dispatch_.constants, dispatch_.constant_count)) {
            if (key == each.key) value = each.value;
        }
        return value;
    }
    [[nodiscard]] Word groups(std::size_t axis) const { return dispatch_.workgroups[axis]; }
    [[nodiscard]] Word groups() const { return groups(0) * groups(1) * groups(2); }

private:
    const FerryFakeDispatch& dispatch_;
};

void twice(const Run& run) {
    const auto data = run.array<float>(0, 0);
    for (std::size_t i = 0; i < data.size() && i < run.groups(0) * std::size_t{64}; ++i)
        data[i] *= 2;
}

void count_groups(const Run& run) {
    const auto seen = run.array<Word>(0, 0);
    for (std::size_t axis = 0; axis < 3; ++axis) seen[axis] = run.groups(axis);
    seen[3] += 8 * run.groups();
}

void two_buffers(const Run& run) {
    const auto source = run.array<const Word>(0, 0);
    const auto target = run.array<Word>(0, 1);
    for (std::size_t i = 0; i < run.groups(0) && i < target.size(); ++i)
        target[i] = (i < source.size() ? source[i] : 0) + 1;
}

void slow(const Run& run) { run.array<Word>(0, 0)[0] = 7; }

void copy_vertices(const Run& run) {
    const auto vertices = run.array<const Word>(0, 0);
    const auto seen = run.array<Word>(0, 1);
    for (std::size_t i = 0; i < 64; ++i) seen[i] = vertices[i];
}

void early_to_late(const Run& run) { run.array<Word>(2, 5)[0] = run.array<const Word>(0, 3)[0]; }

void scale_and_offset(const Run& run) {
    const auto settings = run.array<const float>(0, 0);
    const auto data = run.array<float>(0, 1);
    for (std::size_t i = 0; i < run.groups(0) && i < data.size(); ++i)
        data[i] = static_cast<float>(i) * settings[0] + settings[1];
}

void write_constants(const Run& run) {
    const auto values = run.array<Word>(0, 0);
    const double value = run.constant("scale", 3) * 10 + run.constant("7", 1);
    for (std::size_t i = 0; i < static_cast<std::size_t>(run.constant("width", 2)); ++i)
        values[i] = static_cast<Word>(value);
}

template <Word Value, Word Binding = 0>
void write_first(const Run& run) {
    run.array<Word>(0, Binding)[0] = Value;
}

/// examples/compute_builtins.cpp: workgroup, index, local, global and number of workgroups.
void write_builtins(const Run& run) {
    const auto seen = run.array<Word>(0, 0);
    for (Word thread = 0; thread < run.groups() * 24; ++thread) {
        const Word group = thread / 24, index = thread % 24;
        const std::array<Word, 3> g{group % run.groups(0), group / run.groups(0) % run.groups(1),
                                    group / (run.groups(0) * run.groups(1))};
        const std::array<Word, 3> l{index % 2, index / 2 % 3, index / 6};
        const std::array<Word, 16> words{g[0],
                                         g[1],
                                         g[2],
                                         index,
                                         l[0],
                                         l[1],
                                         l[2],
                                         0,
                                         g[0] * 2 + l[0],
                                         g[1] * 3 + l[1],
                                         g[2] * 4 + l[2],
                                         0,
                                         run.groups(0),
                                         run.groups(1),
                                         run.groups(2),
                                         0};
        std::memcpy(&seen[thread * 16], words.data(), sizeof words);
    }
}

/// examples/gpu_done.cpp
void count_threads(const Run& run) { run.array<Word>(0, 0)[0] += 64 * run.groups(); }

/// examples/pick_object.cpp: painted once, shown often.
std::array<Word, 640 * 480> paint() {
    std::array<Word, 640 * 480> ids{};
    const auto disc = [&](int center_x, int center_y, int radius, Word id) {
        for (int dy = 1 - radius; dy < radius; ++dy) {
            for (int dx = 1 - radius; dx < radius; ++dx) {
                if (dx * dx + dy * dy < radius * radius)
                    ids[static_cast<std::size_t>((center_y + dy) * 640 + center_x + dx)] = id;
            }
        }
    };
    disc(200, 240, 120, 11);
    disc(320, 240, 90, 12);
    disc(500, 100, 60, 13);
    return ids;
}
void paint_ids(const Run& run) {
    static const std::array<Word, 640 * 480> picture = paint();
    std::memcpy(run.array<Word>(0, 0).data(), picture.data(), sizeof picture);
}

/// examples/uniform_born_with_data.cpp
void show_uniform(const Run& run) {
    const auto numbers = run.array<const float>(0, 0);
    const auto shown = run.array<float>(0, 1);
    for (std::size_t i = 0; i < 4; ++i) shown[i] = numbers[i];
}

struct HostKernel {
    std::string_view entry;
    std::string_view code; ///< a part of its WGSL that no other has
    void (*run)(const Run&);
};

constexpr HostKernel kernels[] = {
    {"main", "data[id.x] = data[id.x] * 2.0;", twice},
    {"main", "data[id.x] *= 2.0;", twice},
    {"main", "atomicAdd(&seen.threads, 1u);", count_groups},
    {"main", "target_[id.x] = source[id.x] + 1u;", two_buffers},
    {"main", "result[0] = 7u;", slow},
    {"main", "seen[id.x] = vertices[id.x];", copy_vertices},
    {"main", "late[0] = early[0];", early_to_late},
    {"main", "f32(id.x) * settings.scale + settings.offset;", scale_and_offset},
    {"main", "values[at] = scale * 10u + offset;", write_constants},
    {"one", "values[0] = 1u;", write_first<1>},
    {"other", "values[0] = 2u;", write_first<2>},
    {"third", "unused[0] = 2u;", write_first<2, 1>},
    {"main", "Seen(group, index, local, global, groups)", write_builtins},
    {"main", "atomicAdd(&total, 1u);", count_threads},
    {"main", "ids[at.y * 640u + at.x] = id;", paint_ids},
    {"main", "shown = numbers;", show_uniform},
};

} // namespace

void run_on_host(const FerryFakeDispatch* dispatch, void*) {
    const Run run(*dispatch);
    if (run.groups() == 0) return;
    const std::string_view code = dispatch->code;
    for (const auto& kernel : kernels) {
        if (kernel.entry == dispatch->entry_point && code.find(kernel.code) != code.npos)
            return kernel.run(run);
    }
    ADD_FAILURE() << "no host function for the entry point " << dispatch->entry_point << " of\n"
                  << code;
}

} // namespace ferry::test
