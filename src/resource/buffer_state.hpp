// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <chrono>
#include <memory>
#include <source_location>
#include <string>
#include <vector>

#include "core/operation.hpp"
#include "ferry/buffer.hpp"

namespace ferry::detail {

class MapOperation;

/// A range of bytes with both ends known.
struct Span64 {
    std::uint64_t offset_bytes = 0;
    std::uint64_t size_bytes = 0;
    [[nodiscard]] std::uint64_t end() const noexcept { return offset_bytes + size_bytes; }
};

/// Behind `Buffer`: the engine's buffer and everything ferry knows about it. ferry keeps the map
/// state itself, since asking the engine ends the process on some (rule 1.2).
struct BufferState {
    BufferState(std::shared_ptr<Core> device_core, WGPUBuffer buffer) noexcept;
    BufferState(const BufferState&) = delete;
    BufferState& operator=(const BufferState&) = delete;
    ~BufferState();

    [[nodiscard]] MapState map_state() const noexcept;
    [[nodiscard]] Result<> unmap();
    void destroy() noexcept;

    /// The engine has mapped [mapped, ...): fetches the memory. False when it gives none.
    [[nodiscard]] bool begin_mapping();
    /// Whether the GPU may use it now; else why not. `doing`: "submit commands that use".
    [[nodiscard]] Result<> check_available(const base::Clause& doing, std::string_view rule) const;
    /// `buffer "x"`, for messages.
    [[nodiscard]] std::string named() const;
    /// Says once when a queue write covers bytes of another one before any submit (A30).
    void note_queue_write(const Span64& range);

    std::shared_ptr<Core> core;
    WGPUBuffer handle;
    std::uint64_t size_bytes = 0;      ///< what the user sees
    std::uint64_t allocated_bytes = 0; ///< what the engine has; a multiple of 4 unless adopted
    BufferUsage usage = BufferUsage::none;
    std::string label{};

    bool destroyed = false;
    std::uint32_t unsent_writers = 0; ///< recordings, not yet submitted, that write to it

    // Queue writes since the last submit of the user's: the newest few.
    std::array<Span64, 4> queue_writes{};
    std::uint64_t queue_writes_after = 0; ///< that submission
    std::size_t next_queue_write = 0;
    bool told_of_overlap = false;

    // The mapping, while there is one.
    std::weak_ptr<MapOperation> pending_map{};
    std::shared_ptr<MapLife> life{};
    MapMode mode = MapMode::read;
    Span64 mapped{};
    bool engine_mapped = false; ///< false for an empty range, which no engine is asked for
    std::byte* memory = nullptr;
    std::vector<Span64> handed_out{}; ///< writable ranges
    std::source_location mapped_where{};

private:
    void end_mapping(std::string_view reason) noexcept;
};

/// A map request of a buffer.
class MapOperation final : public Operation {
public:
    MapOperation(std::shared_ptr<BufferState> buffer, std::string name);
    ~MapOperation() override;

    void start();
    void settle() override;
    void cancel_by(std::string_view reason) noexcept;
    /// Hands the mapping over to the caller. Errors: `cancelled` when it has ended meanwhile.
    [[nodiscard]] Result<std::shared_ptr<BufferState>> take();

private:
    void let_go() noexcept override;

    std::shared_ptr<BufferState> buffer_;
    std::shared_ptr<MapLife> life_; ///< of the mapping that this request made
    Signal* signal_ = nullptr;
};

/// Checks the rules M-01 to M-09 and asks the engine. Never fails here: the ticket carries the
/// error.
[[nodiscard]] OperationPtr map_buffer(std::shared_ptr<BufferState> buffer, MapMode mode,
                                      ByteRange range, std::source_location where);

/// "bytes 8 to 15".
[[nodiscard]] std::string range_text(const Span64& range);
/// "at file.cpp:12", or nothing.
[[nodiscard]] std::string place_text(const std::source_location& where);

[[nodiscard]] Error empty_handle(std::string_view what, std::source_location where);

} // namespace ferry::detail
