// SPDX-License-Identifier: MIT
// The table by name.
#include "ferry_fake/ferry_fake.h"

#include "entry.hpp"
#include "text.hpp"

namespace ferry_fake {

namespace {

struct Symbol {
    std::string_view name;
    void* address;
};

// Function pointers as data pointers: what dlsym does too.
#define FERRY_FAKE_FUNCTION(name)                                                                  \
    Symbol{"wgpu" #name, reinterpret_cast<void*>(&Entry<Function::name>::call)},
#define FERRY_FAKE_REFERENCE_FUNCTION(name) FERRY_FAKE_FUNCTION(name)
const Symbol symbols[] = {
#include "functions.inc"
};
#undef FERRY_FAKE_FUNCTION
#undef FERRY_FAKE_REFERENCE_FUNCTION

void* find(std::string_view name) {
    if (name == "ferry_fake_version") return reinterpret_cast<void*>(&ferry_fake_version);
    for (const Symbol& symbol : symbols)
        if (symbol.name == name) return symbol.address;
    return nullptr;
}

} // namespace

namespace api {

WGPUProc GetProcAddress(WGPUStringView name) {
    return reinterpret_cast<WGPUProc>(find(string_of(name)));
}

} // namespace api
} // namespace ferry_fake

extern "C" void* ferry_fake_symbol(void*, const char* name) {
    return name ? ferry_fake::find(name) : nullptr;
}
