// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "common.hpp"

namespace app {

/// A file that is read once, front to back; "-" is standard input. Move-only.
class Input {
public:
    [[nodiscard]] static Result<Input> open(const std::string& path);

    /// Reads until `target` is full or the input ends; answers the number of bytes. Ends early with
    /// `cancelled`.
    [[nodiscard]] Result<std::size_t> read(std::span<std::byte> target);

    /// The first bytes, at most `count`, which `read` then gives as well. Before any `read`.
    [[nodiscard]] Result<std::string> peek(std::size_t count);

    /// For errors: the path, or "standard input".
    [[nodiscard]] const std::string& name() const noexcept { return name_; }
    /// How much `read` has given so far.
    [[nodiscard]] std::uint64_t taken_bytes() const noexcept { return taken_; }
    /// Of a regular file; nothing for pipes.
    [[nodiscard]] std::optional<std::uint64_t> size_bytes() const noexcept { return size_; }

    Input(Input&& other) noexcept;
    Input& operator=(Input&& other) noexcept;
    ~Input();

private:
    Input(int file, std::string name) noexcept : file_(file), name_(std::move(name)) {}
    int file_ = -1;
    [[nodiscard]] Result<std::size_t> read_file(std::span<std::byte> target);
    std::string name_;
    std::string peeked_{}; ///< what `read` gives before the rest of the file
    std::optional<std::uint64_t> size_{};
    std::uint64_t taken_ = 0;
};

/// A file that appears whole or not at all: it is written beside its place and renamed by `commit`.
/// Dropped without that, or on a signal, it leaves nothing. "-" is standard output, which is not to
/// be a terminal; devices and pipes are written as they are.
class Output {
public:
    [[nodiscard]] static Result<Output> create(const std::string& path);

    [[nodiscard]] Result<> write(std::span<const std::byte> bytes);
    [[nodiscard]] Result<> commit();
    /// From here on a signal does not end `write`: whoever writes ends it where the file is whole.
    void write_on_after_signal() noexcept { minds_signal_ = false; }

    [[nodiscard]] const std::string& name() const noexcept { return name_; }

    Output(Output&& other) noexcept;
    Output& operator=(Output&& other) noexcept;
    ~Output();

private:
    Output(int file, std::string name) noexcept : file_(file), name_(std::move(name)) {}
    [[nodiscard]] static Result<Output> create_beside(const std::string& path,
                                                      const std::string& name);
    [[nodiscard]] Result<> link();
    void set_temporary(std::string path);
    [[nodiscard]] std::unexpected<Error> failed(const char* doing, int reason) const;
    int file_ = -1;
    bool minds_signal_ = true;
    std::string name_;
    std::string target_{};    ///< where `commit` puts it; empty when it is written in place
    std::string temporary_{}; ///< where it is until then; empty when it has no name yet
};

/// "png" of "png:-", which is standard output in that format; empty of a path, "-" as well.
[[nodiscard]] std::string_view stream_kind(std::string_view path) noexcept;

/// A whole text file of at most `limit` bytes.
[[nodiscard]] Result<std::string> read_text(const std::string& path, std::size_t limit);

} // namespace app
