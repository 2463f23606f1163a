// SPDX-License-Identifier: MIT
#include "commands/commands_state.hpp"

#include "base/error.hpp"

namespace ferry::detail {

using base::fail;
using base::text;

CommandsState::CommandsState(std::shared_ptr<Core> device_core, WGPUCommandEncoder raw,
                             Owner encoder_owner, std::string name)
    : core(std::move(device_core)), encoder(core->gpu(), raw), owner(encoder_owner),
      label(std::move(name)), reachable(encoder_owner == Owner::user) {}

CommandsState::~CommandsState() {
    release_uses();
    if (reads.empty()) return;
    abandon(
        error.value_or(Error{Errc::cancelled,
                             {},
                             text("The commands \"", label, "\" were dropped without a submit."),
                             "Submit the commands before dropping them.",
                             {},
                             {}}));
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
    for (auto& read : reads) read->never_submitted(reason);
    reads.clear();
}

void CommandsState::sent() noexcept {
    release_uses();
    for (auto& read : reads) read->map();
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
