// SPDX-License-Identifier: MIT
// The sizes of what is not loaded: they follow from what is, or from --zero.
#include <fmt/format.h>

#include "arguments.hpp"
#include "plan.hpp"

namespace app {

using ferry::BindingKind;
using ferry::ShaderBinding;

namespace {
Result<bool> is_streamed(const Plan& plan, const RunOptions& options,
                         const ShaderBinding& binding) {
    for (const std::string& name : options.stream) {
        auto each = find_binding(plan, name);
        if (!each) return within(std::move(each).error(), "in --stream " + name);
        if (*each == &binding) return true;
    }
    return false;
}

/// An array with an element for each element of the input.
Result<Array> as_input(const Plan& plan, const RunOptions& options, const Slot& slot,
                       const Array& element) {
    auto input = leading_input(plan, options);
    if (!input) return std::unexpected(std::move(input).error());
    if (*input == nullptr || !slot.binding->type.runtime_sized) {
        return fail(Errc::invalid_argument,
                    fmt::format("{} takes its length from the array that is loaded, and {}.",
                                slot.origin,
                                *input == nullptr ? "there is none"
                                                  : "the length of the shader's type is fixed"),
                    "Write the length between the brackets: f32[1024].");
    }
    const Slot& model = **input;
    Array array{element.dtype, axes_of_elements(*model.binding, model.array, model.layout)};
    array.shape.insert(array.shape.end(), element.shape.begin(), element.shape.end());
    if (auto ok = check_size(array); !ok) return std::unexpected(std::move(ok).error());
    return array;
}
} // namespace

Result<Array> zeros_for(const Plan& plan, const RunOptions& options, const Slot& slot,
                        const std::string& value) {
    auto spec = parse_zero(value);
    if (!spec) return std::unexpected(std::move(spec).error());
    if (spec->as_input) return as_input(plan, options, slot, *spec->array);
    if (spec->array) return *std::move(spec->array);
    return natural_array(*slot.binding, spec->bytes);
}

Result<const Slot*> leading_input(const Plan& plan, const RunOptions& options) {
    for (const Slot& slot : plan.slots) {
        if (!slot.file) continue;
        auto streamed = is_streamed(plan, options, *slot.binding);
        if (!streamed) return std::unexpected(std::move(streamed).error());
        if (*streamed || options.stream.empty()) return &slot;
    }
    return nullptr;
}

Result<> size_stream(Plan& plan, const ShaderBinding& binding, const RunOptions& options) {
    auto streamed = is_streamed(plan, options, binding);
    if (!streamed) return std::unexpected(std::move(streamed).error());
    if (!*streamed || binding.kind != BindingKind::storage_buffer) return {};
    if (auto ok = check_streams(plan, binding); !ok) return ok;
    auto input = leading_input(plan, options);
    if (!input) return std::unexpected(std::move(input).error());
    if (*input == nullptr) return {};
    const Slot& model = **input;
    Array array =
        array_of_elements(binding, axes_of_elements(*model.binding, model.array, model.layout));
    auto layout = fit(binding, array);
    if (!layout) return std::unexpected(std::move(layout).error());
    plan.slots.push_back(
        Slot{.binding = &binding,
             .origin = fmt::format("zeros, as many as \"{}\"", model.binding->name),
             .array = std::move(array),
             .layout = *layout});
    return {};
}

} // namespace app
