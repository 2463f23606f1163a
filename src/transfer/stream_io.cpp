// SPDX-License-Identifier: MIT
#include "transfer/stream_io.hpp"

#include <utility>

#include "base/error.hpp"
#include "resource/buffer_state.hpp"

namespace ferry {

using base::fail;
using base::text;
using detail::guarded;

namespace {

class FunctionReader final : public detail::StreamReader {
public:
    explicit FunctionReader(StreamSource::Read read) : read_(std::move(read)) {}

    Result<> fill(std::span<std::byte> memory, detail::Core& core) override {
        if (!read_) return fail(Errc::invalid_argument, {}, "The reader is an empty function.");
        const std::size_t wanted = memory.size();
        while (!memory.empty()) {
            auto given = guarded("reader", [&] { return read_(memory); });
            if (!given) return std::unexpected(std::move(given).error());
            if (*given == 0) {
                return fail(Errc::io, {},
                            text("The reader ends (", memory.size(),
                                 ") bytes before the end of a "
                                 "chunk of (",
                                 wanted, ")."),
                            "Give as many bytes as the target has, or upload to a smaller range.");
            }
            if (*given > memory.size()) {
                return fail(Errc::io, {},
                            text("The reader says that it gave (", *given, ") bytes where (",
                                 memory.size(), ") were asked for."),
                            "Fill the memory from its start, at most to its end, and answer how "
                            "many bytes that was.");
            }
            memory = memory.subspan(*given);
            if (auto ok = core.check_usable({"ask the reader for more"}); !ok) return ok;
        }
        return {};
    }

private:
    StreamSource::Read read_;
};

class MemoryReader final : public detail::StreamReader {
public:
    explicit MemoryReader(std::span<const std::byte> memory) : rest_(memory) {}

    Result<> fill(std::span<std::byte> memory, detail::Core& core) override {
        if (memory.size() > rest_.size()) {
            return fail(Errc::io, {},
                        text("The source's memory has (", rest_.size(), ") bytes left, and (",
                             memory.size(), ") are needed."),
                        "Give as many bytes as the target has, or upload to a smaller range.");
        }
        core.crew().copy(memory.data(), rest_.data(), memory.size());
        rest_ = rest_.subspan(memory.size());
        return {};
    }

private:
    std::span<const std::byte> rest_;
};

class FunctionWriter final : public detail::StreamWriter {
public:
    explicit FunctionWriter(StreamTarget::Write write) : write_(std::move(write)) {}

    Result<> take(std::span<const std::byte> bytes, detail::Core&) override {
        if (!write_) return fail(Errc::invalid_argument, {}, "The writer is an empty function.");
        return guarded("writer", [&] { return write_(bytes); });
    }

private:
    StreamTarget::Write write_;
};

class MemoryWriter final : public detail::StreamWriter {
public:
    explicit MemoryWriter(std::span<std::byte> memory) : rest_(memory) {}

    Result<> take(std::span<const std::byte> bytes, detail::Core& core) override {
        if (bytes.size() > rest_.size()) {
            return fail(Errc::invalid_argument, {},
                        text("The target's memory has (", rest_.size(), ") bytes left, and (",
                             bytes.size(), ") are to be written."),
                        "Give memory of at least the size that is downloaded.");
        }
        core.crew().copy(rest_.data(), bytes.data(), bytes.size());
        rest_ = rest_.subspan(bytes.size());
        return {};
    }

private:
    std::span<std::byte> rest_;
};

template <class T, class Interface>
Result<T> wrap(Result<std::unique_ptr<Interface>> made, std::source_location where) {
    if (made) return T(*std::move(made));
    made.error().where = where;
    return std::unexpected(std::move(made).error());
}

} // namespace

StreamSource::StreamSource(Read read)
    : reader_(std::make_unique<FunctionReader>(std::move(read))) {}
StreamSource::StreamSource(std::span<const std::byte> memory)
    : reader_(std::make_unique<MemoryReader>(memory)) {}
StreamSource::StreamSource(std::unique_ptr<detail::StreamReader> reader) noexcept
    : reader_(std::move(reader)) {}
StreamSource::StreamSource(StreamSource&&) noexcept = default;
StreamSource& StreamSource::operator=(StreamSource&&) noexcept = default;
StreamSource::~StreamSource() = default;

Result<StreamSource> StreamSource::file(const std::string& path, std::uint64_t offset_bytes,
                                        std::source_location where) {
    return wrap<StreamSource>(detail::open_file_reader(path, offset_bytes), where);
}

StreamTarget::StreamTarget(Write write)
    : writer_(std::make_unique<FunctionWriter>(std::move(write))) {}
StreamTarget::StreamTarget(std::span<std::byte> memory)
    : writer_(std::make_unique<MemoryWriter>(memory)) {}
StreamTarget::StreamTarget(std::unique_ptr<detail::StreamWriter> writer) noexcept
    : writer_(std::move(writer)) {}
StreamTarget::StreamTarget(StreamTarget&&) noexcept = default;
StreamTarget& StreamTarget::operator=(StreamTarget&&) noexcept = default;
StreamTarget::~StreamTarget() = default;

Result<StreamTarget> StreamTarget::file(const std::string& path, std::source_location where) {
    return wrap<StreamTarget>(detail::open_file_writer(path), where);
}

Result<> StreamTarget::close(std::source_location where) {
    if (!writer_) return std::unexpected(detail::empty_handle("target of a stream", where));
    auto closed = writer_->close();
    if (!closed) closed.error().where = where;
    return closed;
}

} // namespace ferry
