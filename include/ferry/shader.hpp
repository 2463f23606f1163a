// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ferry/error.hpp"
#include "ferry/export.hpp"

/// What a WGSL text asks of its host: bindings with their memory layout, override constants, entry
/// points. Reading it needs no GPU, no engine and no device; nothing here blocks, prints or throws
/// on its own.
///
///     auto info = ferry::scan_wgsl(wgsl).value();
///     for (const ferry::ShaderBinding& each : info.bindings)
///         use(each.name, each.group, each.binding, each.type.element_stride_bytes);
///     auto size = ferry::workgroup_size(info, info.entry_points.at(0), {}).value();
///
/// It is a scan, not a compiler: it reads declarations and skips over what it does not need. A text
/// that scans may still be refused by the engine, whose messages carry the compiler's reason.
namespace ferry {

/// How a module-scope variable is bound.
enum class BindingKind : std::uint8_t {
    uniform_buffer,           ///< var<uniform>
    storage_buffer,           ///< var<storage, read_write>
    read_only_storage_buffer, ///< var<storage> and var<storage, read>
    sampler,                  ///< sampler, sampler_comparison
    texture,                  ///< sampled, multisampled and depth textures
    storage_texture,          ///< texture_storage_*
    external_texture,         ///< texture_external
};

/// The scalar that a type is made of; `none` for structs, samplers and textures.
enum class ScalarKind : std::uint8_t { none, boolean, i32, u32, f32, f16 };

struct WgslMember;

/// A type, flattened enough to check an array of host values against it. Sizes and offsets follow
/// WGSL's alignment and size rules for host-shareable types; they are 0 for samplers and textures.
struct WgslType {
    std::string name{};                     ///< as written, aliases kept: "array<vec4<f32>, 16>"
    ScalarKind scalar = ScalarKind::none;   ///< of a scalar, vector, matrix or array of those
    std::uint32_t columns = 1;              ///< of a matrix
    std::uint32_t rows = 1;                 ///< vector components: 1 for a scalar, else 2 to 4
    bool atomic = false;                    ///< atomic<T>, also as the element of an array
    std::uint64_t size_bytes = 0;           ///< of a runtime-sized type the part before its array
    std::uint64_t align_bytes = 0;          ///< what an offset of this type is a multiple of
    std::uint64_t element_stride_bytes = 0; ///< arrays: bytes from one element to the next
    std::uint64_t element_count = 0;        ///< arrays: number of elements, 0 when runtime-sized
    bool is_array = false;
    bool runtime_sized = false;          ///< array<T>, or a struct that ends with one
    std::uint64_t min_binding_bytes = 0; ///< smallest legal binding: one element if runtime-sized
    std::vector<WgslMember> members;     ///< of a struct, or of one element of an array of structs
};

/// One member of a struct.
struct WgslMember {
    std::string name{};
    std::uint64_t offset_bytes = 0; ///< from the start of the struct; heeds @align and @size
    WgslType type{};
};

/// The shape of a texture view that a texture binding takes.
enum class TextureShape : std::uint8_t { d1, d2, d2_array, cube, cube_array, d3 };

/// What a shader does with a storage texture.
enum class TextureAccess : std::uint8_t { none, read, write, read_write };

/// The view that a texture binding takes; of meaning for `texture` and `storage_texture` only.
struct WgslTexture {
    TextureShape shape = TextureShape::d2;
    ScalarKind sample = ScalarKind::none;       ///< what a load gives: f32, i32 or u32
    bool depth = false;                         ///< texture_depth_*
    bool multisampled = false;                  ///< texture_multisampled_2d and its depth twin
    std::string format{};                       ///< storage textures: "rgba8unorm"
    TextureAccess access = TextureAccess::none; ///< storage textures
};

/// One resource variable of the module, whether or not an entry point uses it.
struct ShaderBinding {
    std::string name{};        ///< the variable's name
    std::uint32_t group = 0;   ///< @group
    std::uint32_t binding = 0; ///< @binding
    BindingKind kind = BindingKind::uniform_buffer;
    WgslType type{};
    WgslTexture texture{};
    bool comparison = false; ///< sampler_comparison
    std::uint32_t line = 0;  ///< of the name, counted from 1
};

/// One pipeline-overridable constant.
struct OverrideConstant {
    std::string name{};
    std::optional<std::uint32_t> id{};     ///< @id, when given
    ScalarKind scalar = ScalarKind::none;  ///< as declared, or as the default implies
    bool has_default = false;              ///< without one, a pipeline that uses it must set it
    std::string default_text{};            ///< the default as written
    std::optional<double> default_value{}; ///< when no other override decides it; true is 1

