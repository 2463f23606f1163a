// SPDX-License-Identifier: MIT
#include "files.hpp"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "interrupt.hpp"
#include "text.hpp"

namespace app {

namespace {
constexpr std::size_t piece_bytes = std::size_t{8} << 20; ///< between two looks at the signal flag

std::string parent_of(const std::string& path) {
    const auto slash = path.rfind('/');
    if (slash == std::string::npos) return ".";
    return slash == 0 ? "/" : path.substr(0, slash);
}

std::string open_fix(const std::string& path, int reason) {
    switch (reason) {
    case ENOENT:
        return fmt::format("Check the path; the program looks in {}.",
                           path.starts_with('/') ? parent_of(path) : "the current folder");
    case EACCES: return fmt::format("Allow yourself to read it: chmod u+r {}.", path);
    default: return {};
    }
}
} // namespace

Result<Input> Input::open(const std::string& path) {
    if (path == "-") return Input(STDIN_FILENO, "standard input");
    Input input(::open(path.c_str(), O_RDONLY | O_CLOEXEC), path);
    if (input.file_ < 0) {
        const int reason = errno;
        if (auto ok = check_interrupted(); !ok) return std::unexpected(std::move(ok).error());
        return fail(Errc::io,
                    fmt::format("The file {} cannot be opened: {}.", path, std::strerror(reason)),
                    open_fix(path, reason));
    }
    struct stat status {};
    ::fstat(input.file_, &status);
    if (S_ISDIR(status.st_mode)) {
        return fail(Errc::io, fmt::format("{} is a folder, not a file.", path),
                    "Name a file in it.");
    }
    if (S_ISREG(status.st_mode)) input.size_ = static_cast<std::uint64_t>(status.st_size);
    return input;
}

Result<std::string> Input::peek(std::size_t count) {
    std::string start(count, '\0');
    auto got = read_file(std::as_writable_bytes(std::span(start)));
    if (!got) return std::unexpected(std::move(got).error());
    start.resize(*got);
    return peeked_ = std::move(start);
}

Result<std::size_t> Input::read(std::span<std::byte> target) {
    const std::size_t known = peeked_.copy(reinterpret_cast<char*>(target.data()), target.size());
    peeked_.erase(0, known);
    auto got = read_file(target.subspan(known));
    if (got) taken_ += * got += known;
    return got;
}

Result<std::size_t> Input::read_file(std::span<std::byte> target) {
    std::size_t done = 0;
    while (done < target.size()) {
        if (auto ok = check_interrupted(); !ok) return std::unexpected(std::move(ok).error());
        const std::size_t piece = std::min(target.size() - done, piece_bytes);
        const auto got = ::read(file_, target.data() + done, piece);
        if (got == 0) {
            if (auto ok = check_interrupted(); !ok) return std::unexpected(std::move(ok).error());
            break;
        }
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) {
            return fail(Errc::io,
                        fmt::format("Reading {} failed: {}.", name_, std::strerror(errno)));
        }
        done += static_cast<std::size_t>(got);
    }
    return done;
}

Input::Input(Input&& other) noexcept
    : file_(std::exchange(other.file_, -1)), name_(std::move(other.name_)),
      peeked_(std::move(other.peeked_)), size_(other.size_), taken_(other.taken_) {}

Input& Input::operator=(Input&& other) noexcept {
    std::swap(file_, other.file_);
    std::swap(name_, other.name_);
    std::swap(peeked_, other.peeked_);
    std::swap(size_, other.size_);
    std::swap(taken_, other.taken_);
    return *this;
}

Input::~Input() {
    if (file_ > STDIN_FILENO) ::close(file_);
}

Result<Output> Output::create(const std::string& path) {
    if (path == "-") {
        if (::isatty(STDOUT_FILENO) == 0) return Output(STDOUT_FILENO, "standard output");
        return fail(Errc::invalid_argument,
                    "Standard output is a terminal, and the result is no text.",
                    "Send it to a file or a program, > out.npy, or name a file instead of -.");
    }
    struct stat status {};
    const bool exists = ::stat(path.c_str(), &status) == 0;
    if (exists && S_ISDIR(status.st_mode)) {
        return fail(Errc::io, fmt::format("{} is a folder, and the result is a file.", path),
                    fmt::format("Name the file in it: {}/out.npy.", path));
    }
    if (!exists || S_ISREG(status.st_mode)) return create_beside(path, path);
    Output output(::open(path.c_str(), O_WRONLY | O_CLOEXEC), path);
    if (output.file_ < 0) return output.failed("opened", errno);
    return output;
}

