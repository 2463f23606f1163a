// SPDX-License-Identifier: MIT
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <limits>
#include <optional>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.hpp"
#include "transfer/stream_io.hpp"

namespace ferry::detail {

using base::fail;
using base::text;

namespace {

std::unexpected<Error> system_error(std::string_view doing, const std::string& path, int number) {
    return fail(Errc::io, {},
                text("Cannot ", doing, " \"", path, "\": ", std::strerror(number), '.'));
}

/// The system would see another path than the caller gave.
Result<> check_path(const std::string& path) {
    if (!path.empty() && path.find('\0') == path.npos) return {};
    return fail(Errc::invalid_argument, {},
                path.empty() ? "The path is empty." : "The path has a byte of zero in it.",
                "Give the path of a file.");
}

class File {
public:
    File() noexcept = default;
    explicit File(int descriptor) noexcept : descriptor_(descriptor) {}
    File(File&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
    File& operator=(File&& other) noexcept {
        std::swap(descriptor_, other.descriptor_);
        return *this;
    }
    ~File() {
        if (descriptor_ >= 0) ::close(descriptor_);
    }
    [[nodiscard]] int get() const noexcept { return descriptor_; }
    /// Says what the system says: a full disk may show only here.
    [[nodiscard]] int close() noexcept {
        return ::close(std::exchange(descriptor_, -1)) == 0 ? 0 : errno;
    }

private:
    int descriptor_ = -1;
};

/// What became of one of the reads that ran at the same time.
struct ReadOutcome {
    std::atomic<std::size_t> missing{0}; ///< bytes that the file had not
    std::atomic<int> error{0};
};

/// Reads all of `memory` from `offset`, where there is as much.
void read_at(int file, std::span<std::byte> memory, std::uint64_t offset,
             ReadOutcome& outcome) noexcept {
    while (!memory.empty()) {
        const ssize_t got = ::pread(file, memory.data(), memory.size(), static_cast<off_t>(offset));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) outcome.error = errno;
        if (got <= 0) {
            outcome.missing += memory.size();
            return;
        }
        memory = memory.subspan(static_cast<std::size_t>(got));
        offset += static_cast<std::uint64_t>(got);
    }
}

/// A file that can be read at any place: by several threads at once.
class FileReader final : public StreamReader {
public:
    FileReader(File file, std::string path, std::uint64_t offset_bytes)
        : file_(std::move(file)), path_(std::move(path)), at_(offset_bytes) {}

    Result<> fill(std::span<std::byte> memory, Core& core) override {
        constexpr std::size_t part = std::size_t{1} << 20;
        ReadOutcome outcome;
        const std::size_t parts = (memory.size() + part - 1) / part;
        core.crew().run(parts, [&](std::size_t index) noexcept {
            const std::size_t first = index * part;
            read_at(file_.get(), memory.subspan(first, std::min(part, memory.size() - first)),
                    at_ + first, outcome);
        });
        if (const int error = outcome.error) return system_error("read", path_, error);
        if (const std::size_t missing = outcome.missing) {
            return fail(Errc::io, {},
                        text("The file \"", path_, "\" ends at byte (",
                             at_ + memory.size() - missing, "); (", missing,
                             ") bytes more were to be read."),
                        "Give a file of at least the target's size, opened again for each upload "
                        "that is to begin at its start, and let nobody shorten it "
                        "meanwhile.");
        }
        at_ += memory.size();
        return {};
    }

private:
    File file_;
    std::string path_;
    std::uint64_t at_;
};

/// A pipe, or something else without places.
class PipeReader final : public StreamReader {
public:
    PipeReader(File file, std::string path) : file_(std::move(file)), path_(std::move(path)) {}

