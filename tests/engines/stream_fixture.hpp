// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <fstream>

#include <unistd.h>

#include "engine_fixture.hpp"

namespace ferry::test {

using Bytes = std::vector<std::byte>;

inline constexpr std::uint64_t KiB = 1024, MiB = 1024 * KiB;

/// A folder that is gone with everything in it at the end of the scope.
class TempFolder {
public:
    TempFolder() {
        std::string name = std::filesystem::temp_directory_path() / "ferry-stream-XXXXXX";
        if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
        path_ = name;
    }
    TempFolder(const TempFolder&) = delete;
    TempFolder& operator=(const TempFolder&) = delete;
    ~TempFolder() { std::filesystem::remove_all(path_); }

    [[nodiscard]] std::string operator/(std::string_view name) const { return path_ / name; }
    [[nodiscard]] std::vector<std::string> names() const {
        std::vector<std::string> all;
        for (const auto& entry : std::filesystem::directory_iterator(path_))
            all.push_back(entry.path().filename());
        return all;
    }

private:
    std::filesystem::path path_;
};

inline void write_file(const std::string& path, const Bytes& bytes) {
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
    if (!file.flush()) throw std::runtime_error("cannot write " + path);
}

[[nodiscard]] inline Bytes file_bytes(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw std::runtime_error("no file " + path);
    const std::string all(std::istreambuf_iterator<char>(file), {});
    const auto* first = reinterpret_cast<const std::byte*>(all.data());
    return {first, first + all.size()};
}

/// Gives bytes of the caller's, at most `most` at a time.
struct GiveParts {
    std::span<const std::byte> rest;
    std::size_t most = 7;

    Result<std::size_t> operator()(std::span<std::byte> memory) {
        const std::size_t count = std::min({most, rest.size(), memory.size()});
        std::copy_n(rest.begin(), count, memory.begin());
        rest = rest.subspan(count);
        return count;
    }
};

/// Keeps what it is given.
struct Keep {
    Bytes* all;

    Result<> operator()(std::span<const std::byte> bytes) const {
        all->insert(all->end(), bytes.begin(), bytes.end());
        return {};
    }
};

[[nodiscard]] inline Refusal io(std::vector<std::string> words = {},
                                std::vector<std::uint64_t> numbers = {}) {
    return {{Errc::io}, {}, std::move(words), std::move(numbers)};
}

/// A device, a buffer on it that streams go to and come from, and one chunk's numbers.
class StreamTest : public SharedDevice {
protected:
    static constexpr Usage copied = Usage::copy_src | Usage::copy_dst;

    [[nodiscard]] static Buffer target_of(std::uint64_t size_bytes) {
        return make_buffer(device(), size_bytes, copied, "mesh");
    }
    /// Streams still work.
    static void expect_streams_work() {
        const Bytes data = pattern(103, 9);
        const Buffer buffer = target_of(data.size());
        EXPECT_TRUE(ok(upload(device(), data, buffer, {.chunk_bytes = 16})));
        Bytes back(data.size());
        EXPECT_TRUE(ok(download(device(), buffer, back, {.chunk_bytes = 16})));
        EXPECT_EQ(back, data);
    }
};

} // namespace ferry::test
