// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <ranges>
#include <source_location>
#include <span>
#include <stop_token>
#include <string>
#include <type_traits>

#include "ferry/buffer.hpp"
#include "ferry/error.hpp"
#include "ferry/texture.hpp"
#include "ferry/write.hpp"

namespace ferry {

class Device;

namespace detail {
class StreamReader;
class StreamWriter;
class UploadRun;
class DownloadRun;

template <class F>
concept Reads = std::is_invocable_r_v<Result<std::size_t>, F&, std::span<std::byte>>;
template <class F>
concept Writes = std::is_invocable_r_v<Result<>, F&, std::span<const std::byte>>;

/// A range that outlives the expression it stands in.
template <class R>
concept Lasting =
    std::is_lvalue_reference_v<R> || std::ranges::enable_borrowed_range<std::remove_cvref_t<R>>;
template <class R>
concept ReadableMemory = Lasting<R> && Data<std::remove_cvref_t<R>>;
template <class R>
concept WritableMemory = Lasting<R> && Data<std::remove_cvref_t<R>> && requires(R& range) {
    std::as_writable_bytes(std::span(range));
};
} // namespace detail

/// Where an upload's bytes come from: memory, a file, or a function. One source can feed several
/// uploads, each of which goes on where the last one ended. Move-only.
class FERRY_API StreamSource {
public:
    /// Fills the memory from its first byte on and answers how many bytes it gave; 0 means that
    /// there are no more. The memory is mapped for the GPU: to be written, not read.
    using Read = std::function<Result<std::size_t>(std::span<std::byte>)>;

    template <detail::Reads F>
    StreamSource(F read) : StreamSource(Read(std::move(read))) {} // NOLINT: `upload(d, read, b)`
    StreamSource(Read read);                                      // NOLINT

    /// Memory of the caller's, which stays valid until the upload has ended.
    template <detail::ReadableMemory R>
    StreamSource(R&& data) // NOLINT: `upload(d, data, b)`
        : StreamSource(detail::bytes_of(data)) {}
    StreamSource(std::span<const std::byte> memory); // NOLINT

    /// A file or pipe, from byte `offset_bytes` on. It is read straight into mapped memory; a file
    /// that shrinks meanwhile is an error and no signal. Errors: `io`.
    [[nodiscard]] static Result<StreamSource> file(
        const std::string& path, std::uint64_t offset_bytes = 0,
        std::source_location where = std::source_location::current());

    StreamSource(StreamSource&&) noexcept;
    StreamSource& operator=(StreamSource&&) noexcept;
    ~StreamSource();

    /// For ferry's own parts.
    explicit StreamSource(std::unique_ptr<detail::StreamReader> reader) noexcept;
    [[nodiscard]] detail::StreamReader& reader() const noexcept { return *reader_; }
    [[nodiscard]] explicit operator bool() const noexcept { return reader_ != nullptr; }

private:
    std::unique_ptr<detail::StreamReader> reader_;
};

/// Where a download's bytes go: memory, a file, or a function. One target can take several
/// downloads behind each other. Move-only.
class FERRY_API StreamTarget {
public:
    /// Takes the next bytes, which lie in memory that the GPU wrote to: nothing was copied. They
    /// are valid during the call, while the device is there.
    using Write = std::function<Result<>(std::span<const std::byte>)>;

    template <detail::Writes F>
    StreamTarget(F write) : StreamTarget(Write(std::move(write))) {} // NOLINT
    StreamTarget(Write write);                                       // NOLINT

    /// Memory of the caller's, which stays valid until the download has ended.
    template <detail::WritableMemory R>
    StreamTarget(R&& data) // NOLINT: `download(d, b, data)`
        : StreamTarget(std::as_writable_bytes(std::span(data))) {}
    StreamTarget(std::span<std::byte> memory); // NOLINT

    /// A file, which appears under its name with `close`; before that it is `path` + ".part".
    /// Errors: `io`.
    [[nodiscard]] static Result<StreamTarget> file(
        const std::string& path, std::source_location where = std::source_location::current());
    /// Makes the file whole and visible; for the others there is nothing to do. A file that was not
    /// closed is removed. Errors: `io` (no room on the disk).
    [[nodiscard]] Result<> close(std::source_location where = std::source_location::current());

