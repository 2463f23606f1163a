// SPDX-License-Identifier: MIT
#include "base/align.hpp"
#include "base/error.hpp"
#include "core/read.hpp"
#include "resource/texels.hpp"
#include "resource/write_rules.hpp"

namespace ferry::detail {

using base::fail;
using base::text;

namespace {

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

} // namespace

Result<> check_texel_target(const Core& core, const std::shared_ptr<TextureState>& target) {
    if (!target) return std::unexpected(empty_handle("texture", {}));
    if (target->core.get() != &core) {
        return fail(Errc::invalid_argument, "T-01",
                    text("The ", target->named(), " belongs to another device."),
                    "Write on the device that made the texture.");
    }
    if (has(target->options.usage, TextureUsage::copy_dst)) return {};
    return fail(Errc::invalid_argument, "T-02",
                text("The ", target->named(), " lacks the usage copy_dst."),
                "Make it with TextureUsage::copy_dst.");
}

Result<TexelSource> check_texels(const Core& core, const std::shared_ptr<TextureState>& target,
                                 const TextureLocation& at, std::span<const std::byte> data,
                                 ElementKind element, const ImageLayout& layout,
                                 const std::optional<Extent3D>& size) {
    if (auto ok = check_texel_target(core, target); !ok)
        return std::unexpected(std::move(ok).error());
    TexelSource out{.plan = plan_write(target->options, layout, at, size), .bytes = {}};
    if (!out.plan) return std::unexpected(about(out.plan.error(), *target));
    auto swap = swaps_red_blue(out.plan.format, element.order, target->named());
    if (!swap) return std::unexpected(std::move(swap).error());
    if (auto ok = check_data(*target, out.plan, data.size()); !ok)
        return std::unexpected(std::move(ok).error());
    if (layout.tight) {
        if (auto ok = check_tight(*target, out.plan, data.size()); !ok)
            return std::unexpected(std::move(ok).error());
    }
    out.swap_red_blue = *swap;
    if (out.plan.is_empty()) return out;
    out.bytes = data.subspan(static_cast<std::size_t>(out.plan.offset_bytes),
                             static_cast<std::size_t>(out.plan.required_bytes));
    out.plan.offset_bytes = 0;
    return out;
}

std::vector<std::byte> swapped(const CopyPlan& plan, std::span<const std::byte> data) {
    std::vector<std::byte> out(data.begin(), data.end());
    for (std::uint64_t image = 0; image < plan.images; ++image) {
        for (std::uint64_t row = 0; row < plan.block_rows; ++row) {
            const std::uint64_t first = plan.byte_of(0, row, image);
            swap_red_blue(std::span(out).subspan(static_cast<std::size_t>(first),
                                                 static_cast<std::size_t>(plan.row_bytes)));
        }
    }
    return out;
}

} // namespace ferry::detail
