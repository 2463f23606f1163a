// SPDX-License-Identifier: MIT
// Command encoders and command buffers: recorded host work, and what it uses.
#pragma once

#include <functional>
#include <set>
#include <vector>

#include "buffer.hpp"
#include "device.hpp"
#include "texture.hpp"

namespace ferry_fake {

// Resources that a command buffer needs alive and available when it is submitted.
struct Uses {
    std::vector<Ref<Buffer>> buffers;
    std::vector<Ref<Texture>> textures;

    void add(Buffer& buffer) { buffers.emplace_back(&buffer); }
    void add(Texture& texture) { textures.emplace_back(&texture); }
    void add(const Uses& other);
};

using Command = std::function<void()>;

struct CommandBuffer final : Object {
    explicit CommandBuffer(Device& owner);
    void clear() override;
    Device* device_of() override { return device.get(); }

    Ref<Device> device;
    std::vector<Command> commands;
    Uses uses;
    bool valid = true;
    bool submitted = false;
};

struct CommandEncoder final : Object {
    explicit CommandEncoder(Device& owner);
    void clear() override;
    Device* device_of() override { return device.get(); }

    // Whether a command may be recorded now. A finished encoder raises at once; an open pass
    // invalidates.
    bool open_for(const char* what);
    // An error invalidates the encoder and appears at finish (rules K-08); only the first is kept.
    void fail(const Problem& problem);

    Ref<Device> device;
    std::vector<Command> commands;
    Uses uses;
    Check problem;
    bool finished = false;
    bool in_pass = false;
    int debug_groups = 0;
};

// An argument buffer or texture of this encoder: alive, valid, and of the same device. Null after a
// report.
template <class Handle>
auto* encoder_argument(CommandEncoder& encoder, Handle handle, const char* role) {
    auto* const object = argument(*encoder.world, handle);
    if (!object)
        encoder.fail(invalid("The ", role, " is no usable handle."));
    else if (!(object->device == encoder.device)) {
        encoder.fail(invalid("The ", role, " belongs to another device than the encoder."));
        return decltype(object)(nullptr);
    } else if (!object->valid) {
        encoder.fail(invalid("The ", role, " (", object->label, ") is invalid."));
        return decltype(object)(nullptr);
    }
    return object;
}

} // namespace ferry_fake
