// SPDX-License-Identifier: MIT
#include "base/error.hpp"
#include "commands/commands_state.hpp"

namespace ferry::detail {

using base::fail;
using base::text;

namespace {

Result<> check(const std::shared_ptr<Core>& core, const CommandsState& commands) {
    if (commands.core != core) {
        return fail(Errc::invalid_argument, {},
                    text("The commands \"", commands.label, "\" belong to another device."),
                    "Submit commands on the device that recorded them.");
    }
    if (commands.open_commands > 0) {
        return fail(Errc::wrong_state, {},
                    text("The commands \"", commands.label,
                         "\" are submitted in the middle of one of them, by a callback."),
                    "Submit them where they are recorded.");
    }
    if (commands.error) return std::unexpected(*commands.error);
    core->pump();
    core->probe_loss();
    if (auto ok = core->check_usable({"submit", commands.label}); !ok) return ok;
    return commands.check_uses();
}

/// Only an encoder of the user's needs a stamp, so only its recordings can hold one that is not
/// ours to finish.
Result<> check_owner(const CommandsState& commands, Owner expected) {
    if (commands.owner == expected) return {};
    return fail(Errc::wrong_state, {},
                expected == Owner::ferry ? text("The commands \"", commands.label,
                                                "\" are recorded into an encoder of yours.")
                                         : text("The commands \"", commands.label,
                                                "\" are recorded into an encoder of ferry's."),
                expected == Owner::ferry
                    ? "Finish the encoder, and call interop::submit or interop::submitted."
                    : "Call Device::submit.");
}

Result<std::uint64_t> send(Core& core, CommandsState& commands) {
    // finish() takes over the reference
    WGPUCommandEncoder raw = commands.encoder.release();
    auto finished = core.finish(raw, commands.label);
    if (!finished) return std::unexpected(std::move(finished).error());
    const HeldCommandBuffer buffer(core.gpu(), *finished);
    if (auto ok = core.reported_since(commands.errors_before, {"recording", commands.label}); !ok) {
        return std::unexpected(std::move(ok).error());
    }
    const WGPUCommandBuffer handle = buffer.get();
    return core.submit({&handle, 1});
}

Result<Submission> conclude(CommandsState& commands, Result<std::uint64_t> number) {
    if (!number) {
        commands.abandon(number.error());
        return std::unexpected(std::move(number).error());
    }
    commands.sent();
    commands.core->pump();
    return Submission{*number};
}

} // namespace

Result<Submission> submit(std::shared_ptr<Core> core, CommandsPtr commands) {
    auto number = [&]() -> Result<std::uint64_t> {
        if (auto ok = check_owner(*commands, Owner::ferry); !ok)
            return std::unexpected(std::move(ok).error());
        if (auto ok = check(core, *commands); !ok) return std::unexpected(std::move(ok).error());
        return send(*core, *commands);
    };
    return conclude(*commands, number());
}

Result<Submission> submit_users(std::shared_ptr<Core> core,
                                std::span<const WGPUCommandBuffer> command_buffers,
                                CommandsPtr commands, Owner sender) {
    auto number = [&]() -> Result<std::uint64_t> {
        if (auto ok = check_owner(*commands, Owner::user); !ok)
            return std::unexpected(std::move(ok).error());
        if (auto ok = check(core, *commands); !ok) return std::unexpected(std::move(ok).error());
        return sender == Owner::ferry ? core->submit(command_buffers) : core->note_submission();
    };
    return conclude(*commands, number());
}

} // namespace ferry::detail
