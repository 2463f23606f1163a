// expect: no matching (member )?function for call to.*wait_into
// SPDX-License-Identifier: MIT
// Memory for another type than the one that was read.
#include <ferry/ferry.hpp>

using namespace std::chrono_literals;

ferry::Result<std::size_t> read(ferry::Ticket<std::vector<float>>& ticket) {
#ifdef FERRY_MISUSE
    std::vector<double> numbers(4);
#else
    std::vector<float> numbers(4);
#endif
    return ticket.wait_into(numbers, 1s);
}
