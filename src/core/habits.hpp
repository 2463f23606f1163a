// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ferry::detail {

/// What a program does again and again although there is a better way.
class Habits {
public:
    /// A part of a buffer or texture.
    struct Place {
        const void* resource = nullptr;
        std::array<std::uint64_t, 7> numbers{};
        bool operator==(const Place&) const = default;
    };

    /// A read that is no ring's, of `name`, when the program has waited `waits` times so far.
    template <class Name>
    void read(const Place& place, std::uint64_t waits, Name name) {
        if (waited_often(place, waits)) advise_ring(name());
    }

    void advise(std::string words) { advice_.push_back(std::move(words)); }

    [[nodiscard]] std::vector<std::string> take_advice() noexcept {
        return std::exchange(advice_, {});
    }

private:
    struct Known {
        Place place{};
        std::uint64_t waits = 0; ///< at its last read
        std::uint32_t times = 0; ///< that it was read again after a wait
    };
    [[nodiscard]] bool waited_often(const Place& place, std::uint64_t waits) noexcept;
    void advise_ring(const std::string& name);

    std::array<Known, 4> known_{};
    std::size_t oldest_ = 0;
    std::vector<std::string> advice_;
};

} // namespace ferry::detail
