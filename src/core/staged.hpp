// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>

#include "ferry/error.hpp"

namespace ferry::detail {

/// Who has recorded copies into staging memory, and is told what became of the commands.
class Staged {
public:
    virtual ~Staged() = default;
    /// The commands were sent: ask for the bytes.
    virtual void sent(std::uint32_t index) = 0;
    /// They will not be sent by ferry.
    virtual void never_sent(std::uint32_t index, const Error& reason) noexcept = 0;
};

/// One of the reads of an owner; the index is the owner's own.
struct StagedRead {
    std::shared_ptr<Staged> owner;
    std::uint32_t index = 0;
};

} // namespace ferry::detail
