// SPDX-License-Identifier: MIT
#include "base/error.hpp"
#include "commands/commands_state.hpp"

namespace ferry::detail {

using base::text;

CommandsPtr record(std::shared_ptr<Core> core, std::string_view label) {
    const std::string_view name = label.empty() ? "commands" : label;
    core->pump();
    auto usable = core->check_usable({"record", name});
    const std::uint64_t errors = core->inbox().error_count();
    WGPUCommandEncoder encoder = nullptr;
    if (usable) {
        WGPUCommandEncoderDescriptor descriptor = WGPU_COMMAND_ENCODER_DESCRIPTOR_INIT;
        descriptor.label = view(name);
        encoder = core->gpu().DeviceCreateCommandEncoder(core->device(), &descriptor);
        if (encoder == nullptr)
            usable = base::fail(Errc::engine, {}, "The engine makes no command encoder.");
    }
    CommandsPtr state = CommandsState::begin(std::move(core), encoder, Owner::ferry, name);
    state->errors_before = errors;
    if (!usable) state->error = std::move(usable).error();
    return state;
}

} // namespace ferry::detail
