// expect: read-only|const-qualified
// SPDX-License-Identifier: MIT
// Nor can the memory itself that such a view gives out.
#include <ferry/ferry.hpp>

void write(ferry::ReadMapping& mapping) {
    auto memory = mapping.as<float>().value().span().value();
#ifdef FERRY_MISUSE
    memory[0] = 123;
#else
    static_cast<void>(memory[0] + 123);
#endif
}
