// expect: deleted.*Mapping
// SPDX-License-Identifier: MIT
// One mapping, one owner: what ends it is clear.
#include <ferry/ferry.hpp>

ferry::WriteMapping pass_on(ferry::WriteMapping& mapping) {
#ifdef FERRY_MISUSE
    ferry::WriteMapping other = mapping;
#else
    ferry::WriteMapping other = std::move(mapping);
#endif
    return other;
}
