// SPDX-License-Identifier: MIT
#include "base/text.hpp"

namespace ferry::base {

std::string grouped(unsigned long long number) {
    std::string digits = std::to_string(number);
    for (std::size_t at = digits.size(); at > 3;) {
        at -= 3;
        digits.insert(at, 1, ',');
    }
    return digits;
}

} // namespace ferry::base
