// SPDX-License-Identifier: MIT
// The read that never returns because its commands were never sent: it says so, at once.
#include <ferry/ferry.hpp>

#include <iostream>

using namespace std::chrono_literals;
using Numbers = std::vector<std::uint32_t>;

template <class T>
std::string_view answer(const ferry::Result<T>& result) {
    return result ? "done" : name(result.error().code);
}

int main() try {
    using enum ferry::BufferUsage;
    auto device = ferry::Device::open().value();
    auto numbers = device.create_buffer(Numbers{1, 2, 3}, {.usage = copy_src}).value();
    auto staging = device.create_buffer({.usage = map_read | copy_dst, .size_bytes = 12}).value();

    auto commands = device.record("read");
    auto read = commands.read<std::uint32_t>(numbers);
    commands.copy(numbers, staging);

    const auto read_early = read.wait(10s); // does not take 10 seconds
    const auto mapped_early = staging.map_read().wait(10s);
    std::cout << "before the submit: read " << answer(read_early) << ", map "
              << answer(mapped_early) << '\n';

    device.submit(std::move(commands)).value();
    const Numbers late = read.wait(10s).value(); // the ticket was kept
    const auto mapped = staging.map_read().wait(10s);
    std::cout << "after it:          read " << late.size() << " numbers, map " << answer(mapped)
              << '\n';

    ferry::Ticket<Numbers> never;
    {
        auto dropped = device.record("dropped");
        never = dropped.read<std::uint32_t>(numbers);
    }
    const auto gone = never.wait(10s);
    std::cout << "commands dropped:  read " << answer(gone) << '\n';
    return !read_early && !mapped_early && late == Numbers{1, 2, 3} && mapped && !gone ? 0 : 1;
} catch (const std::bad_expected_access<ferry::Error>& failed) {
    std::cerr << to_string(failed.error()) << '\n';
    return 1;
}
