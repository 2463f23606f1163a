// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "base/error.hpp"
#include "core/core.hpp"

namespace ferry::detail {

/// Encodes commands of ferry's own and sends them at once.
template <class Encode>
[[nodiscard]] Result<> submit_own(Core& core, std::string_view label, Encode encode) {
    WGPUCommandEncoder encoder = core.gpu().DeviceCreateCommandEncoder(core.device(), nullptr);
    if (encoder == nullptr) {
        return base::fail(Errc::engine, {}, "The engine makes no command encoder.");
    }
    encode(encoder);
    return core.send_own(encoder, label);
}

} // namespace ferry::detail
