// SPDX-License-Identifier: MIT
// What Device::take_advice says, and when.
#include "ring_scene.hpp"

namespace ferry::test {
namespace {

TEST(Advice, ReadsThatAreRepeatedAndWaitedForAreAnsweredWithTheRing) {
    RingScene scene({.slots = 1}, 64);
    const VirtualTime time([&](auto slept) { scene.world.advance(slept); });
    scene.world.set_map_latency(1ms);
    const Buffer other = make_filled(scene.device, pattern(64), Usage::copy_src, "other");
    auto read = [&](const BufferView& what, bool waits) {
        auto ticket = scene.device.read<std::byte>(what);
        if (waits) {
            EXPECT_TRUE(ok(ticket.wait(1s)));
        }
        while (ticket && !ticket.take()) scene.world.advance(1ms);
    };
    for (int frame = 0; frame < 200; ++frame) read(scene.source, false); // nobody waits
    for (std::uint64_t frame = 0; frame < 200; ++frame) read({other, {frame % 61, 3}}, true);
    EXPECT_TRUE(scene.device.take_advice().empty());
    for (int frame = 0; frame < 60; ++frame) {
        read({other, {8, 4}}, true);
        read({other, {12, 4}}, true); // two in turn
    }
    EXPECT_TRUE(scene.device.take_advice().empty()) << "59 times again";
    read({other, {8, 4}}, true);
    const auto advice = scene.device.take_advice();
    ASSERT_EQ(advice.size(), 1U);
    for (const char* word : {"4 bytes", "\"other\"", "60 times", "ReadbackRing"})
        EXPECT_TRUE(says(advice[0], word)) << advice[0];
    for (int frame = 0; frame < 200; ++frame) read({other, {8, 4}}, true);
    EXPECT_TRUE(scene.device.take_advice().empty()) << "it is said once";
}

TEST(Advice, RepeatedReadsOfATextureToo) {
    World world;
    const VirtualTime time([&](auto slept) { world.advance(slept); });
    world.set_map_latency(1ms);
    Device device = world.open();
    const Texture picture = must(device.create_texture({.format = Format::rgba8_unorm,
                                                        .size = {4, 4},
                                                        .usage = TextureUsage::copy_src,
                                                        .label = "picture"}));
    for (int frame = 0; frame < 61; ++frame) {
        auto commands = device.record();
        auto ticket = commands.read<std::byte>(picture);
        must(device.submit(std::move(commands)));
        EXPECT_TRUE(ok(ticket.wait(1s)));
    }
    const auto advice = device.take_advice();
    ASSERT_EQ(advice.size(), 1U);
    EXPECT_TRUE(says(advice[0], "\"picture\"")) << advice[0];
}

} // namespace
} // namespace ferry::test
