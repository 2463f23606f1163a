// expect: no matching (member )?function for call to.*copy_to
// SPDX-License-Identifier: MIT
// A copy into memory that is gone after the call.
#include <ferry/ferry.hpp>

ferry::Result<std::size_t> copy(const ferry::MappedSpan<const float>& view) {
#ifdef FERRY_MISUSE
    return view.copy_to(std::vector<float>(4));
#else
    std::vector<float> numbers(4);
    return view.copy_to(numbers);
#endif
}
