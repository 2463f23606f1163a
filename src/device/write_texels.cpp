// SPDX-License-Identifier: MIT
#include <vector>

#include "base/align.hpp"
#include "base/error.hpp"
#include "core/read.hpp"
#include "device/write.hpp"
#include "resource/texels.hpp"

namespace ferry::detail {

using base::fail;
using base::text;

namespace {

Result<> check_target(Core& core, const std::shared_ptr<TextureState>& target) {
    if (!target) return std::unexpected(empty_handle("texture", {}));
    core.pump();
    core.probe_loss();
    if (auto ok = core.check_usable({"write to texture", target->label}); !ok) return ok;
    if (target->core.get() != &core) {
        return fail(Errc::invalid_argument, "T-01",
                    text("The ", target->named(), " belongs to another device."),
                    "Write on the device that made the texture.");
    }
    if (!has(target->options.usage, TextureUsage::copy_dst)) {
        return fail(Errc::invalid_argument, "T-02",
                    text("The ", target->named(), " lacks the usage copy_dst."),
                    "Make it with TextureUsage::copy_dst.");
    }
    return target->check_available({"write to"}, "T-08");
}

Result<> check_data(const TextureState& target, const CopyPlan& plan, std::uint64_t data_bytes) {
    if (base::fits(plan.offset_bytes, plan.required_bytes, data_bytes)) return {};
    return fail(Errc::invalid_argument, "L-09",
                text("The write of ", plan.size.width, 'x', plan.size.height, 'x',
                     plan.size.depth_or_array_layers, ' ', plan.format.name, " texels to ",
                     target.named(), " needs (", plan.required_bytes, ") bytes from offset (",
                     plan.offset_bytes, "), and the data has (", data_bytes, ")."),
                text("Give at least ", plan.offset_bytes + plan.required_bytes,
                     " bytes, or a smaller size."));
}

/// Data without gaps is exactly as large as the region, or else it is an image of another size.
Result<> check_tight(const TextureState& target, const CopyPlan& plan, std::uint64_t data_bytes) {
    const std::uint64_t end = plan.offset_bytes + plan.required_bytes;
    if (data_bytes <= end) return {};
    return fail(Errc::invalid_argument, "L-09",
                text("The tight texels of ", plan.size.width, 'x', plan.size.height, 'x',
                     plan.size.depth_or_array_layers, " for ", target.named(), " have (",
                     plan.tight_bytes, ") bytes from offset (", plan.offset_bytes,
                     "), and the data has (", data_bytes, ")."),
                "Give a size, when the data is for more or less of the texture; or state "
                ".bytes_per_row, when it is part of a larger image.");
}

/// Exactly the bytes of the plan are read, from the first to the last one needed.
Result<> send(Core& core, const TextureState& target, const CopyPlan& plan,
              std::span<const std::byte> data) {
    const std::uint64_t errors = core.inbox().error_count();
    const WGPUTexelCopyTextureInfo to = texture_info(target, plan.at);
    WGPUTexelCopyBufferLayout layout = buffer_layout(plan);
    layout.offset = 0;
    const WGPUExtent3D size = engine_extent(plan.size);
    core.gpu().QueueWriteTexture(core.queue(), &to, data.data(), data.size(), &layout, &size);
    core.note_write();
    return core.reported_since(errors, {"writing to texture", target.label});
}

/// A copy of the plan's bytes with red and blue exchanged in every row.
std::vector<std::byte> swapped(const CopyPlan& plan, std::span<const std::byte> data) {
    std::vector<std::byte> out(data.begin(), data.end());
    for (std::uint64_t image = 0; image < plan.images; ++image) {
        for (std::uint64_t row = 0; row < plan.block_rows; ++row) {
            const std::uint64_t first = plan.byte_of(0, row, image) - plan.offset_bytes;
            swap_red_blue(std::span(out).subspan(static_cast<std::size_t>(first),
                                                 static_cast<std::size_t>(plan.row_bytes)));
        }
    }
    return out;
}

Result<> write_plan(Core& core, const TextureState& target, const CopyPlan& plan,
                    std::span<const std::byte> data, ElementKind element, bool tight) {
    if (!plan) return std::unexpected(about(plan.error(), target));
    auto swap = swaps_red_blue(plan.format, element.order, target.named());
    if (!swap) return std::unexpected(std::move(swap).error());
    if (auto ok = check_data(target, plan, data.size()); !ok) return ok;
    if (tight) {
        if (auto ok = check_tight(target, plan, data.size()); !ok) return ok;
    }
    if (plan.is_empty()) return {};
    const auto used = data.subspan(static_cast<std::size_t>(plan.offset_bytes),
                                   static_cast<std::size_t>(plan.required_bytes));
    if (*swap) return send(core, target, plan, swapped(plan, used));
    return send(core, target, plan, used);
}

} // namespace

Result<> write_texels(Core& core, const std::shared_ptr<TextureState>& target,
                      const TextureLocation& at, std::span<const std::byte> data,
                      ElementKind element, const ImageLayout& layout,
                      const std::optional<Extent3D>& size) {
    if (auto ok = check_target(core, target); !ok) return ok;
    return write_plan(core, *target, plan_write(target->options, layout, at, size), data, element,
                      layout.tight);
}

Result<> write_levels(Core& core, const std::shared_ptr<TextureState>& target,
                      std::span<const std::byte> data, ElementKind element) {
    if (auto ok = check_target(core, target); !ok) return ok;
    const TextureOptions& texture = target->options;
    const CopyPlan first = plan_write(texture, {.tight = true});
    const auto last = mip_level(texture, texture.mip_levels - 1);
    if (!first || !last) return std::unexpected(about(first.error(), *target));
    if (last->offset_bytes + last->size_bytes != data.size()) {
        return fail(Errc::invalid_argument, "L-09",
                    text("The (", texture.mip_levels, ") levels of ", target->named(), " have (",
                         last->offset_bytes + last->size_bytes, ") bytes, and the data has (",
                         data.size(), ")."),
                    "Put the levels behind each other without a gap, the largest first; mip_level "
                    "says where each begins.");
    }
    for (std::uint32_t mip = 0; mip < texture.mip_levels; ++mip) {
        const MipLevel level = *mip_level(texture, mip);
        const ImageLayout layout{.tight = true, .offset_bytes = level.offset_bytes};
        const auto up_to_here =
            data.first(static_cast<std::size_t>(level.offset_bytes + level.size_bytes));
        const CopyPlan plan = plan_write(texture, layout, {.mip = mip});
        if (auto ok = write_plan(core, *target, plan, up_to_here, element, true); !ok) return ok;
    }
    return {};
}

} // namespace ferry::detail
