// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "commands/record_command.hpp"
#include "core/read.hpp"
#include "core/staging.hpp"

namespace ferry::detail {

/// What a read needs, had before anything of it is recorded: nothing half-recorded remains.
struct ReadParts {
    StagingSlot slot;
    Stamps::Stamp stamp{}; ///< with an encoder of the user's: copied behind the bytes
};

/// A slot for `staged_bytes`, with room for a stamp behind them where one is needed; fills in what
/// the layout says about both.
[[nodiscard]] Result<ReadParts> acquire_parts(CommandsState& state, std::uint64_t staged_bytes,
                                              ReadOperation::Layout& layout);

/// Whole words, between different buffers of the engine's.
void encode_copy(CommandsState& state, WGPUBuffer from, std::uint64_t from_bytes, WGPUBuffer to,
                 std::uint64_t to_bytes, std::uint64_t size_bytes);

/// The copies into the slot are recorded: the operation that maps it after the submit.
[[nodiscard]] std::shared_ptr<ReadOperation> add_read(CommandsState& state, std::string name,
                                                      ReadParts parts,
                                                      const ReadOperation::Layout& layout);

/// Records a read with `body`; what goes wrong is the operation's outcome.
template <class Body>
[[nodiscard]] OperationPtr read_command(CommandsState* state, std::string_view command,
                                        std::source_location where, Body body) {
    if (state == nullptr) return Operation::failed(empty_handle("commands", where));
    const OpenCommand open(*state); // its error is looked at below
    OperationPtr operation;
    record_command(state, command, where, [&](CommandsState& commands) -> Result<> {
        auto recorded = body(commands);
        if (!recorded) return std::unexpected(std::move(recorded).error());
        operation = *std::move(recorded);
        return {};
    });
    return operation ? operation : Operation::failed(*state->error);
}

} // namespace ferry::detail
