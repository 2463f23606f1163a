// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "resource/buffer_state.hpp"

namespace ferry::detail {

/// A range in the engine's terms: offset and size are multiples of 4.
struct CopyRange {
    std::uint64_t offset_bytes = 0;
    std::uint64_t size_bytes = 0;
};

struct BufferCopy {
    CopyRange source;
    CopyRange target;
};

/// The rules of clearBuffer (K-10, K-11).
[[nodiscard]] Result<CopyRange> plan_clear(const BufferView& target);

/// The rules of copyBufferToBuffer (K-01 to K-07).
[[nodiscard]] Result<BufferCopy> plan_copy(const BufferView& source, const BufferView& target);

/// The range of a target that is written whole (K-03 to K-05).
[[nodiscard]] Result<Span64> resolve_write(const BufferView& target);

/// Where `size_bytes` of staged memory go.
[[nodiscard]] Result<CopyRange> plan_staged_copy(std::uint64_t size_bytes,
                                                 const BufferView& target);

/// A read of any bytes: the copy is widened to whole words, and `skip_bytes` of it come before the
/// wanted ones.
struct WideRead {
    CopyRange copy;
    std::uint64_t skip_bytes = 0;
    std::uint64_t size_bytes = 0;
};
[[nodiscard]] WideRead widened(const Span64& range);
[[nodiscard]] Result<WideRead> plan_read(const BufferView& source, std::size_t element_size);

/// `core` and a non-empty handle. `role`: "source".
[[nodiscard]] Result<> check_buffer(const Core& core, const BufferView& view,
                                    std::string_view role);

} // namespace ferry::detail
