// SPDX-License-Identifier: MIT
#include "counted_engine.hpp"

#include <cstdlib>
#include <new>
#include <string_view>
#include <utility>

#include "fake_world.hpp"

namespace ferry::test {
namespace {

thread_local bool counted = false;
thread_local int engine_depth = 0;
thread_local std::uint64_t allocations = 0;

void note_allocation() {
    if (counted && engine_depth == 0) ++allocations;
}

enum class Function {
#define FERRY_ENGINE_FUNCTION(name) name,
#include "ferry/engine_functions.inc"
};

/// One function of the engine, and the one that stands before it.
template <Function which, class Pointer>
struct Before;
template <Function which, class Answer, class... Arguments>
struct Before<which, Answer (*)(Arguments...)> {
    static inline Answer (*real)(Arguments...) = nullptr;
    static Answer call(Arguments... arguments) {
        struct Inside {
            Inside() { ++engine_depth; }
            ~Inside() { --engine_depth; }
        } inside;
        return real(arguments...);
    }
};

void* find(void*, const char* name) {
    void* real = ferry_fake_symbol(nullptr, name);
#define FERRY_ENGINE_FUNCTION(function)                                                            \
    if (std::string_view(name) == "wgpu" #function) {                                              \
        using Wrapped = Before<Function::function, WGPUProc##function>;                            \
        Wrapped::real = reinterpret_cast<WGPUProc##function>(real);                                \
        return reinterpret_cast<void*>(&Wrapped::call);                                            \
    }
#include "ferry/engine_functions.inc"
    return real;
}

void* allocate(std::size_t size, std::size_t alignment) {
    note_allocation();
    const std::size_t whole = (std::max<std::size_t>(size, 1) + alignment - 1) & ~(alignment - 1);
    void* memory = alignment <= alignof(std::max_align_t) ? std::malloc(whole)
                                                          : std::aligned_alloc(alignment, whole);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}

} // namespace

const Engine& counted_engine() {
    static const Engine engine = must(Engine::from(&find, nullptr, "counted"));
    return engine;
}

AllocationCount::AllocationCount() {
    allocations = 0;
    counted = true;
}
AllocationCount::~AllocationCount() { counted = false; }
std::uint64_t AllocationCount::value() const { return allocations; }

} // namespace ferry::test

// The program's own, for every allocation of C++ in it; all of them, since what is freed here must
// come from here.
void* operator new(std::size_t size) { return ferry::test::allocate(size, 1); }
void* operator new[](std::size_t size) { return ferry::test::allocate(size, 1); }
void* operator new(std::size_t size, std::align_val_t alignment) {
    return ferry::test::allocate(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
    return ferry::test::allocate(size, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept try {
    return ferry::test::allocate(size, 1);
} catch (const std::bad_alloc&) {
    return nullptr;
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept try {
    return ferry::test::allocate(size, 1);
} catch (const std::bad_alloc&) {
    return nullptr;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
