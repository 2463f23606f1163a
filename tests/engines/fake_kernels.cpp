// SPDX-License-Identifier: MIT
#include "fake_kernels.hpp"

#include <algorithm>
#include <array>
#include <bit>
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
    /// The texture that is bound to a place in group 0.
    [[nodiscard]] const FerryFakeBinding& texture(Word binding) const {
        static constexpr FerryFakeBinding none{};
        for (const auto& bound : std::span(dispatch_.bindings, dispatch_.binding_count)) {
            if (bound.group == 0 && bound.binding == binding && bound.width > 0) return bound;
        }
        ADD_FAILURE() << dispatch_.entry_point << ": no texture is bound to 0." << binding;
        return none;
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

// --- textures: their first level, rows tight

/// Null outside of the texture.
std::byte* texel_at(const FerryFakeBinding& image, std::array<Word, 3> at, Word texel_bytes) {
    if (at[0] >= image.width || at[1] >= image.height || at[2] >= image.layers) return nullptr;
    const std::size_t row = std::size_t{at[2]} * image.height + at[1];
    return static_cast<std::byte*>(image.data) + row * image.bytes_per_row +
           std::size_t{at[0]} * texel_bytes;
}

template <class T>
T value_at(const FerryFakeBinding& image, std::array<Word, 3> at) {
    T value{};
    if (const auto* texel = texel_at(image, at, sizeof(T)))
        std::memcpy(&value, texel, sizeof value);
    return value;
}
void set(const FerryFakeBinding& image, std::array<Word, 3> at, Word value) {
    if (auto* texel = texel_at(image, at, sizeof value)) std::memcpy(texel, &value, sizeof value);
}

/// The bits of the first channel as a shader gets it.
Word load(const FerryFakeBinding& image, std::array<Word, 3> at) {
    const auto bits = [](float value) { return std::bit_cast<Word>(value); };
    switch (image.format) {
    case WGPUTextureFormat_RGBA8Unorm:
        return bits(static_cast<float>(value_at<Word>(image, at) & 0xFF) / 255);
    case WGPUTextureFormat_Depth16Unorm:
        return bits(static_cast<float>(value_at<std::uint16_t>(image, at)) / 65535);
    case WGPUTextureFormat_Depth24PlusStencil8: return value_at<std::uint8_t>(image, at);
    default: return value_at<Word>(image, at);
    }
}

template <class Body>
void for_each_group(const Run& run, Body body) {
    for (Word z = 0; z < run.groups(2); ++z) {
        for (Word y = 0; y < run.groups(1); ++y) {
            for (Word x = 0; x < run.groups(0); ++x) body(std::array<Word, 3>{x, y, z});
        }
    }
}

void load_texels(const Run& run) {
    auto out = run.array<Word>(0, 1).begin();
    for_each_group(run, [&](auto at) { *out++ = load(run.texture(0), at); });
}

void store_places(const Run& run) {
    for_each_group(run,
                   [&](auto at) { set(run.texture(0), at, 1 + at[0] + 16 * at[1] + 256 * at[2]); });
}

void store_colors(const Run& run) {
    for_each_group(run,
                   [&](auto at) { set(run.texture(0), at, at[0] | at[1] << 8 | 0xFFU << 24); });
}

void double_texels(const Run& run) {
    for_each_group(run, [&](auto at) { set(run.texture(0), at, 2 * load(run.texture(0), at)); });
}

void copy_texels(const Run& run) {
    for_each_group(run, [&](std::array<Word, 3> at) {
        set(run.texture(1), at, load(run.texture(0), {2 * at[0], 2 * at[1], 0}));
    });
}

void write_width(const Run& run) { run.array<Word>(0, 1)[0] = run.texture(0).width; }

void draw_disc(const Run& run) {
    const FerryFakeBinding& image = run.texture(0);
    Word inside = 0;
    for (Word y = 0; y < image.height; ++y) {
        for (Word x = 0; x < image.width; ++x) {
            const float dx = static_cast<float>(x) + 0.5f - static_cast<float>(image.width) / 2;
            const float dy = static_cast<float>(y) + 0.5f - static_cast<float>(image.height) / 2;
            const bool filled = dx * dx + dy * dy < 100;
            inside += filled ? 1 : 0;
            set(image, {x, y, 0}, filled ? 0xFF00CCFFU : 0xFF000000U);
        }
    }
    run.array<Word>(0, 1)[0] += inside;
}

/// src/commands/batch_pass.cpp
void move_words(const Run& run) {
    const auto pieces = run.array<const Word>(0, 0);
    const auto source = run.array<const Word>(0, 1);
    const auto target = run.array<Word>(0, 2);
    for (std::size_t at = 0; at + 2 < pieces.size(); at += 3) {
        for (Word word = 0; word < pieces[at + 2]; ++word)
            target[pieces[at + 1] + word] = source[pieces[at] + word];
    }
}

void count_visible(const Run& run) {
    const auto view = run.array<Word>(0, 0);
    for (Word at : run.array<Word>(0, 1))
        run.array<Word>(0, 2)[0] += at >= view[0] && at < view[1] ? 1U : 0U;
}

void measure_luminance(const Run& run) {
    const FerryFakeBinding& picture = run.texture(0);
    const float exposure = run.array<float>(0, 1)[0];
    for (Word y = 0; y < picture.height; ++y) {
        for (Word x = 0; x < picture.width; ++x) {
            const float luminance = std::bit_cast<float>(load(picture, {x, y, 0})) * exposure;
            ++run.array<Word>(0, 2)[std::min<Word>(static_cast<Word>(luminance * 16), 15)];
        }
    }
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
    {"main", "let loaded = textureLoad(image, ", load_texels},
    {"main", "1u + id.x + 16u * id.y + 256u * id.z", store_places},
    {"main", "vec4f(f32(id.x) / 255.0, f32(id.y) / 255.0, 0.0, 1.0)", store_colors},
    {"main", "textureLoad(image, id.xy) * 2u", double_texels},
    {"main", "textureLoad(source, id.xy * 2u, 0)", copy_texels},
    {"main", "texels[0] = textureDimensions(image)", write_width},
    {"move_words", "source[piece.in_source + word]", move_words},
    {"disc", "select(vec4f(0, 0, 0, 1), vec4f(1, 0.8, 0, 1), filled)", draw_disc},
    {"count_visible", "at >= view.nearest && at < view.farthest", count_visible},
    {"measure", "min(u32(luminance * 16.0), 15u)", measure_luminance},
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
