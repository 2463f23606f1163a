// SPDX-License-Identifier: MIT
// A coroutine that awaits reads: the steps of a search stand below each other, and nothing blocks.
#include <ferry/await.hpp>
#include <ferry/ferry.hpp>

#include <iostream>
#include <thread>

using namespace std::chrono_literals;

using Numbers = std::vector<std::uint32_t>;

/// Walks through a linked list on the GPU, one node for each read.
ferry::Task follow(ferry::Awaits& awaits, ferry::Device& device, const ferry::Buffer& next,
                   Numbers& path) {
    std::uint32_t node = 0;
    do {
        path.push_back(node);
        const ferry::ByteRange one{.offset_bytes = node * 4, .size_bytes = 4};
        const ferry::Result<Numbers> read =
            co_await awaits(device.read<std::uint32_t>({next, one}));
        node = read.value().front();
    } while (node != 0);
}

int main() try {
    auto device = ferry::Device::open().value();
    const Numbers links{3, 4, 0, 1, 2};
    auto next = device.create_buffer(links, {.usage = ferry::BufferUsage::copy_src}).value();

    ferry::Awaits awaits;
    Numbers first, second;
    const ferry::Task one = follow(awaits, device, next, first);
    const ferry::Task two = follow(awaits, device, next, second); // both are on their way
    for (int turn = 0; turn < 1000 && !(one.done() && two.done()); ++turn) {
        awaits.poll();                    // once in each turn of a main loop
        std::this_thread::sleep_for(1ms); // the rest of it
    }
    if (!one.done() || !two.done()) return std::cerr << "the GPU does not answer\n", 1;
    for (const ferry::Task* task : {&one, &two}) {
        if (task->thrown()) std::rethrow_exception(task->thrown());
    }

    for (std::uint32_t node : first) std::cout << node << ' ';
    std::cout << '\n';
    return first == Numbers{0, 3, 1, 4, 2} && second == first ? 0 : 1;
} catch (const std::bad_expected_access<ferry::Error>& failed) {
    std::cerr << to_string(failed.error()) << '\n';
    return 1;
}
