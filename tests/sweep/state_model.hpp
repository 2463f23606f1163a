// SPDX-License-Identifier: MIT
// What the rules say about one buffer and nine operations on it: written from the rules (and, where
// the rules leave ferry a choice, from its headers), not from ferry's code.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string_view>

#include "ferry/ferry.hpp"

namespace ferry::test {

enum class State : std::uint8_t {
    fresh,
    pending,
    mapped_read,
    mapped_write,
    at_creation,
    unmapped_again,
    destroyed,
    invalid,
    device_lost
};
inline constexpr std::array<std::string_view, 9> state_names{"fresh",
                                                             "pending",
                                                             "mapped for reading",
                                                             "mapped for writing",
                                                             "mapped at creation",
                                                             "unmapped again",
                                                             "destroyed",
                                                             "invalid",
                                                             "device lost"};

enum class Step : std::uint8_t {
    map,
    range,
    unmap,
    destroy,
    write,
    record,
    submit,
    clear,
    release,
    lose ///< not one of the nine: the device goes in the middle of a sequence
};
inline constexpr std::array<std::string_view, 10> step_names{
    "map",         "range",  "unmap", "destroy", "write",
    "record copy", "submit", "clear", "release", "lose device"};

/// What the buffer is made for; decides which operations its usage allows.
enum class Purpose : std::uint8_t { reading, writing, gpu };
inline constexpr std::array<std::string_view, 3> purpose_names{"readable", "writable", "GPU"};

/// Whether a map that was asked for has ended when the call returns.
enum class Maps : std::uint8_t { end_at_once, stay_pending };

/// The errors that the rules allow; none means that it works.
using Verdict = std::set<Errc>;

class Model {
public:
    Model(Purpose purpose, Maps maps) : purpose_(purpose), maps_(maps) {}

    void begin(State state);
    /// What `step` must answer; `stamp` is the byte that it writes everywhere, if it writes.
    [[nodiscard]] Verdict step(Step step, std::uint8_t stamp);

    [[nodiscard]] bool has_handle() const { return handle_; }
    [[nodiscard]] bool lost() const { return lost_; }
    [[nodiscard]] MapState map_state() const;
    /// Every byte of the buffer as the GPU has it, where somebody can still look.
    [[nodiscard]] std::optional<std::uint8_t> contents() const;
    /// Every byte of the buffer that is copied from and to.
    [[nodiscard]] std::uint8_t other() const { return other_; }
    /// How the last map request ends, where it has not been delivered.
    [[nodiscard]] const Verdict& request() const { return request_; }

    static constexpr std::uint8_t other_at_first = 200;

private:
    enum class Map : std::uint8_t { none, pending, reading, writing };

    [[nodiscard]] bool is_copy_target() const { return purpose_ != Purpose::writing; }
    [[nodiscard]] Verdict unavailable() const;
    [[nodiscard]] Verdict map();
    [[nodiscard]] Verdict range(std::uint8_t stamp);
    [[nodiscard]] Verdict unmap();
    [[nodiscard]] Verdict record();
    [[nodiscard]] Verdict submit();
    [[nodiscard]] Verdict use_as_target(std::uint8_t value);
    void destroy();
    void end_map(bool sends);

    Purpose purpose_;
    Maps maps_;
    Map map_ = Map::none;
    bool handle_ = true;
    bool destroyed_ = false;
    bool lost_ = false;
    bool claimed_ = false;  ///< the writable range was handed out
    bool recorded_ = false; ///< unsent commands use it
    std::uint8_t gpu_ = 0;
    std::uint8_t memory_ = 0; ///< what the mapping holds
    std::uint8_t other_ = other_at_first;
    Verdict request_{};
};

} // namespace ferry::test
