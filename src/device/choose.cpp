// SPDX-License-Identifier: MIT
#include "device/choose.hpp"

#include <algorithm>
#include <cctype>

#include "base/error.hpp"

namespace ferry::detail {

using base::text;

namespace {

bool is_number(std::string_view word) {
    return !word.empty() &&
           std::ranges::all_of(word, [](unsigned char c) { return std::isdigit(c) != 0; });
}

bool contains_ignoring_case(std::string_view whole, std::string_view part) {
    auto same = [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); };
    return !std::ranges::search(whole, part, same).empty();
}

bool named(const Adapter& adapter, std::string_view wanted) {
    if (is_number(wanted)) return text(adapter.index) == wanted;
    return contains_ignoring_case(adapter.name, wanted) ||
           contains_ignoring_case(adapter.driver, wanted);
}

std::string missing_feature(const std::vector<Feature>& wanted, const Adapter& adapter) {
    for (Feature feature : wanted) {
        if (std::ranges::find(adapter.features, feature) != adapter.features.end()) continue;
        const std::string_view known = name(feature);
        return text("lacks the feature ",
                    known.empty() ? text(static_cast<std::uint32_t>(feature)) : std::string(known));
    }
    return {};
}

int rank(AdapterKind kind, PowerPreference power) {
    const bool low = power == PowerPreference::low_power;
    switch (kind) {
    case AdapterKind::discrete: return low ? 1 : 0;
    case AdapterKind::integrated: return low ? 0 : 1;
    case AdapterKind::unknown: return 2;
    case AdapterKind::cpu: return 3;
    }
    return 4;
}

} // namespace

std::vector<FoundAdapter*> choose(std::vector<FoundAdapter>& adapters,
                                  const DeviceOptions& options) {
    std::vector<FoundAdapter*> out;
    for (FoundAdapter& adapter : adapters) {
        std::string& refusal = adapter.info.refusal;
        if (refusal.empty() && !options.adapter.empty() && !named(adapter.info, options.adapter)) {
            refusal = text("is not named \"", options.adapter, '"');
        }
        if (refusal.empty()) refusal = missing_feature(options.required_features, adapter.info);
        if (refusal.empty()) refusal = missing_limit(options.required_limits, adapter.info.limits);
        if (refusal.empty()) out.push_back(&adapter);
    }
    std::ranges::stable_sort(out, {}, [&](const FoundAdapter* adapter) {
        return rank(adapter->info.kind, options.power);
    });
    return out;
}

Error no_adapter(const Engine& engine, const std::vector<FoundAdapter>& adapters,
                 const DeviceOptions& options) {
    Error error{Errc::unsupported, {}, {}, {}, {}, {}};
    if (adapters.empty()) {
        error.what = text("The engine ", engine.name(), " finds no adapter on this machine.");
        error.fix = "Install a Vulkan driver: the GPU's own, or a CPU renderer (Debian: "
                    "mesa-vulkan-drivers and libvulkan1). "
                    "`ferry doctor` shows which drivers each engine accepts.";
        if (engine.table()->kind == EngineKind::dawn)
            error.trail = "Dawn writes to standard error why it refuses a driver.";
        return error;
    }
    error.what = options.adapter.empty()
                     ? text("None of the (", adapters.size(), ") adapters of ", engine.name(),
                            " can be used.")
                     : text("No adapter of ", engine.name(),
                            " can be used that has the number or name \"", options.adapter, "\".");
    error.fix = "Name an adapter of the list by its number or a part of its name, ask for less, or "
                "install a driver for the "
                "GPU; `ferry devices` lists what there is.";
    for (const FoundAdapter& adapter : adapters) {
        if (!error.trail.empty()) error.trail += '\n';
        error.trail += text("adapter ", adapter.info.index, " \"", adapter.info.name, "\" (",
                            adapter.info.backend, "): ", adapter.info.refusal);
    }
    return error;
}

} // namespace ferry::detail
