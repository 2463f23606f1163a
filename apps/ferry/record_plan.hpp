// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "plan.hpp"
#include "y4m.hpp"

namespace app {

/// What the command line of `ferry record` says, as text and numbers.
struct RecordOptions {
    std::string shader{};
    std::string output{};
    std::string entry{};
    std::string size = "1280x720";
    std::string fps = "30";
    std::string format{};
    std::uint64_t frames = 120;
    std::uint32_t slots = 4;
};

enum class FilmFormat : std::uint8_t { y4m, png, raw };
[[nodiscard]] const char* name(FilmFormat format) noexcept;

/// A value that changes from frame to frame, and where a shader wants it.
struct FrameValue {
    enum class What : std::uint8_t { time, frame, resolution_f32, resolution_u32 };
    What what = What::time;
    std::uint64_t offset_bytes = 0;
};

/// A uniform of the shader.
struct FrameUniform {
    const ferry::ShaderBinding* binding = nullptr;
    std::vector<FrameValue> values{};
};

/// A recording, worked out and checked without a GPU.
struct RecordPlan {
    Plan shader{};
    std::vector<FrameUniform> uniforms{};
    const ferry::ShaderBinding* target = nullptr; ///< of a compute shader: what it writes
    std::uint32_t width = 0, height = 0;
    FrameRate rate{};
    std::uint64_t frames = 0;
    std::uint32_t slots = 0;
    FilmFormat format = FilmFormat::y4m;
    std::string output{};

    [[nodiscard]] bool is_compute() const noexcept { return target != nullptr; }
    [[nodiscard]] std::uint64_t frame_bytes() const noexcept {
        return std::uint64_t{4} * width * height;
    }
};

[[nodiscard]] Result<RecordPlan> make_record_plan(const RecordOptions& options);

/// "30", "29.97" and "30000/1001".
[[nodiscard]] Result<FrameRate> parse_rate(std::string_view text);

/// Finds time, frame and resolution in the uniforms that the entry point uses; notes what stays 0.
[[nodiscard]] Result<> find_uniforms(RecordPlan& plan);

/// The bytes of a uniform in one frame. `bytes` keeps its memory.
void fill_uniform(const RecordPlan& plan, const FrameUniform& uniform, std::uint64_t frame,
                  std::vector<std::byte>& bytes);

} // namespace app
