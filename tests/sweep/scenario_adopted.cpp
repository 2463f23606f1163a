// SPDX-License-Identifier: MIT
// A device, a buffer and encoders that the program made with raw webgpu.h, handed to ferry.
#include <iostream>

#include "ferry/interop.hpp"
#include "scenarios.hpp"

namespace ferry::test {
namespace {

using namespace std::chrono_literals;
using Words = std::vector<std::uint32_t>;

template <class Function>
Function raw(const char* name) {
    return reinterpret_cast<Function>(ferry_fake_symbol(nullptr, name));
}
#define FERRY_RAW(name) raw<WGPUProc##name>("wgpu" #name)

/// The program's own handles; they are made before any fault begins.
class OwnDevice {
public:
    OwnDevice() {
        handles_.instance = FERRY_RAW(CreateInstance)(nullptr);
        FERRY_RAW(InstanceRequestAdapter)
        (handles_.instance, nullptr,
         {nullptr, WGPUCallbackMode_AllowProcessEvents,
          [](WGPURequestAdapterStatus, WGPUAdapter adapter, WGPUStringView, void* out, void*) {
              *static_cast<WGPUAdapter*>(out) = adapter;
          },
          &handles_.adapter, nullptr});
        FERRY_RAW(InstanceProcessEvents)(handles_.instance);
        FERRY_RAW(AdapterRequestDevice)
        (handles_.adapter, nullptr,
         {nullptr, WGPUCallbackMode_AllowProcessEvents,
          [](WGPURequestDeviceStatus, WGPUDevice device, WGPUStringView, void* out, void*) {
              *static_cast<WGPUDevice*>(out) = device;
          },
          &handles_.device, nullptr});
        FERRY_RAW(InstanceProcessEvents)(handles_.instance);
        handles_.queue = FERRY_RAW(DeviceGetQueue)(handles_.device);
        WGPUBufferDescriptor descriptor = WGPU_BUFFER_DESCRIPTOR_INIT;
        descriptor.usage = WGPUBufferUsage_CopySrc | WGPUBufferUsage_CopyDst;
        descriptor.size = 16;
        buffer_ = FERRY_RAW(DeviceCreateBuffer)(handles_.device, &descriptor);
    }
    OwnDevice(const OwnDevice&) = delete;
    OwnDevice& operator=(const OwnDevice&) = delete;
    ~OwnDevice() {
        FERRY_RAW(BufferRelease)(buffer_);
        FERRY_RAW(QueueRelease)(handles_.queue);
        FERRY_RAW(DeviceRelease)(handles_.device);
        FERRY_RAW(AdapterRelease)(handles_.adapter);
        FERRY_RAW(InstanceRelease)(handles_.instance);
    }
    [[nodiscard]] const interop::RawDevice& handles() const { return handles_; }
    [[nodiscard]] WGPUBuffer buffer() const { return buffer_; }

private:
    interop::RawDevice handles_{};
    WGPUBuffer buffer_ = nullptr;
};

/// An encoder of the program's with one read of ferry's in it.
struct OwnEncoder {
    explicit OwnEncoder(WGPUDevice device)
        : handle(FERRY_RAW(DeviceCreateCommandEncoder)(device, nullptr)) {}
    OwnEncoder(const OwnEncoder&) = delete;
    OwnEncoder& operator=(const OwnEncoder&) = delete;
    ~OwnEncoder() {
        if (commands != nullptr) FERRY_RAW(CommandBufferRelease)(commands);
        if (handle != nullptr) FERRY_RAW(CommandEncoderRelease)(handle);
    }
    [[nodiscard]] bool finish() {
        commands = FERRY_RAW(CommandEncoderFinish)(handle, nullptr);
        return commands != nullptr;
    }
    WGPUCommandEncoder handle;
    WGPUCommandBuffer commands = nullptr;
};

int fail(const char* why) {
    std::cerr << why << '\n';
    return 1;
}

enum class Sender { ferry, program, nobody };

/// Records a read into an encoder of the program's and sends it one way or another.
int read_once(Device& device, const OwnDevice& own, const Buffer& source, Sender sender) {
    OwnEncoder encoder(own.handles().device);
    if (encoder.handle == nullptr) return fail("the program got no encoder");
    auto commands = interop::record_into(device, encoder.handle).value();
    auto read = commands.read<std::uint32_t>(source);
    if (!encoder.finish()) return fail("the program got no command buffer");
    if (sender == Sender::program)
        FERRY_RAW(QueueSubmit)(own.handles().queue, 1, &encoder.commands);
    auto sent = sender == Sender::ferry
                    ? interop::submit(device, std::span(&encoder.commands, 1), std::move(commands))
                    : interop::submitted(device, std::move(commands));
    auto outcome = only_outcome(read, 10s);
    if (!sent) return end_with(sent.error());
    if (!outcome) {
        (void)end_with(outcome.error());
        return sender == Sender::nobody && outcome.error().code == Errc::not_submitted ? 0 : 1;
    }
    return sender != Sender::nobody && *outcome == Words{1, 2, 3, 4} ? 0 : 1;
}

} // namespace

int scenario_adopted() try {
    prepare_without_faults();
    const OwnDevice own;
    arm_fault();
    auto device = interop::adopt(fake_engine(), own.handles(), "adopted").value();
    auto buffer = interop::adopt(device, own.buffer(), "adopted buffer").value();
    device.write(buffer, Words{1, 2, 3, 4}).value();
    for (Sender sender : {Sender::ferry, Sender::program, Sender::nobody}) {
        if (const int end = read_once(device, own, buffer, sender); end != 0) return end;
    }
    auto plain = device.read<std::uint32_t>(buffer);
    const bool right = only_outcome(plain, 10s).value() == Words{1, 2, 3, 4};
    interop::notify_lost(device, "the program was told so");
    auto after = device.read<std::uint32_t>(buffer);
    const auto lost = only_outcome(after, 10s);
    return right && !lost && device.lost() ? 0 : 1;
} catch (const std::bad_expected_access<Error>& failed) {
    return end_with(failed.error());
}

} // namespace ferry::test
