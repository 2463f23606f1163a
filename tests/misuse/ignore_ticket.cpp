// expect: ignoring return(ed)? value
// SPDX-License-Identifier: MIT
// A map whose ticket is dropped is cancelled at once.
#include <ferry/ferry.hpp>

void ask(ferry::Buffer& buffer) {
#ifdef FERRY_MISUSE
    buffer.map_read();
#else
    auto ticket = buffer.map_read();
    ticket.cancel();
#endif
}
