// expect: no matching function for call to.*download
// SPDX-License-Identifier: MIT
// A stream into memory that must not change.
#include <ferry/ferry.hpp>

ferry::Result<ferry::StreamReport> save(ferry::Device& device, const ferry::Buffer& buffer) {
#ifdef FERRY_MISUSE
    const
#endif
        std::vector<float>
            numbers(8);
    return ferry::download(device, buffer, numbers);
}
