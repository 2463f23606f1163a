// SPDX-License-Identifier: MIT
// A view whose mapping has ended: it answers, instead of touching memory that is gone.
#include <ferry/ferry.hpp>

#include <iostream>

using namespace std::chrono_literals;

template <class T>
std::string_view answer(const ferry::Result<T>& result) {
    return result ? "done" : name(result.error().code);
}

int main() try {
    using enum ferry::BufferUsage;
    auto device = ferry::Device::open().value();
    auto buffer = device.create_buffer({.usage = map_write | copy_src, .size_bytes = 16}).value();

    auto mapping = buffer.map_write().wait(10s).value();
    auto view = mapping.as<float>().value();
    view.set(0, 123).value();
    std::cout << "while mapped: size " << view.size() << ", number 0 is " << view.at(0).value()
              << '\n';

    mapping.unmap().value();
    const bool detached =
        view.size() == 0 && !view.at(0) && !view.set(1, 5) && !view.span() && !view.copy();
    std::cout << "afterwards:   size " << view.size() << ", at(0) answers " << answer(view.at(0))
              << ", set(1, 5) answers " << answer(view.set(1, 5)) << '\n';

    // The GPU has what was written in time, and zeros where nothing was.
    const std::vector<float> there = device.read<float>(buffer).wait(10s).value();
    std::cout << "the buffer holds " << there.at(0) << ' ' << there.at(1) << ' ' << there.at(2)
              << ' ' << there.at(3) << '\n';
    return detached && there == std::vector<float>{123, 0, 0, 0} ? 0 : 1;
} catch (const std::bad_expected_access<ferry::Error>& failed) {
    std::cerr << to_string(failed.error()) << '\n';
    return 1;
}
