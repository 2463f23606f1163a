// expect: cannot bind rvalue reference|no matching function
// SPDX-License-Identifier: MIT
// Copying uses the memory up, so it is moved in.
#include <ferry/ferry.hpp>

void send(ferry::Commands& commands, ferry::Staging<float>& staged, const ferry::Buffer& target) {
#ifdef FERRY_MISUSE
    commands.copy(staged, target);
#else
    commands.copy(std::move(staged), target);
#endif
}
