// SPDX-License-Identifier: MIT
#pragma once

#include "engine_fixture.hpp"

namespace ferry::test {

/// A device, and buffers that can be mapped.
class MappingTest : public SharedDevice {
protected:
    static constexpr Usage readable = Usage::map_read | Usage::copy_dst;
    static constexpr Usage writable = Usage::map_write | Usage::copy_src;

    /// A readable buffer into which the GPU has copied `data`.
    template <class R>
    [[nodiscard]] static Buffer make_readable(const R& data, std::string_view label = "readable") {
        const Buffer source = make_filled(device(), data, Usage::copy_src);
        Buffer target = make_buffer(device(), source.size_bytes(), readable, label);
        auto commands = device().record();
        commands.copy(source, target);
        must(device().submit(std::move(commands)));
        return target;
    }

    /// A map that is pending: progress happens only inside calls, so it stays so until somebody
    /// asks.
    [[nodiscard]] static Ticket<ReadMapping> start(Buffer& buffer) {
        auto ticket = buffer.map_read();
        EXPECT_EQ(buffer.map_state(), MapState::pending);
        return ticket;
    }
};

} // namespace ferry::test
