// SPDX-License-Identifier: MIT
#include "core/make_buffer.hpp"

#include "base/error.hpp"
#include "core/core.hpp"
#include "engine/scope.hpp"

namespace ferry::detail {

using base::fail;
using base::grouped;
using base::text;

Result<WGPUBuffer> make_buffer(Core& core, const BufferRequest& request) {
    if (auto ok = core.check_usable({"create buffer", request.label}); !ok)
        return std::unexpected(std::move(ok).error());
    WGPUBufferDescriptor descriptor = WGPU_BUFFER_DESCRIPTOR_INIT;
    descriptor.label = view(request.label);
    descriptor.usage = request.usage;
    descriptor.size = request.size_bytes;
    descriptor.mappedAtCreation = request.mapped;
    Scope scope(core.instance(), core.device(), Scope::Catch::validation_and_memory);
    WGPUBuffer buffer = core.gpu().DeviceCreateBuffer(core.device(), &descriptor);
    auto verdict = core.verdict(scope.close({"creating buffer", request.label}));
    if (verdict && buffer != nullptr) return buffer;
    if (buffer != nullptr) core.gpu().BufferRelease(buffer);
    if (!verdict) return std::unexpected(std::move(verdict).error());
    return fail(Errc::out_of_memory, "B-12",
                text("The engine has no memory for buffer \"", request.label, "\" of (",
                     grouped(request.size_bytes), ") bytes."),
                "Free buffers with destroy(), or work in smaller pieces.");
}

} // namespace ferry::detail
