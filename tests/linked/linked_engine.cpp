// SPDX-License-Identifier: MIT
// A program that links an engine: it is recognised, opens a device and moves bytes.
//   linked_ENGINE EXPECTED-NAME

#include <cstdio>
#include <ferry/ferry.hpp>
#include <ferry/linked.hpp>
#include <string_view>

using namespace std::chrono_literals;

int main(int count, char** words) try {
    const ferry::Engine engine = ferry::linked_engine().value();
    if (count != 2 || engine.name() != words[1]) {
        std::printf("the linked engine is %s\n", std::string(engine.name()).c_str());
        return 1;
    }
    auto device = ferry::Device::open({.engine = engine}).value();
    const std::vector<int> sent{1, 2, 3};
    auto buffer = device.create_buffer(sent, {.usage = ferry::BufferUsage::copy_src}).value();
    const std::vector<int> got = device.read<int>(buffer).wait(10s).value();
    return got == sent ? 0 : 1;
} catch (const std::bad_expected_access<ferry::Error>& failed) {
    std::puts(to_string(failed.error()).c_str());
    return 1;
}