Result<Output> Output::create_beside(const std::string& path, const std::string& name) {
    Output output(-1, name);
    char resolved[PATH_MAX]; // a link keeps its place, and the file it points to is replaced
    output.target_ = ::realpath(path.c_str(), resolved) != nullptr ? resolved : path;
    const std::string folder = parent_of(output.target_);
    // Without a name until it is whole: nothing stays behind, however the process ends.
    output.file_ = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
    if (output.file_ < 0) { // not every file system has that
        std::string temporary = output.target_ + ".ferry-XXXXXX";
        output.file_ = ::mkostemp(temporary.data(), O_CLOEXEC);
        const int reason = errno;
        if (output.file_ < 0 && reason != ENOENT && reason != ENOTDIR)
            return output.failed("created", reason);
        struct stat there {};
        if (output.file_ < 0 && ::stat(folder.c_str(), &there) == 0 && S_ISDIR(there.st_mode)) {
            return fail(Errc::io,
                        fmt::format("The file {} cannot be created: the folder {} takes no new "
                                    "files.",
                                    path, folder),
                        "Choose a folder that you may write to.");
        }
        if (output.file_ < 0) {
            return fail(Errc::io,
                        fmt::format("The file {} cannot be created: the folder {} does not exist.",
                                    path, folder),
                        fmt::format("Create it first: mkdir -p {}.", folder));
        }
        output.set_temporary(temporary);
    }
    struct stat old {};
    const mode_t mask = ::umask(0);
    ::umask(mask);
    const bool replaces = ::stat(output.target_.c_str(), &old) == 0;
    ::fchmod(output.file_, replaces ? (old.st_mode & 0777) : (0666 & ~mask));
    return output;
}

std::unexpected<Error> Output::failed(const char* doing, int reason) const {
    std::string fix;
    if (reason == ENOSPC) fix = "Free some room on the disk, or write somewhere else.";
    if (reason == EPIPE)
        fix = "The program that reads this output ended early; look at its messages.";
    if (reason == EACCES || reason == EROFS) fix = "Choose a folder that you may write to.";
    return fail(Errc::io, fmt::format("{} cannot be {}: {}.", name_, doing, std::strerror(reason)),
                fix);
}

Result<> Output::write(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        if (auto ok = check_interrupted(); !ok && minds_signal_) return ok;
        const auto put = ::write(file_, bytes.data(), std::min(bytes.size(), piece_bytes));
        if (put < 0 && errno == EINTR) continue;
        if (put < 0) return failed("written", errno);
        bytes = bytes.subspan(static_cast<std::size_t>(put));
    }
    return {};
}

void Output::set_temporary(std::string path) {
    temporary_ = std::move(path);
    remove_at_end(temporary_);
}

/// Gives the file without a name one beside its place.
Result<> Output::link() {
    const std::string self = fmt::format("/proc/self/fd/{}", file_);
    const std::string path = fmt::format("{}.ferry-{}", target_, ::getpid());
    ::unlink(path.c_str()); // of a process of the same number, long ago
    if (::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW) != 0) {
        return failed("put in its place", errno);
    }
    set_temporary(path);
    return {};
}

Result<> Output::commit() {
    if (!target_.empty() && temporary_.empty()) {
        if (auto ok = link(); !ok) return ok;
    }
    const int file = std::exchange(file_, -1);
    if (file > STDERR_FILENO && ::close(file) != 0) return failed("written", errno);
    if (target_.empty()) return {};
    if (::rename(temporary_.c_str(), target_.c_str()) != 0)
        return failed("put in its place", errno);
    keep_at_end(temporary_);
    temporary_.clear();
    return {};
}

Output::Output(Output&& other) noexcept
    : file_(std::exchange(other.file_, -1)), minds_signal_(other.minds_signal_),
      name_(std::move(other.name_)), target_(std::exchange(other.target_, {})),
      temporary_(std::exchange(other.temporary_, {})) {}

Output& Output::operator=(Output&& other) noexcept {
    std::swap(file_, other.file_);
    std::swap(minds_signal_, other.minds_signal_);
    std::swap(name_, other.name_);
    std::swap(target_, other.target_);
    std::swap(temporary_, other.temporary_);
    return *this;
}

Output::~Output() {
    if (file_ > STDERR_FILENO) ::close(file_);
    if (temporary_.empty()) return;
    ::unlink(temporary_.c_str());
    keep_at_end(temporary_);
}

std::string_view stream_kind(std::string_view path) noexcept {
    if (path == "png:-" || path == "npy:-" || path == "raw:-") return path.substr(0, 3);
    return {};
}

Result<std::string> read_text(const std::string& path, std::size_t limit) {
    auto input = Input::open(path);
    if (!input) return std::unexpected(std::move(input).error());
    std::string text(std::min<std::uint64_t>(input->size_bytes().value_or(limit), limit) + 1, '\0');
    auto got = input->read(std::as_writable_bytes(std::span(text)));
    if (!got) return std::unexpected(std::move(got).error());
    if (*got > limit) {
        return fail(Errc::limit_exceeded,
                    fmt::format("{} is longer than {}.", input->name(), size_text(limit)),
                    "Check that it is the file you meant.");
    }
    text.resize(*got);
    return text;
}

} // namespace app
