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
    std::vector<std::string> stream{}; ///< names
    std::string chunk{};
    std::vector<std::string> each{};
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
    std::optional<Picture> picture{};           ///< of a texture
    std::vector<std::byte> preset{};            ///< of --set: the whole buffer
    std::vector<std::string> members{};         ///< of --set: the members that were given
    std::vector<std::string> saves{};           ///< paths
    std::vector<PictureFile> kinds{};           ///< of those paths, for a texture
    bool varies = false;                        ///< each round has its own data: a chunk, or a file
    std::optional<std::uint64_t> chunk_first{}; ///< where in `preset` a chunk's first row stands
};

/// How streamed arrays are cut: along their first axis, which all of them have in common.
struct Cut {
    std::uint64_t rows = 0;
    std::uint64_t chunk_rows = 0; ///< the last chunk may have fewer
    [[nodiscard]] std::uint64_t chunks() const noexcept {
        return rows / chunk_rows + (rows % chunk_rows == 0 ? 0 : 1);
    }
};

/// Everything that a run is, worked out and checked without a GPU.
struct Plan {
    std::string wgsl{};
    ferry::ShaderInfo info{};
    const ferry::EntryPoint* entry = nullptr;
    std::vector<Slot> slots{};
    std::vector<std::pair<std::string, double>> constants{};
    std::optional<Cut> cut{};
    ferry::DispatchOptions grid{};
    const ferry::ShaderBinding* counted = nullptr; ///< the array whose elements are the threads
    ferry::Limits limits{}; ///< what has to be asked for, where it is over the default
    std::vector<ferry::Feature> features{};
    std::vector<std::string> notes{}; ///< what the user should know though nothing is wrong

    Plan() = default;
    Plan(Plan&&) =
        default; // `entry`, `binding` and `counted` point into `info`, whose lists keep their place
    Plan& operator=(Plan&&) = default;
};

/// The text of the shader.
[[nodiscard]] Result<std::string> read_shader(const RunOptions& options);

/// `before`: of an earlier round; what does not vary is not opened again.
[[nodiscard]] Result<Plan> make_plan(const RunOptions& options, std::string wgsl,
                                     const Plan* before = nullptr);

/// The part of it that opens files: every binding of the entry point gets its data, every result
/// its place.
[[nodiscard]] Result<> fill_slots(Plan& plan, const RunOptions& options, const Plan* before);

/// Its part for `--stream`: which slots are cut, and where. Their layouts become those of a chunk.
[[nodiscard]] Result<> cut_streams(Plan& plan, const RunOptions& options);
/// Whether it is an array that can be cut.
[[nodiscard]] Result<> check_streams(const Plan& plan, const ferry::ShaderBinding& binding);
/// An array that nobody fills is an output, as long as the input that is streamed.
[[nodiscard]] Result<> size_stream(Plan& plan, const ferry::ShaderBinding& binding,
                                   const RunOptions& options);
/// The slot of the input that sizes follow from.
[[nodiscard]] Result<const Slot*> leading_input(const Plan& plan, const RunOptions& options);
/// The array that `--zero NAME=VALUE` asks for.
[[nodiscard]] Result<Array> zeros_for(const Plan& plan, const RunOptions& options, const Slot& slot,
                                      const std::string& value);
/// A uniform, or a member of one, that is named chunk_first gets the number of a chunk's first row.
[[nodiscard]] Result<> add_chunk_first(Plan& plan);

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

/// The value of a binding before anything in it is set.
[[nodiscard]] Result<Slot> zeros_to_set(const ferry::ShaderBinding& binding);

/// One `--set NAME=VALUE`: an override, or a value inside a buffer.
[[nodiscard]] Result<> apply_setting(Plan& plan, const std::string& text);

/// "data" (@group(0) @binding(0), array<f32>)
[[nodiscard]] std::string binding_text(const ferry::ShaderBinding& binding);

} // namespace app
