// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "array.hpp"
#include "common.hpp"
#include "ferry/commands.hpp"
#include "ferry/limits.hpp"
#include "ferry/shader.hpp"
#include "files.hpp"
#include "layout.hpp"
#include "npy.hpp"
#include "picture.hpp"

namespace app {

/// What the command line of `ferry run` says, as text.
struct RunOptions {
    std::string shader{};
    std::vector<std::string> load{};
    std::vector<std::string> zero{};
    std::vector<std::string> set{};
    std::vector<std::string> save{};
    std::string entry{};
    std::string threads{};
    std::string groups{};
};

/// An array in a file, its header read.
struct LoadFile {
    Input input;
    NpyHeader header;
};

/// A binding of the shader and what is in it.
struct Slot {
    const ferry::ShaderBinding* binding = nullptr;
    std::string origin{}; ///< "in.npy", "--zero", "--set"
    Array array{};        ///< what is saved has this dtype and shape
    Layout layout{};
    std::optional<LoadFile> file{};
    std::optional<Picture> picture{};   ///< of a texture
    std::vector<std::byte> preset{};    ///< of --set: the whole buffer
    std::vector<std::string> members{}; ///< of --set: the members that were given
    std::vector<std::string> saves{};   ///< paths
    std::vector<PictureFile> kinds{};   ///< of those paths, for a texture
};

/// Everything that a run is, worked out and checked without a GPU.
struct Plan {
    std::string wgsl{};
    ferry::ShaderInfo info{};
    const ferry::EntryPoint* entry = nullptr;
    std::vector<Slot> slots{};
    std::vector<std::pair<std::string, double>> constants{};
    ferry::DispatchOptions grid{};
    ferry::Limits limits{}; ///< what has to be asked for, where it is over the default
    std::vector<ferry::Feature> features{};
    std::vector<std::string> notes{}; ///< what the user should know though nothing is wrong

    Plan() = default;
    Plan(Plan&&) = default; // `entry` and `binding` point into `info`, whose lists keep their place
    Plan& operator=(Plan&&) = default;
};

[[nodiscard]] Result<Plan> make_plan(const RunOptions& options);

/// The part of it that opens files: every binding of the entry point gets its data, every result
/// its place.
[[nodiscard]] Result<> fill_slots(Plan& plan, const RunOptions& options);

/// Its parts for textures: data from a file, zeros of a size, a place for the result.
[[nodiscard]] Result<> fill_picture(Plan& plan, Slot& slot, const std::string& path);
[[nodiscard]] Result<> zero_picture(Slot& slot, const std::string& size);
/// Gives a texture that the shader writes, and that nobody filled, the size of the images loaded.
[[nodiscard]] Result<> size_picture(Plan& plan, const ferry::ShaderBinding& binding);
[[nodiscard]] Result<> add_picture_save(Slot& slot, const std::string& path);
/// A thread for each texel of the image that comes out, or of the one that goes in; nothing without
/// images.
[[nodiscard]] std::optional<ferry::Grid> picture_grid(const Plan& plan, bool flat_workgroups);

/// The binding that the user means: by name or place, those of the entry point first.
[[nodiscard]] Result<const ferry::ShaderBinding*> find_binding(const Plan& plan,
                                                               std::string_view name);
[[nodiscard]] bool uses(const Plan& plan, const ferry::ShaderBinding& binding);
[[nodiscard]] Slot* find_slot(Plan& plan, const ferry::ShaderBinding& binding);

/// One `--set NAME=VALUE`: an override, or a value inside a buffer.
[[nodiscard]] Result<> apply_setting(Plan& plan, const std::string& text);

/// "data" (@group(0) @binding(0), array<f32>)
[[nodiscard]] std::string binding_text(const ferry::ShaderBinding& binding);

} // namespace app
