// SPDX-License-Identifier: MIT
// The way into the engine: every function is checked, counted and faulted here, then runs its
// implementation.
#pragma once

#include <tuple>
#include <type_traits>

#include "api.hpp"
#include "call.hpp"
#include "functions.hpp"
#include "handle.hpp"

namespace ferry_fake {

template <Function F>
struct Implementation;

#define FERRY_FAKE_FUNCTION(name)                                                                  \
    template <>                                                                                    \
    struct Implementation<Function::name> {                                                        \
        static constexpr auto run = &api::name;                                                    \
    };
#define FERRY_FAKE_REFERENCE_FUNCTION(name) FERRY_FAKE_FUNCTION(name)
#include "functions.inc"
#undef FERRY_FAKE_FUNCTION
#undef FERRY_FAKE_REFERENCE_FUNCTION

template <class... Arguments>
struct FirstArgument {
    using Type = void;
};
template <class First, class... Rest>
struct FirstArgument<First, Rest...> {
    using Type = First;
};

// A stale handle of a known world is that world's misuse; everything else the process counts.
inline World* world_of_fault(const Header* header) {
    const bool known = header && (header->mark == Header::alive || header->mark == Header::dead);
    return known ? header->world : nullptr;
}

template <Function F, class Result, class Self, class... Rest>
Result enter(Result (*run)(Self, Rest...), Self self, Rest... rest) {
    Header* header = header_of(self);
    constexpr Kind kind = HandleTraits<Self>::kind;
    if (!mark_fault(header, kind).empty()) {
        report_handle(header, kind, world_of_fault(header));
        return Result();
    }
    Call call(*header->world, F, static_cast<Object*>(header));
    if (!handle_fault(header, kind).empty()) {
        report_handle(header, kind, header->world);
        return Result();
    }
    if (call.answers_null()) return Result();
    if constexpr (std::is_void_v<Result>) {
        run(self, rest...);
        call.finish();
    } else {
        Result result = run(self, rest...);
        call.finish();
        return result;
    }
}

template <Function F, auto Run = Implementation<F>::run>
struct Entry;

template <Function F, class Result, class... Arguments, Result (*Run)(Arguments...)>
struct Entry<F, Run> {
    static Result call(Arguments... arguments) {
        // Functions without an object (creating an instance, freeing lists) have no world to count
        // in.
        if constexpr (IsHandle<typename FirstArgument<Arguments...>::Type>)
            return enter<F>(Run, arguments...);
        else
            return Run(arguments...);
    }
};

template <Function F, class... Arguments>
auto entry(Arguments... arguments) {
    return Entry<F>::call(arguments...);
}

} // namespace ferry_fake
