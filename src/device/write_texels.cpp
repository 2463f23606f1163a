// SPDX-License-Identifier: MIT
#include "base/align.hpp"
#include "base/error.hpp"
#include "device/write.hpp"
#include "resource/texels.hpp"
#include "resource/write_rules.hpp"

namespace ferry::detail {

using base::fail;
using base::text;

namespace {

/// Exactly the bytes of the plan are read, from the first to the last one needed.
Result<> send(Core& core, const TextureState& target, const CopyPlan& plan,
              std::span<const std::byte> data) {
    const std::uint64_t errors = core.inbox().error_count();
    const WGPUTexelCopyTextureInfo to = texture_info(target, plan.at);
    const WGPUTexelCopyBufferLayout layout = buffer_layout(plan);
    const WGPUExtent3D size = engine_extent(plan.size);
    core.gpu().QueueWriteTexture(core.queue(), &to, data.data(), data.size(), &layout, &size);
    core.note_write(data.size());
    if (auto ok = core.reported_since(errors, {"writing to texture", target.label}); !ok) return ok;
    return core.flush_much();
}

Result<> check_now(Core& core, const std::shared_ptr<TextureState>& target) {
    if (!target) return std::unexpected(empty_handle("texture", {}));
    core.pump();
    core.probe_loss();
    return core.check_usable({"write to texture", target->label});
}

Result<> write_part(Core& core, const std::shared_ptr<TextureState>& target,
                    const TextureLocation& at, std::span<const std::byte> data, ElementKind element,
                    const ImageLayout& layout, const std::optional<Extent3D>& size) {
    auto source = check_texels(core, target, at, data, element, layout, size);
    if (!source) return std::unexpected(std::move(source).error());
    if (auto ok = target->check_available({"write to"}, "T-08"); !ok) return ok;
    if (source->plan.is_empty()) return {};
    if (!source->swap_red_blue) return send(core, *target, source->plan, source->bytes);
    return send(core, *target, source->plan, swapped(source->plan, source->bytes));
}

} // namespace

Result<> write_texels(Core& core, const std::shared_ptr<TextureState>& target,
                      const TextureLocation& at, std::span<const std::byte> data,
                      ElementKind element, const ImageLayout& layout,
                      const std::optional<Extent3D>& size) {
    if (auto ok = check_now(core, target); !ok) return ok;
    return write_part(core, target, at, data, element, layout, size);
}

Result<> write_levels(Core& core, const std::shared_ptr<TextureState>& target,
                      std::span<const std::byte> data, ElementKind element) {
    if (auto ok = check_now(core, target); !ok) return ok;
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
        if (auto ok = write_part(core, target, {.mip = mip}, up_to_here, element, layout, {}); !ok)
            return ok;
    }
    return {};
}

} // namespace ferry::detail