    StreamTarget(StreamTarget&&) noexcept;
    StreamTarget& operator=(StreamTarget&&) noexcept;
    ~StreamTarget();

    /// For ferry's own parts.
    explicit StreamTarget(std::unique_ptr<detail::StreamWriter> writer) noexcept;
    [[nodiscard]] detail::StreamWriter& writer() const noexcept { return *writer_; }
    [[nodiscard]] explicit operator bool() const noexcept { return writer_ != nullptr; }

private:
    std::unique_ptr<detail::StreamWriter> writer_;
};

struct StreamProgress {
    std::uint64_t done_bytes = 0; ///< sent, or taken by the target
    std::uint64_t total_bytes = 0;
};

/// How a stream moves. Its memory is at most about `chunk_bytes` * `depth`, however much it moves.
struct StreamOptions {
    /// A multiple of 4; of texels whole rows. Left out: 4 to 32 MiB, by the size of the transfer.
    std::optional<std::uint64_t> chunk_bytes{};
    /// Chunks with the GPU at a time. Left out: 4, or as many as 64 MiB hold.
    std::optional<std::uint32_t> depth{};
    /// Looked at before each chunk; then the stream ends with `cancelled`.
    std::stop_token stop{};
    /// Called after each chunk, on the caller's thread.
    std::function<void(const StreamProgress&)> progress{};
    /// So long may the GPU finish nothing before the stream ends with `timeout`.
    std::chrono::nanoseconds patience = std::chrono::seconds(30);
};

/// What a stream that ended well has moved.
struct StreamReport {
    std::uint64_t bytes = 0;
    std::uint64_t chunks = 0;
    std::uint64_t staging_bytes = 0; ///< most that was with the GPU at a time
};

/// An upload that goes on little by little, for loaders that must not stall a frame. Refers to its
/// source, which outlives it. Move-only; dropped early, it leaves the target half written.
class FERRY_API Upload {
public:
    using Where = std::source_location;

    Upload() noexcept;
    /// Errors: of the range and the usage (as in `Device::write`), `invalid_argument` (a chunk that
    /// is too small, no depth), `wrong_state`, `device_lost`.
    [[nodiscard]] static Result<Upload> begin(Device& device, StreamSource& source,
                                              const BufferView& target,
                                              const StreamOptions& options = {},
                                              Where where = Where::current());
    /// Rows of texels lie tight in the source, image after image. `size` left out: the rest of the
    /// level.
    [[nodiscard]] static Result<Upload> begin(Device& device, StreamSource& source,
                                              const TextureAt& target,
                                              const std::optional<Extent3D>& size = {},
                                              const StreamOptions& options = {},
                                              Where where = Where::current());

    /// Moves the next chunk, if there is room for one; true once everything was sent. Does not wait
    /// for the GPU; takes as long as the source takes to give a chunk. Commands that are submitted
    /// after that see the bytes. Errors: the source's, `io` (it ended early, gave more than was
    /// asked for, or threw), `cancelled`, `device_lost`; the text says how far it came. An error is
    /// final.
    [[nodiscard]] Result<bool> step(Where where = Where::current());
    [[nodiscard]] StreamProgress progress() const noexcept;
    [[nodiscard]] StreamReport report() const noexcept;

    Upload(Upload&&) noexcept;
    Upload& operator=(Upload&&) noexcept;
    ~Upload();

private:
    explicit Upload(std::shared_ptr<detail::UploadRun> run) noexcept;
    std::shared_ptr<detail::UploadRun> run_;
};

/// A download that goes on little by little. Refers to its target, which outlives it. Move-only;
/// dropped early, it leaves the target incomplete. Reads what was submitted before each chunk:
/// nothing may write to the source until it has ended.
class FERRY_API Download {
public:
    using Where = std::source_location;

