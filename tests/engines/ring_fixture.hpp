// SPDX-License-Identifier: MIT
#pragma once

#include "engine_fixture.hpp"

namespace ferry::test {

[[nodiscard]] inline std::vector<std::byte> to_vector(std::span<const std::byte> bytes) {
    return {bytes.begin(), bytes.end()};
}

inline void expect_sum(const RingStats& stats) {
    EXPECT_EQ(stats.requested, stats.delivered + stats.skipped + stats.dropped + stats.refused +
                                   stats.cancelled + stats.failed + stats.in_flight);
}

/// Records, submits, and stays until the result has arrived.
template <class Source>
void read_once(Device& device, ReadbackRing& ring, const Source& source, std::uint64_t tag = 0) {
    auto commands = device.record();
    const std::uint64_t version = ring.version();
    EXPECT_EQ(ring.record(commands, source, tag), RingRecord::recorded);
    must(device.submit(std::move(commands)));
    EXPECT_TRUE(poll_until(device, [&] { return ring.version() > version; }));
    expect_sum(ring.stats());
}
inline void read_once(Device& device, ReadbackRing& ring, std::initializer_list<RingSource> sources,
                      std::uint64_t tag = 0) {
    read_once<std::initializer_list<RingSource>>(device, ring, sources, tag);
}

/// The next result, when it comes.
template <class T = std::byte>
[[nodiscard]] Readback<T> next(Device& device, ReadbackRing& ring) {
    std::optional<Readback<T>> result;
    if (!poll_until(device, [&] { return (result = ring.next<T>()).has_value(); }))
        throw std::runtime_error("no result comes");
    return *std::move(result);
}
[[nodiscard]] inline MappedReadback next_mapped(Device& device, ReadbackRing& ring) {
    std::optional<MappedReadback> result;
    if (!poll_until(device, [&] { return (result = ring.next_mapped()).has_value(); }))
        throw std::runtime_error("no result comes");
    return *std::move(result);
}

} // namespace ferry::test
