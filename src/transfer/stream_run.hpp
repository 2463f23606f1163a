// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/read.hpp"
#include "resource/buffer_state.hpp"
#include "resource/texel_bands.hpp"
#include "resource/texture_state.hpp"
#include "transfer/stream_io.hpp"

namespace ferry::detail {

/// What a stream moves, cut into chunks.
class StreamPlan {
public:
    /// Errors: `invalid_argument` for options without sense.
    [[nodiscard]] static Result<StreamPlan> of_buffer(const Core& core,
                                                      std::shared_ptr<BufferState> buffer,
                                                      const Span64& range,
                                                      const StreamOptions& options);
    [[nodiscard]] static Result<StreamPlan> of_texture(const Core& core,
                                                       std::shared_ptr<TextureState> texture,
                                                       const CopyPlan& whole,
                                                       const StreamOptions& options);

    [[nodiscard]] std::uint64_t chunks() const noexcept;
    [[nodiscard]] std::uint32_t depth() const noexcept { return depth_; }
    [[nodiscard]] std::uint64_t total_bytes() const noexcept; ///< tight
    /// Of a buffer.
    [[nodiscard]] Span64 range(std::uint64_t chunk) const noexcept;
    /// Of a texture.
    [[nodiscard]] CopyPlan band(std::uint64_t chunk) const noexcept { return bands_.band(chunk); }
    /// The most that one chunk takes in staging.
    [[nodiscard]] std::uint64_t staging_bytes() const noexcept;

    [[nodiscard]] const BufferState* buffer() const noexcept { return buffer_.get(); }
    [[nodiscard]] const TextureState* texture() const noexcept { return texture_.get(); }
    [[nodiscard]] std::string named() const;
    [[nodiscard]] Result<> check_available(std::string_view doing) const;

private:
    /// The first chunk is so much shorter that the others begin at whole words.
    [[nodiscard]] std::uint64_t lead_bytes() const noexcept { return range_.offset_bytes % 4; }

    std::shared_ptr<BufferState> buffer_;
    std::shared_ptr<TextureState> texture_;
    Span64 range_{};
    std::uint64_t chunk_bytes_ = 0;
    std::uint32_t depth_ = 1;
    TexelBands bands_{};
};

/// What uploads and downloads have in common: how far they are, and their one final error.
class StreamRun {
public:
    StreamRun(std::shared_ptr<Core> core, StreamPlan plan, const StreamOptions& options);
    StreamRun(const StreamRun&) = delete;
    StreamRun& operator=(const StreamRun&) = delete;
    virtual ~StreamRun() = default;

    [[nodiscard]] Result<bool> step();
    [[nodiscard]] StreamProgress progress() const noexcept {
        return {report_.bytes, plan_.total_bytes()};
    }
    [[nodiscard]] const StreamReport& report() const noexcept { return report_; }
    [[nodiscard]] std::chrono::nanoseconds patience() const noexcept { return options_.patience; }
    /// `The upload to buffer "x" of (n) bytes`, for messages.
    [[nodiscard]] std::string named() const;

protected:
    /// Moves a chunk, if there is one to move; true after the last one.
    [[nodiscard]] virtual Result<bool> move_next() = 0;
    /// Before each chunk. Errors are final.
    [[nodiscard]] Result<> check_going(std::string_view verb);
    [[nodiscard]] Result<> moved(std::uint64_t bytes);
    [[nodiscard]] std::unexpected<Error> fail_with(Error error);
    [[nodiscard]] std::vector<std::byte>& scratch(std::uint64_t bytes);

    std::shared_ptr<Core> core_;
    StreamPlan plan_;
    StreamOptions options_;
    StreamReport report_{};
    std::string_view verb_{}; ///< "upload to"
    std::optional<Error> error_{};
    std::vector<std::byte> scratch_{}; ///< rows without gaps, where they have some in staging

private:
    bool stepping_ = false;
};

class UploadRun final : public StreamRun {
public:
    UploadRun(std::shared_ptr<Core> core, StreamPlan plan, StreamReader& reader,
              const StreamOptions& options);

private:
    struct Sent {
        std::uint32_t slot = 0;
        std::uint64_t use = 0;
        std::uint64_t bytes = 0;
    };
    [[nodiscard]] Result<bool> move_next() override;
    [[nodiscard]] Result<> fill(std::span<std::byte> memory);
    [[nodiscard]] Result<> send(std::uint32_t slot);
    void forget_done();

    StreamReader& reader_;
    std::shared_ptr<UploadSlots> slots_;
    std::vector<Sent> sent_{};
    std::uint64_t next_ = 0;
};

class DownloadRun final : public StreamRun {
public:
    DownloadRun(std::shared_ptr<Core> core, StreamPlan plan, StreamWriter& writer,
                const StreamOptions& options);

private:
    [[nodiscard]] Result<bool> move_next() override;
    [[nodiscard]] Result<> ask();
    [[nodiscard]] Result<> hand_over(ReadOperation& read);

    StreamWriter& writer_;
    std::deque<std::shared_ptr<ReadOperation>> reads_{};
    std::uint64_t next_ = 0; ///< chunk to ask for
    bool ended_ = false;
};

} // namespace ferry::detail
