// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "engine/held.hpp"
#include "ferry/error.hpp"

namespace ferry::detail {

class Core;

/// Numbers on the GPU that travel with reads whose submit is not ours: only a read that really ran
/// brings its number.
class Stamps {
public:
    struct Stamp {
        WGPUBuffer buffer = nullptr; ///< copy from here, 8 bytes
        std::uint64_t offset_bytes = 0;
        std::uint64_t value = 0;
    };

    /// A stamp that differs from the last `count - 1` ones. Errors: as `make_buffer`.
    [[nodiscard]] Result<Stamp> next(Core& core);

private:
    static constexpr std::uint64_t count = 4096;
    HeldBuffer table_;
    std::uint64_t next_ = 0;
};

} // namespace ferry::detail
