// expect: no matching (member )?function for call to.*wait_into
// SPDX-License-Identifier: MIT
// A read into memory that is gone after the call.
#include <ferry/ferry.hpp>

using namespace std::chrono_literals;

ferry::Result<std::size_t> read(ferry::Ticket<std::vector<float>>& ticket) {
#ifdef FERRY_MISUSE
    return ticket.wait_into(std::vector<float>(4), 1s);
#else
    std::vector<float> numbers(8);
    return ticket.wait_into(std::span(numbers).first(4), 1s); // a view may be a temporary
#endif
}
