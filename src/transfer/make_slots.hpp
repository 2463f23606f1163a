// SPDX-License-Identifier: MIT
#pragma once

#include "core/core.hpp"

namespace ferry::detail {

/// Upload slots beside the device's own; they keep the device.
[[nodiscard]] inline std::shared_ptr<UploadSlots> make_slots(const std::shared_ptr<Core>& core,
                                                             std::string name,
                                                             const UploadPoolOptions& options) {
    struct Owned {
        Owned(std::shared_ptr<Core> device, std::string words, const UploadPoolOptions& wanted)
            : core(std::move(device)), slots(*core, std::move(words), wanted) {}
        std::shared_ptr<Core> core;
        UploadSlots slots;
    };
    auto owned = std::make_shared<Owned>(core, std::move(name), options);
    std::shared_ptr<UploadSlots> slots(owned, &owned->slots);
    core->watch(std::weak_ptr(slots));
    return slots;
}

} // namespace ferry::detail
