// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <stdexcept>

#include <sys/mman.h>
#include <unistd.h>

namespace ferry::test {

/// Bytes that end exactly where a page begins that nobody may touch: reading one too many ends the
/// process.
class GuardedMemory {
public:
    explicit GuardedMemory(std::size_t size_bytes) : size_bytes_(size_bytes) {
        const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
        const std::size_t usable = (size_bytes + page - 1) / page * page;
        total_ = usable + page;
        void* memory =
            mmap(nullptr, total_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) throw std::runtime_error("mmap failed");
        base_ = static_cast<std::byte*>(memory);
        if (mprotect(base_ + usable, page, PROT_NONE) != 0)
            throw std::runtime_error("mprotect failed");
        first_ = base_ + usable - size_bytes;
    }
    GuardedMemory(const GuardedMemory&) = delete;
    GuardedMemory& operator=(const GuardedMemory&) = delete;
    ~GuardedMemory() { munmap(base_, total_); }

    template <class T = std::byte>
    [[nodiscard]] std::span<T> as() const {
        return {reinterpret_cast<T*>(first_), size_bytes_ / sizeof(T)};
    }

private:
    std::size_t size_bytes_;
    std::size_t total_ = 0;
    std::byte* base_ = nullptr;
    std::byte* first_ = nullptr;
};

} // namespace ferry::test
