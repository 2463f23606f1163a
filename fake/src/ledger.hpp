// SPDX-License-Identifier: MIT
// Accounting: calls, objects, bytes, errors and misuse of one world.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "functions.hpp"
#include "object.hpp"

namespace ferry_fake {

struct Ledger {
    std::array<std::uint64_t, function_count> calls{};
    std::uint64_t all_calls = 0;
    std::array<std::uint64_t, kind_names.size()> live{};
    std::array<std::uint64_t, kind_names.size()> created{};
    std::uint64_t bytes = 0;
    std::uint64_t peak_bytes = 0;
    std::vector<std::string> errors;
    std::vector<std::string> misuses;

    void count_call(Function function) {
        ++calls[index_of(function)];
        ++all_calls;
    }
    void add_bytes(std::uint64_t count) {
        bytes += count;
        if (bytes > peak_bytes) peak_bytes = bytes;
    }
    void remove_bytes(std::uint64_t count) { bytes -= count; }
};

} // namespace ferry_fake
