// expect: deleted.*Commands
// SPDX-License-Identifier: MIT
// A recording is submitted once.
#include <ferry/ferry.hpp>

ferry::Commands pass_on(ferry::Commands& commands) {
#ifdef FERRY_MISUSE
    ferry::Commands other = commands;
#else
    ferry::Commands other = std::move(commands);
#endif
    return other;
}
