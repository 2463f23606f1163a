// SPDX-License-Identifier: MIT
// What copies of texels do, in plain loops over blocks: the tests' own model.
#pragma once

#include "engine_fixture.hpp"

namespace ferry::test {

using Bytes = std::vector<std::byte>;
inline constexpr std::byte poison{0xA5};

/// Numbers or positions of blocks.
struct Blocks {
    std::size_t x = 0, y = 0, z = 0;

    [[nodiscard]] std::size_t count() const { return x * y * z; }
};

/// `blocks` of `block_bytes` each, of bytes that every format keeps: no number of theirs is a NaN,
/// an infinity, subnormal, or the second -1 of a snorm (rule 3.7). None is 0 or the poison.
[[nodiscard]] inline Bytes texels(std::size_t blocks, std::size_t block_bytes, unsigned seed) {
    Bytes out(blocks * block_bytes);
    std::uint32_t state = seed * 2654435761U + 12345U;
    for (std::byte& each : out) {
        state = state * 1664525U + 1013904223U;
        each = std::byte(0x42 + (state >> 16) % 30);
    }
    return out;
}

/// Of rgb9e5ufloat, with one encoding for each value: the red number begins with a 1.
inline void make_canonical_rgb9e5(Bytes& bytes) {
    for (std::size_t at = 1; at < bytes.size(); at += 4) bytes[at] |= std::byte{1};
}

/// Puts a tight region into a tight image.
inline void paste(Bytes& image, Blocks image_size, const Bytes& region, Blocks size, Blocks origin,
                  std::size_t block_bytes) {
    const std::size_t row_bytes = size.x * block_bytes;
    for (std::size_t z = 0; z < size.z; ++z) {
        for (std::size_t y = 0; y < size.y; ++y) {
            const std::size_t row = (origin.z + z) * image_size.y + origin.y + y;
            const std::size_t to = (row * image_size.x + origin.x) * block_bytes;
            std::copy_n(region.begin() + static_cast<std::ptrdiff_t>((z * size.y + y) * row_bytes),
                        row_bytes, image.begin() + static_cast<std::ptrdiff_t>(to));
        }
    }
}

/// The part of a tight image.
[[nodiscard]] inline Bytes cut(const Bytes& image, Blocks image_size, Blocks size, Blocks origin,
                               std::size_t block_bytes) {
    Bytes out;
    for (std::size_t z = 0; z < size.z; ++z) {
        for (std::size_t y = 0; y < size.y; ++y) {
            const std::size_t row = (origin.z + z) * image_size.y + origin.y + y;
            const auto from = image.begin() + static_cast<std::ptrdiff_t>(
                                                  (row * image_size.x + origin.x) * block_bytes);
            out.insert(out.end(), from, from + static_cast<std::ptrdiff_t>(size.x * block_bytes));
        }
    }
    return out;
}

/// Rows of blocks at a distance in memory.
struct Strides {
    std::size_t offset = 0, pitch = 0, rows_per_image = 0;

    [[nodiscard]] ImageLayout layout() const {
        return {.offset_bytes = offset, .bytes_per_row = pitch, .rows_per_image = rows_per_image};
    }
};

/// A tight region as it lies in memory with these strides; poison before, between and `behind` it.
[[nodiscard]] inline Bytes spread(const Bytes& region, Blocks size, const Strides& strides,
                                  std::size_t behind) {
    const std::size_t row_bytes = region.size() / (size.y * size.z);
    const std::size_t last = (size.z - 1) * strides.rows_per_image + size.y - 1;
    Bytes out(strides.offset + last * strides.pitch + row_bytes + behind, poison);
    for (std::size_t row = 0; row < size.y * size.z; ++row) {
        const std::size_t place = row / size.y * strides.rows_per_image + row % size.y;
        std::copy_n(region.begin() + static_cast<std::ptrdiff_t>(row * row_bytes), row_bytes,
                    out.begin() +
                        static_cast<std::ptrdiff_t>(strides.offset + place * strides.pitch));
    }
    return out;
}

[[nodiscard]] inline std::size_t up_to_256(std::size_t bytes) { return (bytes + 255) / 256 * 256; }

using Pixels = std::vector<Rgba8>;

/// Pixels of which no two neighbours are equal.
[[nodiscard]] inline Pixels pixels(std::size_t count, unsigned seed = 1) {
    Pixels out(count);
    for (std::size_t i = 0; i < count; ++i) {
        const auto n = static_cast<std::uint8_t>(i + seed * 16);
        out[i] = {n, static_cast<std::uint8_t>(n + 1), static_cast<std::uint8_t>(n ^ 0x55), 255};
    }
    return out;
}

[[nodiscard]] inline Texture make_texture(Device& device, const Extent3D& size,
                                          TextureUsage usage = TextureUsage::copy_src |
                                                               TextureUsage::copy_dst,
                                          std::string_view label = "sky",
                                          Format format = Format::rgba8_unorm) {
    return must(
        device.create_texture({.format = format, .size = size, .usage = usage, .label = label}));
}

/// A device with every feature that its adapter has.
[[nodiscard]] inline Device open_full_device() {
    const Engine used = engine();
    prepare_engine(used);
    const auto all = must(adapters(used));
    for (const Adapter& adapter : all) {
        if (!adapter.refusal.empty()) continue;
        const std::string index = std::to_string(adapter.index);
        return open_device(
            {.adapter = index, .required_features = adapter.features, .label = "full"});
    }
    throw std::runtime_error("no adapter");
}

/// As `SharedDevice`, with a full device.
class FullDevice : public testing::Test {
protected:
    static void SetUpTestSuite() { full_.emplace(open_full_device()); }
    static void TearDownTestSuite() { full_.reset(); }
    void TearDown() override {
        EXPECT_TRUE(ok(device().done().wait(patience)));
        for (const Error& error : device().take_uncaptured_errors())
            ADD_FAILURE() << "reached the engine: " << to_string(error);
        EXPECT_FALSE(device().lost().has_value());
    }
    [[nodiscard]] static Device& device() {
        if (!full_) throw std::runtime_error("no device");
        return *full_;
    }

private:
    static inline std::optional<Device> full_;
};

/// For refusals: after each one nothing has reached the engine, and a correct copy works.
class CheckedDevice : public SharedDevice {
protected:
    /// The engine has heard of nothing, and the device still moves texels.
    static void expect_untouched() {
        for (const Error& error : device().take_uncaptured_errors())
            ADD_FAILURE() << "reached the engine: " << to_string(error);
        const Texture texture = make_texture(device(), {4, 4});
        must(device().write(texture, pixels(16), {.tight = true}));
        EXPECT_EQ(must(device().read<Rgba8>(texture).wait(patience)), pixels(16));
    }
    /// One command that is wrong: nothing of its recording is sent.
    template <class Record>
    static void expect_command_refused(Record record, const Refusal& wanted) {
        Commands commands = device().record("faulty");
        record(commands);
        EXPECT_TRUE(refused(device().submit(std::move(commands)), wanted));
        expect_untouched();
    }
};

} // namespace ferry::test