    /// The only key under which engines know it: the id in decimal if there is one, else the name.
    [[nodiscard]] FERRY_API std::string key() const;
};

/// One module-scope `const`.
struct ModuleConstant {
    std::string name{};
    ScalarKind scalar = ScalarKind::none;
    std::optional<double> value{}; ///< when it is a number that the scan can work out
};

/// What an entry point is for.
enum class ShaderStage : std::uint8_t { vertex, fragment, compute };

/// One entry point. The workgroup members are empty when it is not a compute one. Indices point
/// into the `ShaderInfo` that it stands in, in rising order; they list what the entry point and any
/// function that it may call uses.
struct EntryPoint {
    std::string name{};
    ShaderStage stage = ShaderStage::compute;
    std::array<std::optional<std::uint32_t>, 3> workgroup_size{}; ///< empty: an override decides it
    std::array<std::string, 3> workgroup_text{};                  ///< as written; "1" if left out
    std::vector<std::size_t> bindings{};                          ///< into ShaderInfo::bindings
    std::vector<std::size_t> overrides{};                         ///< into ShaderInfo::overrides
    std::uint32_t line = 0;                                       ///< of the name, counted from 1
};

/// All that a WGSL module declares towards its host, each list in the order of the text. A plain
/// value that refers to nothing: the text may go away.
struct ShaderInfo {
    std::vector<ShaderBinding> bindings{};
    std::vector<OverrideConstant> overrides{};
    std::vector<EntryPoint> entry_points{};
    std::vector<ModuleConstant> constants{};
    std::vector<std::string> enables{};      ///< `enable`: device features to ask for, "f16"
    std::vector<std::string> requirements{}; ///< `requires`: language features

    /// The binding of that variable name, or of that place: "data" or "0.1". Null when there is
    /// none; the first one when entry points use one place differently. The pointer is good until
    /// `bindings` changes.
    [[nodiscard]] FERRY_API const ShaderBinding* find(std::string_view name_or_place) const;

    /// The entry point of that name, or null.
    [[nodiscard]] FERRY_API const EntryPoint* find_entry_point(std::string_view name) const;
};

/// Reads a WGSL text of at most 4 MiB.
///
/// Use of a binding is found by name, where no local declaration hides it: a text that compiles
/// uses no binding that is not listed. Branches that are never taken count as use, as for the
/// engines.
///
/// Errors, with line and column in `what` and the source line in `trail`:
/// - invalid_argument: a comment or bracket that is never closed; a binding whose type, group or
///   number cannot be worked out or does not fit 32 bits; two variables at one place in one entry
///   point; a workgroup size that is not positive; text that is not UTF-8.
/// - unsupported: binding arrays, which WebGPU does not have.
/// - limit_exceeded: a longer text; over 1,024 entry points, 4,096 bindings or 64 levels of
///   nesting in a type or expression.
[[nodiscard]] FERRY_API Result<ShaderInfo> scan_wgsl(std::string_view source);

/// Works out the workgroup size of a compute entry point of `info`. `constants` set overrides, by
/// name or by id in decimal; the others keep their defaults.
///
/// Errors: invalid_argument for an entry point that is not a compute one, a constant that the
/// module does not have or whose type cannot hold the value, an override that has no value, a size
/// that is not from 1 to 2^32 - 1; unsupported for a size written in a way that the scan does not
/// read.
[[nodiscard]] FERRY_API Result<std::array<std::uint32_t, 3>> workgroup_size(
    const ShaderInfo& info, const EntryPoint& entry_point,
    std::span<const std::pair<std::string, double>> constants);

} // namespace ferry