    Result<> fill(std::span<std::byte> memory, Core&) override {
        while (!memory.empty()) {
            const ssize_t got = ::read(file_.get(), memory.data(), memory.size());
            if (got < 0 && errno == EINTR) continue;
            if (got < 0) return system_error("read", path_, errno);
            if (got == 0) {
                return fail(Errc::io, {},
                            text("\"", path_, "\" ends; (", memory.size(),
                                 ") bytes more of a chunk were to be read."),
                            "Give as many bytes as the target has.");
            }
            memory = memory.subspan(static_cast<std::size_t>(got));
        }
        return {};
    }

private:
    File file_;
    std::string path_;
};

class FileWriter final : public StreamWriter {
public:
    FileWriter(File file, std::string path, std::string part)
        : file_(std::move(file)), path_(std::move(path)), part_(std::move(part)) {}
    ~FileWriter() override {
        if (file_.get() >= 0) ::unlink(part_.c_str());
    }

    Result<> take(std::span<const std::byte> bytes, Core&) override {
        if (file_.get() < 0) {
            return fail(Errc::wrong_state, {}, text("The file \"", path_, "\" is closed."),
                        "Close a file after its last download.");
        }
        while (!bytes.empty()) {
            const ssize_t put = ::write(file_.get(), bytes.data(), bytes.size());
            if (put < 0 && errno == EINTR) continue;
            if (put < 0) return system_error("write", part_, errno);
            bytes = bytes.subspan(static_cast<std::size_t>(put));
        }
        return {};
    }

    Result<> close() override {
        if (failure_) return std::unexpected(*failure_);
        if (file_.get() < 0) return {};
        if (!is_whole()) {
            return fail(Errc::wrong_state, {},
                        text("The file \"", path_,
                             "\" is not whole: a download into it has failed or not ended."),
                        "Close it after downloads that ended well, or drop it.");
        }
        int error = file_.close();
        if (error == 0 && ::rename(part_.c_str(), path_.c_str()) != 0) error = errno;
        if (error == 0) return {};
        ::unlink(part_.c_str());
        failure_ = system_error("finish", path_, error).error();
        return std::unexpected(*failure_);
    }

private:
    File file_;
    std::string path_;
    std::string part_;
    std::optional<Error> failure_{}; ///< of `close`
};

} // namespace

Result<std::unique_ptr<StreamReader>> open_file_reader(const std::string& path,
                                                       std::uint64_t offset_bytes) {
    if (auto ok = check_path(path); !ok) return std::unexpected(std::move(ok).error());
    File file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (file.get() < 0) return system_error("open", path, errno);
    struct stat about {};
    if (::fstat(file.get(), &about) != 0) return system_error("read", path, errno);
    if (S_ISDIR(about.st_mode)) return system_error("read", path, EISDIR);
    if (S_ISREG(about.st_mode) || S_ISBLK(about.st_mode)) {
        const auto most = static_cast<std::uint64_t>(std::numeric_limits<off_t>::max());
        if (offset_bytes > most) {
            return fail(
                Errc::invalid_argument, {},
                text("The place (", offset_bytes, ") in \"", path, "\" is over (", most, ")."));
        }
        return std::make_unique<FileReader>(std::move(file), path, offset_bytes);
    }
    if (offset_bytes == 0) return std::make_unique<PipeReader>(std::move(file), path);
    return fail(Errc::invalid_argument, {},
                text("\"", path, "\" has no byte (", offset_bytes, ") to begin at: it is no file."),
                "Read it from its start.");
}

Result<std::unique_ptr<StreamWriter>> open_file_writer(const std::string& path) {
    if (auto ok = check_path(path); !ok) return std::unexpected(std::move(ok).error());
    struct stat about {};
    if (::stat(path.c_str(), &about) == 0 && S_ISDIR(about.st_mode))
        return system_error("write", path, EISDIR);
    std::string part = path + ".part";
    File file(::open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
    if (file.get() < 0) return system_error("create", part, errno);
    return std::make_unique<FileWriter>(std::move(file), path, std::move(part));
}

} // namespace ferry::detail
