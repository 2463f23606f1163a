// expect: deleted.*as
// SPDX-License-Identifier: MIT
// The mapping would end with the expression, and the view would be detached at birth.
#include <ferry/ferry.hpp>

using namespace std::chrono_literals;

ferry::Result<float> first(ferry::Buffer& buffer) {
#ifdef FERRY_MISUSE
    auto view = buffer.map_read().wait(1s).value().as<float>();
#else
    auto mapping = buffer.map_read().wait(1s).value();
    auto view = mapping.as<float>();
#endif
    return view.value().at(0);
}
