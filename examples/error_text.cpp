// SPDX-License-Identifier: MIT
// What a failure says: what happened, by which rule, what to do about it, and where.
#include <ferry/ferry.hpp>

#include <iostream>

using namespace std::chrono_literals;
using Numbers = std::vector<float>;

int main() try {
    using enum ferry::BufferUsage;
    auto device = ferry::Device::open().value();
    constexpr ferry::BufferOptions options{.usage = vertex | copy_dst, .label = "positions"};
    auto positions = device.create_buffer(Numbers{1, 2, 3}, options).value();
    auto counter = device.create_buffer(Numbers{7}, {.usage = copy_src | copy_dst}).value();

    auto frame = device.record("frame");
    frame.clear(counter);
    auto read = frame.read<float>(positions); // it was not made for this
    auto sent = device.submit(std::move(frame));
    if (sent) return 1;

    ferry::Error error = sent.error();
    const std::string file = error.where.file_name();
    error.where = {}; // the last line of the text: this file and the line of the read
    std::cout << to_string(error) << '\n';

    // The ticket ends with the same error, and the counter was not cleared.
    const auto nothing = read.wait(0s);
    const Numbers still = device.read<float>(counter).wait(10s).value();
    const bool right = !nothing && nothing.error().what == error.what && still == Numbers{7};
    return right && file.ends_with("error_text.cpp") ? 0 : 1;
} catch (const std::bad_expected_access<ferry::Error>& failed) {
    std::cerr << to_string(failed.error()) << '\n';
    return 1;
}