    Download() noexcept;
    /// Errors: of the range and the usage (as in `Commands::read`), `invalid_argument`,
    /// `wrong_state`, `device_lost`.
    [[nodiscard]] static Result<Download> begin(Device& device, const BufferView& source,
                                                StreamTarget& target,
                                                const StreamOptions& options = {},
                                                Where where = Where::current());
    /// Rows of texels reach the target tight, image after image.
    [[nodiscard]] static Result<Download> begin(Device& device, const TextureAt& source,
                                                StreamTarget& target,
                                                const std::optional<Extent3D>& size = {},
                                                const StreamOptions& options = {},
                                                Where where = Where::current());

    /// Asks for chunks up to the depth and hands the target the next one that has come; true once
    /// the target has everything. Does not wait for the GPU. Errors: the target's, `io` (it threw,
    /// or is too small), `cancelled`, `device_lost`; the text says how far it came. An error is
    /// final.
    [[nodiscard]] Result<bool> step(Where where = Where::current());
    [[nodiscard]] StreamProgress progress() const noexcept;
    [[nodiscard]] StreamReport report() const noexcept;

    Download(Download&&) noexcept;
    Download& operator=(Download&&) noexcept;
    ~Download();

private:
    explicit Download(std::shared_ptr<detail::DownloadRun> run) noexcept;
    std::shared_ptr<detail::DownloadRun> run_;
};

/// Uploads as much as the target's range has, in chunks, and returns when all of it was sent;
/// blocks while `depth` chunks are with the GPU. Errors: as `Upload`, and `timeout`.
[[nodiscard]] FERRY_API Result<StreamReport> upload(
    Device& device, StreamSource& source, const BufferView& target,
    const StreamOptions& options = {},
    std::source_location where = std::source_location::current());
[[nodiscard]] FERRY_API Result<StreamReport> upload(
    Device& device, StreamSource& source, const TextureAt& target,
    const std::optional<Extent3D>& size = {}, const StreamOptions& options = {},
    std::source_location where = std::source_location::current());

/// Downloads the source's range, in chunks, and returns when the target has all of it. Errors: as
/// `Download`, and `timeout`.
[[nodiscard]] FERRY_API Result<StreamReport> download(
    Device& device, const BufferView& source, StreamTarget& target,
    const StreamOptions& options = {},
    std::source_location where = std::source_location::current());
[[nodiscard]] FERRY_API Result<StreamReport> download(
    Device& device, const TextureAt& source, StreamTarget& target,
    const std::optional<Extent3D>& size = {}, const StreamOptions& options = {},
    std::source_location where = std::source_location::current());

namespace detail {
[[nodiscard]] inline Result<StreamReport> closed(StreamTarget& target, const StreamReport& report,
                                                 std::source_location where) {
    auto done = target.close(where);
    if (!done) return std::unexpected(std::move(done).error());
    return report;
}
} // namespace detail

/// The same for a source or target that serves this one transfer: `upload(device, data, buffer)`,
/// `download(device, buffer, memory)`. A file is closed.
[[nodiscard]] inline Result<StreamReport> upload(
    Device& device, StreamSource&& source, const BufferView& target,
    const StreamOptions& options = {},
    std::source_location where = std::source_location::current()) {
    return upload(device, source, target, options, where);
}
[[nodiscard]] inline Result<StreamReport> upload(
    Device& device, StreamSource&& source, const TextureAt& target,
    const std::optional<Extent3D>& size = {}, const StreamOptions& options = {},
    std::source_location where = std::source_location::current()) {
    return upload(device, source, target, size, options, where);
}
[[nodiscard]] inline Result<StreamReport> download(
    Device& device, const BufferView& source, StreamTarget&& target,
    const StreamOptions& options = {},
    std::source_location where = std::source_location::current()) {
    auto done = download(device, source, target, options, where);
    return done ? detail::closed(target, *done, where) : done;
}
[[nodiscard]] inline Result<StreamReport> download(
    Device& device, const TextureAt& source, StreamTarget&& target,
    const std::optional<Extent3D>& size = {}, const StreamOptions& options = {},
    std::source_location where = std::source_location::current()) {
    auto done = download(device, source, target, size, options, where);
    return done ? detail::closed(target, *done, where) : done;
}

} // namespace ferry
