// SPDX-License-Identifier: MIT
// The host memory of one mapping. It is freed at unmap, so that a stale pointer is caught under
// ASan.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <vector>

#include <webgpu/webgpu.h>

namespace ferry_fake {

// More than any host has: asking for it fails instead of ending the process under a sanitizer.
inline constexpr std::uint64_t max_host_block = std::uint64_t{1} << 38;

class Mapping {
public:
    // Nothing when the host has no memory for it.
    static std::optional<Mapping> create(WGPUMapMode mode, std::uint64_t offset,
                                         std::uint64_t size);

    WGPUMapMode mode() const { return mode_; }
    std::uint64_t offset() const { return offset_; }
    std::uint64_t size() const { return size_; }
    // The bytes of the whole mapping.
    std::byte* data() const { return block_.get() + pad(); }

    // Checks G-02 to G-06 and remembers the range as handed out; null when it may not be had.
    std::byte* range(std::uint64_t offset, std::uint64_t size, bool writable);
    // The same checks for a copy in or out, which hands nothing out.
    std::byte* place(std::uint64_t offset, std::uint64_t size) const;

private:
    struct Range {
        std::uint64_t begin;
        std::uint64_t end;
        bool writable;
    };
    struct Free {
        void operator()(std::byte* block) const { std::free(block); }
    };

    // Pointers are congruent to the buffer offset modulo 16, as webgpu.h promises.
    std::size_t pad() const { return static_cast<std::size_t>(offset_ % 16); }

    WGPUMapMode mode_ = WGPUMapMode_None;
    std::uint64_t offset_ = 0;
    std::uint64_t size_ = 0;
    std::unique_ptr<std::byte, Free> block_;
    std::vector<Range> ranges_;
};

} // namespace ferry_fake
