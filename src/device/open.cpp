// SPDX-License-Identifier: MIT
#include "device/open.hpp"

#include "base/error.hpp"
#include "device/choose.hpp"

namespace ferry::detail {

using base::fail;
using base::text;

namespace {

constexpr std::chrono::seconds patience{30};

/// Requests a device; what it reports goes to `inbox`.
Result<WGPUDevice> request_device(Instance& instance, const FoundAdapter& adapter,
                                  const DeviceOptions& options, Inbox& inbox) {
    std::vector<WGPUFeatureName> features;
    for (Feature feature : options.required_features)
        features.push_back(static_cast<WGPUFeatureName>(feature));
    const WGPULimits limits = to_engine(options.required_limits);
    WGPUDeviceDescriptor descriptor = WGPU_DEVICE_DESCRIPTOR_INIT;
    descriptor.label = view(options.label);
    descriptor.requiredFeatureCount = features.size();
    descriptor.requiredFeatures = features.data();
    descriptor.requiredLimits = &limits;
    inbox.listen(descriptor);
    Signal* signal = instance.signals().take();
    instance.asked(signal, instance.gpu().AdapterRequestDevice(adapter.handle, &descriptor,
                                                               Signals::device_info(signal)));
    const bool answered = instance.await(*signal, patience);
    auto* device = static_cast<WGPUDevice>(signal->object);
    const std::string reason = answered ? signal->message : std::string("it does not answer");
    const bool success =
        answered && signal->status == WGPURequestDeviceStatus_Success && device != nullptr;
    instance.signals().give_back(signal);
    if (!success) return fail(Errc::engine, {}, text("gives no device: ", reason));
    return device;
}

void describe(Core& core, FoundAdapter& adapter, const DeviceOptions& options) {
    core.adapter = adapter.info;
    core.label = options.label.empty() ? std::string("device") : std::string(options.label);
    core.staging().set_budget(options.staging_budget_bytes);
    core.uploads().set_cap(options.staging_budget_bytes);
    if (options.copy_threads) core.set_copy_threads(*options.copy_threads);
    read_abilities(core);
}

Result<std::shared_ptr<Core>> open_on(const std::shared_ptr<Instance>& instance,
                                      FoundAdapter& adapter, const DeviceOptions& options) {
    auto inbox = std::make_shared<Inbox>();
    auto device = request_device(*instance, adapter, options, *inbox);
    if (!device) {
        instance->keep(std::move(inbox)); // the engine may still call it
        return std::unexpected(std::move(device).error());
    }
    const EngineTable& gpu = instance->gpu();
    auto core = std::make_shared<Core>(
        instance,
        Core::Handles{std::exchange(adapter.handle, nullptr), *device, gpu.DeviceGetQueue(*device)},
        Owner::ferry, std::move(inbox));
    describe(*core, adapter, options);
    return core;
}

} // namespace

void read_abilities(Core& core) {
    WGPULimits limits = WGPU_LIMITS_INIT;
    if (core.gpu().DeviceGetLimits(core.device(), &limits) == WGPUStatus_Success)
        core.limits = from_engine(limits);
    for (Feature feature : known_features()) {
        if (core.gpu().DeviceHasFeature(core.device(), static_cast<WGPUFeatureName>(feature)) !=
            0) {
            core.features.push_back(feature);
        }
    }
}

Result<std::shared_ptr<Core>> open_device(const DeviceOptions& options) {
    Engine engine = options.engine;
    if (!engine) {
        auto found = Engine::find();
        if (!found) return std::unexpected(std::move(found).error());
        engine = *std::move(found);
    }
    auto instance = Instance::create(engine);
    if (!instance) return std::unexpected(std::move(instance).error());
    std::vector<FoundAdapter> adapters = find_adapters(**instance);
    for (FoundAdapter* adapter : choose(adapters, options)) {
        auto core = open_on(*instance, *adapter, options);
        if (core && options.canary) {
            if (auto ok = run_canary(**core); !ok) core = std::unexpected(std::move(ok).error());
        }
        if (!core) {
            adapter->info.refusal = core.error().what;
            continue;
        }
        return core;
    }
    return std::unexpected(no_adapter(engine, adapters, options));
}

} // namespace ferry::detail
