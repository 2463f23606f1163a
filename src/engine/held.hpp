// SPDX-License-Identifier: MIT
#pragma once

#include <utility>

#include "engine/table.hpp"

namespace ferry::detail {

/// One reference to an engine object, released when dropped. `Release` is the table's function for
/// its kind.
template <class Handle, auto Release>
class Held {
public:
    Held() noexcept = default;
    Held(const EngineTable& gpu, Handle handle) noexcept : gpu_(&gpu), handle_(handle) {}
    Held(Held&& other) noexcept
        : gpu_(other.gpu_), handle_(std::exchange(other.handle_, nullptr)) {}
    Held& operator=(Held&& other) noexcept {
        std::swap(gpu_, other.gpu_);
        std::swap(handle_, other.handle_);
        return *this;
    }
    ~Held() {
        if (handle_ != nullptr) (gpu_->*Release)(handle_);
    }

    [[nodiscard]] Handle get() const noexcept { return handle_; }
    /// Gives the reference to the caller.
    [[nodiscard]] Handle release() noexcept { return std::exchange(handle_, nullptr); }
    [[nodiscard]] explicit operator bool() const noexcept { return handle_ != nullptr; }

private:
    const EngineTable* gpu_ = nullptr;
    Handle handle_ = nullptr;
};

using HeldBindGroup = Held<WGPUBindGroup, &EngineTable::BindGroupRelease>;
using HeldBindGroupLayout = Held<WGPUBindGroupLayout, &EngineTable::BindGroupLayoutRelease>;
using HeldBuffer = Held<WGPUBuffer, &EngineTable::BufferRelease>;
using HeldCommandBuffer = Held<WGPUCommandBuffer, &EngineTable::CommandBufferRelease>;
using HeldEncoder = Held<WGPUCommandEncoder, &EngineTable::CommandEncoderRelease>;
using HeldPass = Held<WGPUComputePassEncoder, &EngineTable::ComputePassEncoderRelease>;
using HeldPipeline = Held<WGPUComputePipeline, &EngineTable::ComputePipelineRelease>;
using HeldPipelineLayout = Held<WGPUPipelineLayout, &EngineTable::PipelineLayoutRelease>;
using HeldShaderModule = Held<WGPUShaderModule, &EngineTable::ShaderModuleRelease>;
using HeldTexture = Held<WGPUTexture, &EngineTable::TextureRelease>;
using HeldTextureView = Held<WGPUTextureView, &EngineTable::TextureViewRelease>;

} // namespace ferry::detail
