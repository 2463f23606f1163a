// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "core/core.hpp"
#include "resource/buffer_state.hpp"
#include "resource/texture_state.hpp"

namespace ferry::detail {

/// A held slot, for which the GPU may have to finish a little work first. Errors: as
/// `UploadSlots::acquire` with `PoolPolicy::refuse`.
[[nodiscard]] Result<std::uint32_t> acquire_soon(UploadSlots& slots, std::uint64_t size_bytes);

/// Copies the bytes of a held slot to a buffer, in a submit of ferry's own.
[[nodiscard]] Result<> send_slot(UploadSlots& slots, std::uint32_t index, const BufferState& target,
                                 std::uint64_t offset_bytes);
/// The same for texels that lie in the slot as `plan` says.
[[nodiscard]] Result<> send_slot(UploadSlots& slots, std::uint32_t index,
                                 const TextureState& target, const CopyPlan& plan);

} // namespace ferry::detail
