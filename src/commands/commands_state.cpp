// SPDX-License-Identifier: MIT
#include "commands/commands_state.hpp"

#include "base/error.hpp"

namespace ferry::detail {

using base::fail;
using base::text;

CommandsPtr CommandsState::begin(std::shared_ptr<Core> core, WGPUCommandEncoder encoder,
                                 Owner owner, std::string_view label) {
    std::unique_ptr<Spare> spare = core->take_spare();
    CommandsPtr state(spare ? static_cast<CommandsState*>(spare.release()) : new CommandsState);
    state->encoder = HeldEncoder(core->gpu(), encoder);
    state->owner = owner;
    state->label = label;
    state->error.reset();
    state->dropped = false;
    state->reachable = owner == Owner::user;
    state->number = core->next_recording();
    state->core = std::move(core);
    return state;
}

void CommandsState::end() noexcept {
    release_uses();
    if (!reads.empty()) {
        abandon(error.value_or(
            Error{Errc::cancelled,
                  {},
                  text("The commands \"", label, "\" were dropped without a submit."),
                  "Submit the commands before dropping them.",
                  {},
                  {}}));
    }
    encoder = {};
    error.reset();
    recorded = 0;
    errors_before = 0;
    core.reset();
}

void CommandsDeleter::operator()(CommandsState* state) const noexcept {
    if (state->open_commands > 0) {
        state->dropped = true;
        return;
    }
    const std::shared_ptr<Core> core = state->core;
    state->end();
    core->keep_spare(std::unique_ptr<Spare>(state));
}

void CommandsState::use(const BufferUse& use) {
    auto [entry, fresh] = uses.try_emplace(use.buffer.get(), BufferUse{use.buffer, false});
    if (!use.writes || entry->second.writes) return;
    entry->second.writes = true;
    ++use.buffer->unsent_writers;
}

void CommandsState::use(const std::shared_ptr<TextureState>& texture) {
    texture_uses.try_emplace(texture.get(), texture);
}

void CommandsState::fail(Error first, std::string_view command, std::source_location where) {
    if (error) return;
    if (!first.trail.empty()) first.trail += '\n';
    first.trail += text("while recording command ", recorded, " (", command, ") of \"", label, '"');
    first.where = where;
    error = std::move(first);
}

void CommandsState::release_uses() noexcept {
    for (auto& [key, use] : uses) {
        if (use.writes) --use.buffer->unsent_writers;
    }
    uses.clear();
    texture_uses.clear();
}

void CommandsState::abandon(const Error& reason) noexcept {
    release_uses();
    for (auto& read : reads) read.owner->never_sent(read.index, reason);
    reads.clear();
}

void CommandsState::sent() noexcept {
    release_uses();
    for (auto& read : reads) read.owner->sent(read.index);
    reads.clear();
}

Result<> CommandsState::check_uses() const {
    for (const auto& [key, use] : uses) {
        if (auto ok = use.buffer->check_available({"submit", label, ", which uses"}, "S-02"); !ok)
            return ok;
    }
    for (const auto& [key, texture] : texture_uses) {
        if (auto ok = texture->check_available({"submit", label, ", which uses"}, "T-08"); !ok)
            return ok;
    }
    return {};
}

} // namespace ferry::detail
