// SPDX-License-Identifier: MIT
// Which texture gets which image, of which size are those that nobody fills, and where images go.
#include <algorithm>

#include <fmt/format.h>

#include "arguments.hpp"
#include "plan.hpp"
#include "text.hpp"

namespace app {

using ferry::ShaderBinding;

namespace {
void set_picture(Slot& slot, Picture picture) {
    slot.array = picture.array(slot.binding->texture.shape == ferry::TextureShape::d2_array);
    slot.layout = picture.layout();
    slot.picture.emplace(std::move(picture));
}
} // namespace

Result<> fill_picture(Plan& plan, Slot& slot, const std::string& path) {
    auto input = Input::open(path);
    if (!input) return std::unexpected(std::move(input).error());
    auto picture = load_picture(*slot.binding, *input, plan.notes);
    if (!picture) return std::unexpected(std::move(picture).error());
    set_picture(slot, *std::move(picture));
    return {};
}

Result<> zero_picture(Slot& slot, const std::string& size) {
    if (slot.binding->kind == ferry::BindingKind::texture) {
        return fail(Errc::invalid_argument,
                    fmt::format("Binding {} is only read, so zeros say nothing.",
                                binding_text(*slot.binding)),
                    fmt::format("Load an image: --load {}=FILE.png.", slot.binding->name));
    }
    auto extent = parse_extent(size);
    if (!extent) return std::unexpected(std::move(extent).error());
    auto picture = empty_picture(*slot.binding, *extent);
    if (!picture) return std::unexpected(std::move(picture).error());
    set_picture(slot, *std::move(picture));
    return {};
}

Result<> size_picture(Plan& plan, const ShaderBinding& binding) {
    const Slot* model = nullptr;
    for (const Slot& each : plan.slots) {
        if (!each.picture || !uses(plan, *each.binding)) continue;
        if (model == nullptr) {
            model = &each;
        } else if (model->picture->size.width != each.picture->size.width ||
                   model->picture->size.height != each.picture->size.height) {
            return fail(Errc::invalid_argument,
                        fmt::format("The size of {} is not known: \"{}\" is {} and \"{}\" is {}.",
                                    binding_text(binding), model->binding->name,
                                    extent_text(model->picture->size), each.binding->name,
                                    extent_text(each.picture->size)),
                        fmt::format("Say it: --zero {}={}x{}.", binding.name,
                                    model->picture->size.width, model->picture->size.height));
        }
    }
    if (model == nullptr) return {};
    ferry::Extent3D size = model->picture->size;
    if (binding.texture.shape == ferry::TextureShape::d2) size.depth_or_array_layers = 1;
    auto picture = empty_picture(binding, size);
    if (!picture) return std::unexpected(std::move(picture).error());
    Slot slot{.binding = &binding,
              .origin = fmt::format("zeros, as large as \"{}\"", model->binding->name)};
    set_picture(slot, *std::move(picture));
    plan.slots.push_back(std::move(slot));
    return {};
}

Result<> add_picture_save(Slot& slot, const std::string& path) {
    if (slot.binding->kind == ferry::BindingKind::texture) {
        return fail(Errc::invalid_argument,
                    fmt::format("Binding {} is only read, so there is no result to save.",
                                binding_text(*slot.binding)),
                    "Save a texture_storage_2d that the shader writes.");
    }
    auto kind = picture_file(*slot.binding, *slot.picture, path);
    if (!kind) return std::unexpected(std::move(kind).error());
    slot.kinds.push_back(*kind);
    return {};
}

std::optional<ferry::Grid> picture_grid(const Plan& plan, bool flat_workgroups) {
    const Slot* best = nullptr;
    auto rank = [](const Slot& slot) {
        return (is_written(*slot.binding) ? 2 : 0) + (slot.saves.empty() ? 0 : 1);
    };
    for (const Slot& each : plan.slots) {
        if (!each.picture || !uses(plan, *each.binding)) continue;
        if (best == nullptr || rank(each) > rank(*best)) best = &each;
    }
    if (best == nullptr || (!is_written(*best->binding) && !flat_workgroups)) return std::nullopt;
    const auto& size = best->picture->size;
    return ferry::Grid{size.width, size.height, size.depth_or_array_layers};
}

} // namespace app
