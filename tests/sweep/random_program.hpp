// SPDX-License-Identifier: MIT
// A random program of writes, copies, clears, reads, submits, maps and unmaps, run on a device and
// beside it on plain memory, one step after the other.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engines/engine_fixture.hpp"

namespace ferry::test {

class RandomProgram {
public:
    enum class Kind : std::uint8_t { write, copy, clear, read, submit, map, fill, unmap, take };
    static constexpr int kinds = 9;

    /// One step; numbers that do not fit are brought into range.
    struct Step {
        Kind kind = Kind::write;
        unsigned source = 0, target = 0, first = 0, count = 0;
        std::uint8_t value = 0;
    };

    explicit RandomProgram(Device& device);

    void run(const Step& step);
    /// Submits, takes and looks at everything that is left.
    void finish();
    /// The first difference between the device and the model; empty while there is none.
    [[nodiscard]] const std::string& difference() const { return difference_; }

private:
    static constexpr std::size_t words = 16, size = 4 * words;
    static constexpr std::size_t readable = 3, writable = 4, buffers = 5;
    using Memory = std::vector<std::byte>;

    /// A recorded command, to be run on the model at the submit.
    struct Command {
        Kind kind;
        std::size_t source, target;
        std::size_t from, to, bytes;
        std::size_t read = 0; ///< which of `recorded_reads_`
    };
    struct Read {
        Ticket<std::vector<std::byte>> ticket;
        Memory expected{};
    };

    [[nodiscard]] bool is_free(std::size_t buffer) const;
    [[nodiscard]] bool is_written_by_recorded(std::size_t buffer) const;
    void write(const Step& step);
    void copy(const Step& step);
    void clear(const Step& step);
    void read(const Step& step);
    void submit();
    void run_on_model(const Command& command);
    void map(const Step& step);
    void fill(const Step& step);
    void unmap(const Step& step);
    void deliver();
    void take(std::size_t which);
    void differ(std::string what) {
        if (difference_.empty()) difference_ = std::move(what);
    }

    Device& device_;
    std::array<Buffer, buffers> buffers_;
    std::array<Memory, buffers> model_;
    std::optional<Commands> recording_;
    std::vector<Command> recorded_;
    std::vector<Read> recorded_reads_, sent_reads_;
    Ticket<ReadMapping> read_request_;
    Ticket<WriteMapping> write_request_;
    std::optional<ReadMapping> reading_;
    std::optional<WriteMapping> writing_;
    std::optional<MappedSpan<std::byte>> memory_; ///< of `writing_`
    std::string difference_;
};

} // namespace ferry::test
