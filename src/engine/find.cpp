// SPDX-License-Identifier: MIT
#include <array>
#include <cstdlib>

#include "base/error.hpp"
#include "ferry/engine.hpp"

#ifndef FERRY_DEFAULT_ENGINE_WGPU
#define FERRY_DEFAULT_ENGINE_WGPU ""
#endif
#ifndef FERRY_DEFAULT_ENGINE_DAWN
#define FERRY_DEFAULT_ENGINE_DAWN ""
#endif
#ifndef FERRY_DEFAULT_ENGINE_FAKE
#define FERRY_DEFAULT_ENGINE_FAKE ""
#endif

namespace ferry {

using base::fail;
using base::text;

namespace {

struct Known {
    std::string_view name;
    const char* variable;
    const char* built_in; ///< path given at build time, or empty
    const char* soname;   ///< for the system's library path
};

constexpr std::array<Known, 3> known_engines{{
    {"wgpu", "FERRY_WGPU_PATH", FERRY_DEFAULT_ENGINE_WGPU, "libwgpu_native.so"},
    {"dawn", "FERRY_DAWN_PATH", FERRY_DEFAULT_ENGINE_DAWN, "libwebgpu_dawn.so"},
    {"fake", "FERRY_FAKE_PATH", FERRY_DEFAULT_ENGINE_FAKE, "libferry_fake.so"},
}};

std::string_view environment(const char* variable) {
    const char* value = std::getenv(variable);
    return value != nullptr ? value : std::string_view();
}

Result<Engine> find_known(const Known& known) {
    if (auto path = environment(known.variable); !path.empty()) {
        auto engine = Engine::load(std::string(path)); // an explicit wish is not second-guessed
        if (engine) return engine;
        return fail(std::move(engine).error(), text("while loading ", known.variable, '=', path));
    }
    std::string tried;
    for (const char* path : {known.built_in, known.soname}) {
        if (*path == '\0') continue;
        auto engine = Engine::load(path);
        if (engine || engine.error().code != Errc::io) return engine;
        tried += text(tried.empty() ? "" : "; ", path);
    }
    return fail(Errc::io, {},
                text("The engine \"", known.name, "\" is not found; tried ", known.variable,
                     " (not set); ", tried, '.'),
                text("Set ", known.variable, " to the path of ", known.soname,
                     ", or run tools/setup in ferry's source tree."));
}

Result<Engine> find_first() {
    auto wgpu = find_known(known_engines[0]);
    if (wgpu) return wgpu;
    auto dawn = find_known(known_engines[1]);
    if (dawn) return dawn;
    return fail(std::move(wgpu).error(), text("while looking for any engine; ", dawn.error().what));
}

Result<Engine> find_named(std::string_view name) {
    if (name.empty()) name = environment("FERRY_ENGINE");
    if (name.empty()) return find_first();
    if (name.find('/') != std::string_view::npos) return Engine::load(std::string(name));
    for (const Known& known : known_engines) {
        if (known.name == name) return find_known(known);
    }
    return fail(Errc::invalid_argument, {}, text("There is no engine named (", name, ")."),
                "Name one of wgpu, dawn, fake, or give a path with a '/' in it.");
}

} // namespace

Result<Engine> Engine::find(std::string_view name, Where where) {
    auto engine = find_named(name);
    if (!engine) engine.error().where = where;
    return engine;
}

} // namespace ferry
