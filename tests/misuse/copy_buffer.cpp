// expect: deleted.*Buffer
// SPDX-License-Identifier: MIT
// Copying a handle does not copy the memory, so a handle cannot be copied.
#include <ferry/ferry.hpp>

ferry::Buffer pass_on(ferry::Buffer& buffer) {
#ifdef FERRY_MISUSE
    ferry::Buffer other = buffer;
#else
    ferry::Buffer other = std::move(buffer);
#endif
    return other;
}
