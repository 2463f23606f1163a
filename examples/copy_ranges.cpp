// SPDX-License-Identifier: MIT
// A part of one buffer into the middle of another, and a part of that set to zero.
#include <ferry/ferry.hpp>

#include <iostream>

using namespace std::chrono_literals;
using Numbers = std::vector<std::uint32_t>;

int main() try {
    using enum ferry::BufferUsage;
    const Numbers tens{10, 11, 12, 13, 14, 15, 16, 17}, ones(8, 1);

    auto device = ferry::Device::open().value();
    auto source = device.create_buffer(tens, {.usage = copy_src}).value();
    auto target = device.create_buffer(ones, {.usage = copy_dst | copy_src}).value();

    auto commands = device.record("copy");
    commands.copy({source, {.offset_bytes = 8, .size_bytes = 16}}, {target, {.offset_bytes = 4}});
    auto copied = commands.read<std::uint32_t>(target); // as it is at this point of the recording
    commands.clear({target, {.offset_bytes = 12, .size_bytes = 8}});
    auto cleared = commands.read<std::uint32_t>(target);
    device.submit(std::move(commands)).value();

    const Numbers before = copied.wait(10s).value();
    const Numbers after = cleared.wait(10s).value();
    std::cout << "copied: ";
    for (std::uint32_t number : before) std::cout << ' ' << number;
    std::cout << '\n';
    std::cout << "cleared:";
    for (std::uint32_t number : after) std::cout << ' ' << number;
    std::cout << '\n';

    // A wrong command shows at the submit, and then nothing of the recording runs.
    auto wrong = device.record("wrong");
    wrong.clear(target);
    wrong.copy({source, {.size_bytes = 6}}, target);
    auto sent = device.submit(std::move(wrong));
    std::cout << "a copy of 6 bytes: " << (sent ? "sent" : name(sent.error().code)) << '\n';

    const Numbers still = device.read<std::uint32_t>(target).wait(10s).value();
    const bool right = before == Numbers{1, 12, 13, 14, 15, 1, 1, 1} &&
                       after == Numbers{1, 12, 13, 0, 0, 1, 1, 1} && !sent && still == after;
    return right ? 0 : 1;
} catch (const std::bad_expected_access<ferry::Error>& failed) {
    std::cerr << to_string(failed.error()) << '\n';
    return 1;
}
