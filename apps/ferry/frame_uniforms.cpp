// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "record_plan.hpp"

namespace app {

using ferry::ShaderBinding;
using ferry::WgslType;

namespace {
constexpr const char* takes = "time: f32, frame: u32, resolution: vec2f or vec2u";

/// What a variable or member of that name is filled with; nothing for other names.
Result<std::optional<FrameValue>> value_for(std::string_view name, const WgslType& type,
                                            std::uint64_t offset_bytes) {
    using What = FrameValue::What;
    const auto is = [&](ScalarKind scalar, std::uint32_t rows) {
        return type.scalar == scalar && type.rows == rows && type.columns == 1 && !type.is_array;
    };
    std::optional<What> what;
    if (name == "time" && is(ScalarKind::f32, 1)) what = What::time;
    if (name == "frame" && is(ScalarKind::u32, 1)) what = What::frame;
    if (name == "resolution" && is(ScalarKind::f32, 2)) what = What::resolution_f32;
    if (name == "resolution" && is(ScalarKind::u32, 2)) what = What::resolution_u32;
    if (what) return FrameValue{*what, offset_bytes};
    const bool a_struct = type.scalar == ScalarKind::none;
    if (a_struct || (name != "time" && name != "frame" && name != "resolution"))
        return std::nullopt;
    return fail(
        Errc::invalid_argument,
        fmt::format("The uniform {} is {}, which ferry record does not give it.", name, type.name),
        fmt::format("Declare it as one of these: {}.", takes));
}

Result<> add_value(FrameUniform& uniform, std::vector<std::string>& notes, std::string_view name,
                   const WgslType& type, std::uint64_t offset_bytes) {
    auto value = value_for(name, type, offset_bytes);
    if (!value) return std::unexpected(std::move(value).error());
    if (*value) {
        uniform.values.push_back(**value);
    } else {
        notes.push_back(fmt::format("{} is not set and stays 0", name));
    }
    return {};
}

Result<FrameUniform> values_of(const ShaderBinding& binding, std::vector<std::string>& notes) {
    FrameUniform uniform{.binding = &binding, .values = {}};
    const WgslType& type = binding.type;
    if (type.members.empty() || type.is_array) {
        if (auto ok = add_value(uniform, notes, binding.name, type, 0); !ok)
            return std::unexpected(std::move(ok).error());
        return uniform;
    }
    for (const ferry::WgslMember& each : type.members) {
        if (auto ok = add_value(uniform, notes, each.name, each.type, each.offset_bytes); !ok)
            return std::unexpected(std::move(ok).error());
    }
    return uniform;
}

template <class Number>
void put(std::byte* target, Number value) {
    std::memcpy(target, &value, sizeof value);
}

template <class Number>
void put_size(std::byte* target, const RecordPlan& plan) {
    put(target, static_cast<Number>(plan.width));
    put(target + sizeof(Number), static_cast<Number>(plan.height));
}
} // namespace

Result<> find_uniforms(RecordPlan& plan) {
    for (const std::size_t index : plan.shader.entry->bindings) {
        const ShaderBinding& binding = plan.shader.info.bindings[index];
        if (&binding == plan.target) continue;
        if (binding.kind != ferry::BindingKind::uniform_buffer) {
            return fail(
                Errc::unsupported,
                fmt::format("The shader uses {}, and ferry record has nothing for it.",
                            binding_text(binding)),
                fmt::format("It gives uniforms alone: {}. Compute the picture from them.", takes));
        }
        auto uniform = values_of(binding, plan.shader.notes);
        if (!uniform) {
            return within(std::move(uniform).error(), fmt::format("in {}", binding_text(binding)));
        }
        plan.uniforms.push_back(*std::move(uniform));
    }
    return {};
}

void fill_uniform(const RecordPlan& plan, const FrameUniform& uniform, std::uint64_t frame,
                  std::vector<std::byte>& bytes) {
    bytes.assign((uniform.binding->type.size_bytes + 3) / 4 * 4, std::byte{0});
    for (const FrameValue& value : uniform.values) {
        std::byte* const target = bytes.data() + value.offset_bytes;
        const double seconds =
            static_cast<double>(frame) * plan.rate.seconds / static_cast<double>(plan.rate.frames);
        switch (value.what) {
        case FrameValue::What::time: put(target, static_cast<float>(seconds)); break;
        case FrameValue::What::frame: put(target, static_cast<std::uint32_t>(frame)); break;
        case FrameValue::What::resolution_f32: put_size<float>(target, plan); break;
        case FrameValue::What::resolution_u32: put_size<std::uint32_t>(target, plan); break;
        }
    }
}

} // namespace app
