// expect: (?s)set.*constraints not satisfied
// SPDX-License-Identifier: MIT
// A view of a mapping for reading cannot be written through.
#include <ferry/ferry.hpp>

ferry::Result<> write(ferry::ReadMapping& mapping) {
    auto view = mapping.as<float>();
    if (!view) return std::unexpected(view.error());
#ifdef FERRY_MISUSE
    return view->set(0, 123);
#else
    if (auto first = view->at(0); !first) return std::unexpected(first.error());
    return {};
#endif
}
