// expect: use of deleted function
// SPDX-License-Identifier: MIT
// A result of a batch whose memory is gone at once.
#include <ferry/ferry.hpp>

float first(ferry::Ticket<ferry::Batch<float>> ticket) {
#ifdef FERRY_MISUSE
    return ticket.wait(std::chrono::seconds(1)).value()[0][0];
#else
    const auto batch = ticket.wait(std::chrono::seconds(1)).value();
    return batch[0][0];
#endif
}
