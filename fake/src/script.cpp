// SPDX-License-Identifier: MIT
#include "script.hpp"

#include <algorithm>

namespace ferry_fake {

std::optional<Fault> Script::fault_for(Function function) {
    std::optional<Fault> due;
    for (Fault& fault : faults) {
        if (fault.function && *fault.function != function) continue;
        if (fault.skip > 0) {
            --fault.skip;
            continue;
        }
        if (due) continue;
        due = fault;
        if (fault.times != UINT64_MAX) --fault.times;
    }
    std::erase_if(faults, [](const Fault& fault) { return fault.times == 0; });
    if (due) ++faults_applied;
    return due;
}

} // namespace ferry_fake
