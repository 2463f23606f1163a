// SPDX-License-Identifier: MIT
#include "engine/adapters.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"

namespace ferry {

using base::text;

namespace detail {

namespace {

constexpr std::chrono::seconds patience{30}; // a driver may compile at first use

std::string_view name_of(WGPUBackendType backend) {
    switch (backend) {
    case WGPUBackendType_Null: return "Null";
    case WGPUBackendType_WebGPU: return "WebGPU";
    case WGPUBackendType_D3D11: return "D3D11";
    case WGPUBackendType_D3D12: return "D3D12";
    case WGPUBackendType_Metal: return "Metal";
    case WGPUBackendType_Vulkan: return "Vulkan";
    case WGPUBackendType_OpenGL: return "OpenGL";
    case WGPUBackendType_OpenGLES: return "OpenGLES";
    default: return "unknown";
    }
}

/// Backends that were seen to move wrong bytes, or none (`cases.md`: array layers and block formats
/// read zeros on GL).
std::string refusal_of(WGPUBackendType backend, EngineKind kind) {
    if (backend == WGPUBackendType_OpenGL || backend == WGPUBackendType_OpenGLES) {
        return "OpenGL adapters are known to read back wrong bytes";
    }
    if (backend == WGPUBackendType_Null && kind != EngineKind::fake) {
        return "the null backend drops copies";
    }
    return {};
}

void describe(FoundAdapter& found) {
    const EngineTable& gpu = *found.gpu;
    WGPUAdapterInfo info = WGPU_ADAPTER_INFO_INIT;
    gpu.AdapterGetInfo(found.handle, &info);
    found.info.name = view(info.device);
    found.info.vendor = view(info.vendor);
    found.info.driver = view(info.description);
    found.info.backend = name_of(info.backendType);
    found.info.kind = AdapterKind{static_cast<std::uint32_t>(info.adapterType)};
    found.info.refusal = refusal_of(info.backendType, gpu.kind);
    if (found.info.name.empty()) found.info.name = "unnamed adapter";
    gpu.AdapterInfoFreeMembers(info);
    WGPULimits limits = WGPU_LIMITS_INIT;
    if (gpu.AdapterGetLimits(found.handle, &limits) == WGPUStatus_Success) {
        found.info.limits = from_engine(limits);
    }
    for (Feature feature : known_features()) {
        const auto raw = static_cast<WGPUFeatureName>(feature);
        if (gpu.AdapterHasFeature(found.handle, raw) != 0) found.info.features.push_back(feature);
    }
}

bool same(const Adapter& a, const Adapter& b) {
    return a.name == b.name && a.backend == b.backend && a.driver == b.driver;
}

void add(std::vector<FoundAdapter>& list, FoundAdapter found) {
    found.info.index = static_cast<std::uint32_t>(list.size());
    list.push_back(std::move(found));
}

FoundAdapter described(const EngineTable& gpu, WGPUAdapter handle) {
    FoundAdapter found(gpu, handle);
    describe(found);
    return found;
}

void add_if_new(std::vector<FoundAdapter>& list, const EngineTable& gpu, WGPUAdapter handle) {
    FoundAdapter found = described(gpu, handle);
    const bool known = std::ranges::any_of(
        list, [&](const FoundAdapter& other) { return same(other.info, found.info); });
    if (!known) add(list, std::move(found));
}

WGPUAdapter request(Instance& instance, WGPUPowerPreference power, bool fallback) {
    WGPURequestAdapterOptions options = WGPU_REQUEST_ADAPTER_OPTIONS_INIT;
    options.powerPreference = power;
    options.forceFallbackAdapter = fallback;
    Signal* signal = instance.signals().take();
    instance.asked(signal, instance.gpu().InstanceRequestAdapter(instance.handle(), &options,
                                                                 Signals::adapter_info(signal)));
    WGPUAdapter adapter = nullptr;
    if (instance.await(*signal, patience) && signal->status == WGPURequestAdapterStatus_Success) {
        adapter = static_cast<WGPUAdapter>(signal->object);
    }
    instance.signals().give_back(signal);
    return adapter;
}

/// The standard has no list of adapters: ask in every way there is, and keep the different answers.
void find_by_asking(Instance& instance, std::vector<FoundAdapter>& out) {
    for (bool fallback : {false, true}) {
        for (auto power : {WGPUPowerPreference_Undefined, WGPUPowerPreference_HighPerformance,
                           WGPUPowerPreference_LowPower}) {
            if (WGPUAdapter adapter = request(instance, power, fallback)) {
                add_if_new(out, instance.gpu(), adapter);
            }
        }
    }
}

} // namespace

FoundAdapter::FoundAdapter(const EngineTable& table, WGPUAdapter adapter) noexcept
    : gpu(&table), handle(adapter) {}

FoundAdapter::FoundAdapter(FoundAdapter&& other) noexcept
    : gpu(other.gpu), handle(std::exchange(other.handle, nullptr)), info(std::move(other.info)) {}

FoundAdapter& FoundAdapter::operator=(FoundAdapter&& other) noexcept {
    std::swap(gpu, other.gpu);
    std::swap(handle, other.handle);
    std::swap(info, other.info);
    return *this;
}

FoundAdapter::~FoundAdapter() {
    if (handle != nullptr) gpu->AdapterRelease(handle);
}

std::vector<FoundAdapter> find_adapters(Instance& instance) {
    const EngineTable& gpu = instance.gpu();
    std::vector<FoundAdapter> out;
    if (gpu.enumerate_adapters == nullptr) {
        find_by_asking(instance, out);
        return out;
    }
    std::vector<WGPUAdapter> handles(gpu.enumerate_adapters(instance.handle(), nullptr, nullptr));
    if (!handles.empty()) gpu.enumerate_adapters(instance.handle(), nullptr, handles.data());
    for (WGPUAdapter handle : handles) add(out, described(gpu, handle));
    return out;
}

} // namespace detail

Result<std::vector<Adapter>> adapters(const Engine& engine) {
    if (!engine) {
        return base::fail(Errc::invalid_argument, {}, "The engine is empty.",
                          "Get one from Engine::find or Engine::load.");
    }
    auto instance = detail::Instance::create(engine);
    if (!instance) return std::unexpected(std::move(instance).error());
    std::vector<Adapter> out;
    for (auto& found : detail::find_adapters(**instance)) out.push_back(std::move(found.info));
    return out;
}

} // namespace ferry
