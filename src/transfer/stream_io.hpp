// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>

#include "base/error.hpp"
#include "core/core.hpp"
#include "ferry/stream.hpp"

namespace ferry::detail {

/// Behind `StreamSource`.
class StreamReader {
public:
    StreamReader() = default;
    StreamReader(const StreamReader&) = delete;
    StreamReader& operator=(const StreamReader&) = delete;
    virtual ~StreamReader() = default;
    /// Fills all of the memory, which it only writes to, and which is gone once the device is.
    /// Errors: `io` when there is less.
    [[nodiscard]] virtual Result<> fill(std::span<std::byte> memory, Core& core) = 0;
};

/// Behind `StreamTarget`.
class StreamWriter {
public:
    StreamWriter() = default;
    StreamWriter(const StreamWriter&) = delete;
    StreamWriter& operator=(const StreamWriter&) = delete;
    virtual ~StreamWriter() = default;
    [[nodiscard]] virtual Result<> take(std::span<const std::byte> bytes, Core& core) = 0;
    [[nodiscard]] virtual Result<> close() { return {}; }

    /// What a download left behind that did not end well is not whole.
    void download_begins() noexcept { ++unfinished_; }
    void download_ends_well() noexcept { --unfinished_; }
    [[nodiscard]] bool is_whole() const noexcept { return unfinished_ == 0; }

private:
    std::uint64_t unfinished_ = 0;
};

/// What a function of the user's says, also when it throws.
template <class Call>
auto guarded(std::string_view what, Call call) -> decltype(call()) {
    try {
        return call();
    } catch (const std::exception& thrown) {
        return base::fail(Errc::io, {}, base::text("The ", what, " throws: ", thrown.what(), '.'));
    } catch (...) {
        return base::fail(Errc::io, {}, base::text("The ", what, " throws."));
    }
}

[[nodiscard]] Result<std::unique_ptr<StreamReader>> open_file_reader(const std::string& path,
                                                                     std::uint64_t offset_bytes);
[[nodiscard]] Result<std::unique_ptr<StreamWriter>> open_file_writer(const std::string& path);

} // namespace ferry::detail
