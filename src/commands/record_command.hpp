// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "commands/commands_state.hpp"
#include "engine/scope.hpp"

namespace ferry::detail {

/// Counts the command and runs `body`, unless an earlier command was wrong; keeps its error.
template <class Body>
void record_command(CommandsState* state, std::string_view command, std::source_location where,
                    Body body) {
    if (state == nullptr) return;
    ++state->recorded;
    if (state->error) return;
    const OpenCommand open(*state);
    // An encoder that the user can reach may be finished, or inside a pass of his: some engines end
    // the process then.
    std::optional<Scope> scope;
    if (state->reachable) {
        scope.emplace(state->core->instance(), state->core->device(), Scope::Catch::validation);
    }
    Result<> done = body(*state);
    if (scope) {
        auto said = state->core->verdict(scope->close({"recording a", {}, command}));
        if (done) done = std::move(said);
    }
    if (!done) state->fail(std::move(done).error(), command, where);
}

} // namespace ferry::detail
