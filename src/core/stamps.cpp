// SPDX-License-Identifier: MIT
#include "core/stamps.hpp"

#include "base/error.hpp"
#include "core/core.hpp"
#include "core/make_buffer.hpp"

namespace ferry::detail {

namespace {

/// Values that data is unlikely to hold.
std::uint64_t value_of(std::uint64_t index) { return (index + 1) * 0x9E3779B97F4A7C15ULL; }

} // namespace

Result<Stamps::Stamp> Stamps::next(Core& core) {
    if (!table_) {
        constexpr std::uint64_t size_bytes = count * sizeof(std::uint64_t);
        auto made = make_buffer(core, {.usage = WGPUBufferUsage_CopySrc,
                                       .size_bytes = size_bytes,
                                       .mapped = true,
                                       .label = "ferry stamps"});
        if (!made) return std::unexpected(std::move(made).error());
        HeldBuffer table(core.gpu(), *made);
        auto* values = static_cast<std::uint64_t*>(
            core.gpu().BufferGetMappedRange(table.get(), 0, size_bytes));
        if (values == nullptr) {
            return base::fail(Errc::out_of_memory, "B-02",
                              "The engine gives no memory for ferry's stamps.");
        }
        for (std::uint64_t i = 0; i < count; ++i) values[i] = value_of(i);
        core.gpu().BufferUnmap(table.get());
        core.note_write(size_bytes);
        table_ = std::move(table);
    }
    const std::uint64_t index = next_++ % count;
    return Stamp{table_.get(), index * sizeof(std::uint64_t), value_of(index)};
}

} // namespace ferry::detail
