// SPDX-License-Identifier: MIT
// Batches and a model of them on the host.
#pragma once

#include <array>
#include <random>

#include "raw_engine.hpp"
#include "shaders.hpp"

namespace ferry::test::batches {

inline constexpr Usage copied = Usage::copy_src | Usage::copy_dst;
inline constexpr Usage stored = copied | Usage::storage;
inline constexpr BatchWay ways[] = {BatchWay::automatic, BatchWay::copies, BatchWay::compute};

using Bytes = std::vector<std::byte>;

struct Random {
    std::mt19937 engine;
    std::size_t up_to(std::size_t most) {
        return std::uniform_int_distribution<std::size_t>(0, most)(engine);
    }
};

/// A buffer and what it should hold.
struct Modelled {
    Buffer buffer;
    Bytes bytes;
};

class BatchTest : public SharedDevice {
protected:
    static Modelled modelled(std::size_t size, unsigned seed = 1, Usage usage = stored) {
        Bytes bytes = pattern(size, seed);
        return {make_filled(device(), bytes, usage, "modelled"), bytes};
    }
    /// Of different sizes; the last one lacks `storage`.
    static std::vector<Modelled> three() {
        std::vector<Modelled> out;
        out.push_back(modelled(4096, 1));
        out.push_back(modelled(1001, 2));
        out.push_back(modelled(50'000, 3, copied));
        return out;
    }
};

struct Wanted {
    std::vector<BufferView> views;
    std::vector<Bytes> bytes;

    void add(const Modelled& from, std::size_t offset, std::size_t size) {
        views.emplace_back(from.buffer, ByteRange{offset, size});
        bytes.push_back(part(from.bytes, offset, size));
    }
};

template <class T>
std::vector<Bytes> results(const Batch<T>& batch) {
    std::vector<Bytes> out;
    for (std::size_t i = 0; i < batch.size(); ++i) {
        const auto bytes = std::as_bytes(batch[i]);
        out.emplace_back(bytes.begin(), bytes.end());
    }
    return out;
}

/// Writes that keep their data, and the bytes that they lead to.
struct Planned {
    std::vector<Bytes> data{};
    std::vector<BatchWrite> writes{};

    explicit Planned(std::size_t most) { data.reserve(most); }
    void add(Modelled& to, std::size_t offset, std::size_t size, unsigned seed) {
        writes.emplace_back(BufferView(to.buffer, ByteRange{offset, {}}),
                            data.emplace_back(pattern(size, seed)));
        std::ranges::copy(data.back(), to.bytes.begin() + static_cast<std::ptrdiff_t>(offset));
    }
};

} // namespace ferry::test::batches
