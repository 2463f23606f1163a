// expect: deleted.*Ticket
// SPDX-License-Identifier: MIT
// A ticket has one outcome, and one owner takes it.
#include <ferry/ferry.hpp>

ferry::Ticket<std::vector<float>> pass_on(ferry::Ticket<std::vector<float>>& ticket) {
#ifdef FERRY_MISUSE
    ferry::Ticket<std::vector<float>> other = ticket;
#else
    ferry::Ticket<std::vector<float>> other = std::move(ticket);
#endif
    return other;
}
