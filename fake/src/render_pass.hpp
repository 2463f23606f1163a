// SPDX-License-Identifier: MIT
// Render passes: attachments are cleared or kept; draws are accepted and paint nothing.
#pragma once

#include "encoder.hpp"

namespace ferry_fake {

struct RenderPassEncoder final : Object {
    explicit RenderPassEncoder(CommandEncoder& owner);
    void clear() override { encoder = {}; }
    Device* device_of() override { return encoder ? encoder->device.get() : nullptr; }

    // Whether the pass still takes commands; a call after End raises at once.
    bool open_for(const char* what);

    Ref<CommandEncoder> encoder;
    bool ended = false;
};

} // namespace ferry_fake
