// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace ferry::detail {

enum class EngineKind : std::uint8_t { unknown, wgpu_native, dawn, fake };

/// What an engine must be asked differently. The default is the standard's behaviour.
struct Quirks {
    /// WaitAny ends the process and futures are null; only ProcessEvents makes progress.
    /// wgpu-native v29 (wgpu-native issue 551); every test on that engine shows it.
    bool pump_by_process_events = false;

    /// Queue writes and creation flushes stay invisible to maps and work-done until the next
    /// submit. wgpu-native v29 (wgpu issue 5173); test: WriteIsSeenByAMapWithoutASubmit.
    bool submit_before_map = false;

    /// Work-done answers while queue writes still wait for the next submit. Both engines; test:
    /// DoneSendsWhatWasWritten.
    bool submit_before_done = false;

    /// GetLostFuture ends the process; loss is found by finishing an empty encoder in a scope.
    /// wgpu-native v29; test: AdoptedDeviceLostWithoutNotice.
    bool loss_by_empty_finish = false;

    /// The loss callback, allowed to come spontaneously, comes at once, so that a device of ours
    /// need not be asked. The standard only promises it inside a pump. Dawn of October 2026; test:
    /// DeviceLoss on Dawn.
    bool tells_loss_at_once = false;

    /// A copy of several layers of a 2D texture to slices of a 3D one, or back, moves them all to
    /// the first. wgpu-native v29; test: X06_TakeSlicesForLayersAndBack.
    bool layers_and_slices_one_by_one = false;

    /// What is copied to slices of a new 3D texture other than the first is lost when the first is
    /// touched, and reads of those slices see old memory: the engine's note of what was filled
    /// counts slices as layers. wgpu-native v29; test: SlicesOfANew3DTexture.
    bool fill_3d_at_creation = false;
};

[[nodiscard]] constexpr Quirks quirks_of(EngineKind kind) noexcept {
    if (kind == EngineKind::wgpu_native) {
        return {.pump_by_process_events = true,
                .submit_before_map = true,
                .submit_before_done = true,
                .loss_by_empty_finish = true,
                .tells_loss_at_once = false,
                .layers_and_slices_one_by_one = true,
                .fill_3d_at_creation = true};
    }
    if (kind == EngineKind::dawn) return {.submit_before_done = true, .tells_loss_at_once = true};
    return {};
}

} // namespace ferry::detail
