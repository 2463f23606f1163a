// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <memory_resource>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/staged.hpp"
#include "engine/held.hpp"
#include "ferry/commands.hpp"
#include "resource/texture_state.hpp"
#include "shader/kernel_state.hpp"

namespace ferry::detail {

/// Behind `Commands`: an open encoder, what it uses and what is to be read once it is sent. Reused
/// with its memory, so that a frame like the one before allocates nothing.
struct CommandsState final : Spare {
    /// A spare one of the core's, or a new one.
    [[nodiscard]] static CommandsPtr begin(std::shared_ptr<Core> core, WGPUCommandEncoder encoder,
                                           Owner owner, std::string_view label);
    /// Lets go of everything. Without a submit before its reads are cancelled.
    void end() noexcept;

    /// Notes that the commands use a buffer or texture, so that submit can check it.
    void use(const BufferUse& use);
    void use(const std::shared_ptr<TextureState>& texture);
    /// Keeps the first error, with the command it came from.
    void fail(Error error, std::string_view command, std::source_location where);
    /// Nothing was sent: the reads end with `error`.
    void abandon(const Error& error) noexcept;
    /// Everything was sent: the maps of the reads begin.
    void sent() noexcept;
    /// The rules that hold at submit (S-02, T-08): every buffer and texture is available.
    [[nodiscard]] Result<> check_uses() const;

    std::shared_ptr<Core> core{};
    HeldEncoder encoder{};
    Owner owner = Owner::ferry;
    std::string label{};
    bool reachable = false; ///< the user has the encoder as well
    std::optional<Error> error{};
    std::uint64_t errors_before = 0; ///< reported by the engine before the recording began
    std::uint32_t recorded = 0;      ///< commands so far, for messages
    std::uint64_t number = 0;        ///< of the recording, on its device
    std::pmr::unsynchronized_pool_resource memory{};
    std::pmr::unordered_map<const BufferState*, BufferUse> uses{&memory};
    std::pmr::unordered_map<const TextureState*, std::shared_ptr<TextureState>> texture_uses{
        &memory};
    std::vector<StagedRead> reads{};
    std::uint32_t open_commands = 0; ///< being recorded now
    bool dropped = false;            ///< meanwhile; ends when the command does

private:
    void release_uses() noexcept;
};

/// A command that is being recorded. Engine calls in it may run callbacks of the program's, which
/// may drop or submit the recording.
class OpenCommand {
public:
    explicit OpenCommand(CommandsState& state) noexcept : state_(state) { ++state.open_commands; }
    OpenCommand(const OpenCommand&) = delete;
    OpenCommand& operator=(const OpenCommand&) = delete;
    ~OpenCommand() {
        if (--state_.open_commands == 0 && state_.dropped) CommandsDeleter()(&state_);
    }

private:
    CommandsState& state_;
};

[[nodiscard]] CommandsPtr record(std::shared_ptr<Core> core, std::string_view label);

/// Ends the recording and sends it.
[[nodiscard]] Result<Submission> submit(std::shared_ptr<Core> core, CommandsPtr commands);

/// Sends command buffers of the user's, or notes that they were sent already when there are none.
[[nodiscard]] Result<Submission> submit_users(std::shared_ptr<Core> core,
                                              std::span<const WGPUCommandBuffer> command_buffers,
                                              CommandsPtr commands, Owner sender);

} // namespace ferry::detail
