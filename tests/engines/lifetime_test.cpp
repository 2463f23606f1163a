// SPDX-License-Identifier: MIT
// The order of destruction never matters; close ends everything exactly once.
#include <algorithm>
#include <functional>
#include <random>

#include "mapping_fixture.hpp"
#include "raw_engine.hpp"
#include "shaders.hpp"

namespace ferry::test {
namespace {

constexpr Usage copied = Usage::copy_src | Usage::copy_dst;
constexpr Usage readable = Usage::map_read | Usage::copy_dst;

/// One of everything, made from one device, in a state where most is under way.
struct Everything {
    std::optional<Engine> engine;
    std::optional<Device> device;
    std::optional<Buffer> buffer;
    std::optional<Kernel> kernel;
    std::optional<Bindings> bindings;
    std::optional<Commands> commands;
    std::optional<ReadMapping> mapping;
    std::optional<Ticket<std::vector<float>>> read;
    std::optional<Ticket<ReadMapping>> map;
    std::optional<Ticket<Submission>> done;
    std::optional<MappedSpan<const float>> span;

    Everything() : engine(test::engine()), device(open_device({.engine = *engine})) {
        const std::vector<float> ones(16, 1.0F);
        buffer = make_filled(*device, ones, Usage::storage | copied);
        Buffer mapped = make_filled(*device, ones, readable);
        mapping = must(mapped.map_read().wait(patience));
        span = must(mapping->as<float>());
        Buffer pending = make_filled(*device, ones, readable);
        map = pending.map_read();
        kernel = must(device->create_kernel(wgsl::twice));
        bindings = must(device->bind(*kernel, {{"data", *buffer}}));
        commands = device->record();
        commands->dispatch(*kernel, *bindings, {.threads = 16});
        read = device->read<float>(*buffer);
        done = device->done();
    }

    [[nodiscard]] std::vector<std::function<void()>> drops() {
        return {[&] { engine.reset(); },  [&] { device.reset(); },   [&] { buffer.reset(); },
                [&] { kernel.reset(); },  [&] { bindings.reset(); }, [&] { commands.reset(); },
                [&] { mapping.reset(); }, [&] { read.reset(); },     [&] { map.reset(); },
                [&] { done.reset(); },    [&] { span.reset(); }};
    }
};

void drop_in_order(const std::vector<std::size_t>& order) {
    Everything all;
    auto drops = all.drops();
    for (std::size_t at : order) drops[at]();
}

std::vector<std::size_t> first_order() { return counting<std::size_t>(11); }

TEST(Lifetime, EachObjectMayBeTheFirstOrTheLastToGo) {
    for (std::size_t moved = 0; moved < 11; ++moved) {
        auto order = first_order();
        std::rotate(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(moved), order.end());
        drop_in_order(order);
        std::reverse(order.begin(), order.end());
        drop_in_order(order);
    }
}

TEST(Lifetime, ObjectsMayGoInAnyOrder) {
    std::mt19937 random(20261130);
    for (int turn = 0; turn < 40; ++turn) {
        auto order = first_order();
        std::shuffle(order.begin(), order.end(), random);
        SCOPED_TRACE(testing::PrintToString(order));
        drop_in_order(order);
    }
}

TEST(Lifetime, WhatIsLeftStillWorksWhenTheDeviceHandleIsGone) {
    Everything all;
    all.device.reset();
    all.engine.reset();
    EXPECT_EQ(must(all.read->wait(patience)), std::vector<float>(16, 1.0F));
    EXPECT_EQ(must(all.span->at(3)), 1.0F);
    auto mapping = must(all.map->wait(patience));
    EXPECT_EQ(must(must(mapping.as<float>()).copy()), std::vector<float>(16, 1.0F));
    EXPECT_TRUE(ok(all.done->wait(patience)));
}

TEST(Lifetime, ABufferThatOutlivesItsDeviceHandleIsStillMapped) {
    std::optional<Device> device = open_device();
    Buffer buffer = make_filled(*device, pattern(16), readable);
    device.reset();
    auto mapping = must(buffer.map_read().wait(patience));
    EXPECT_EQ(must(must(mapping.as<std::byte>()).copy()), pattern(16));
}

TEST(Close, EndsReadsThatWereNotSubmittedAsCancelledExactlyOnce) {
    Device device = open_device();
    auto commands = device.record();
    auto ticket = commands.read<std::byte>(make_filled(device, pattern(16)));
    device.close();
    device.close();
    EXPECT_TRUE(ticket.ready());
    EXPECT_TRUE(refused(ticket.wait(patience), {{Errc::cancelled}}));
    EXPECT_FALSE(ticket);
    EXPECT_TRUE(refused(ticket.wait(patience), wrong_state()));
}

TEST(Close, DetachesMappingsAndBuffersAreLost) {
    Device device = open_device();
    Buffer buffer = make_filled(device, pattern(16), readable, "result");
    auto mapping = must(buffer.map_read().wait(patience));
    auto span = must(mapping.as<std::byte>());
    device.close();
    EXPECT_EQ(buffer.map_state(), MapState::lost);
    EXPECT_FALSE(mapping.alive());
    EXPECT_EQ(span.size(), 0U);
    EXPECT_TRUE(refused(span.at(0), wrong_state("", {"result"}))) << "G-10";
    EXPECT_TRUE(refused(mapping.as<std::byte>(), wrong_state()));
    EXPECT_TRUE(ok(mapping.unmap())) << "U-01";
    EXPECT_TRUE(ok(buffer.unmap())) << "U-01";
    buffer.destroy();
}

TEST(Close, ATicketThatWasReadyKeepsItsOutcome) {
    Device device = open_device();
    auto ticket = device.read<std::byte>(make_filled(device, pattern(16)));
    ASSERT_TRUE(poll_until(device, [&] { return ticket.ready(); }));
    device.close();
    auto outcome = ticket.wait(patience);
    // One outcome: the value that was there, or the end of its memory; never anything else.
    if (outcome) {
        EXPECT_EQ(*outcome, pattern(16));
    } else {
        EXPECT_EQ(outcome.error().code, Errc::cancelled);
    }
    EXPECT_FALSE(ticket);
}

TEST(Close, UseAfterwardsIsAnErrorAndNotACrash) {
    Device device = open_device({.label = "closed one"});
    Buffer buffer = make_buffer(device, 16, copied);
    Buffer mappable = make_buffer(device, 16, readable);
    auto commands = device.record();
    commands.clear(buffer);
    device.close();
    const Refusal closed{{Errc::wrong_state, Errc::device_lost}};
    EXPECT_TRUE(refused(device.create_buffer({.usage = copied, .size_bytes = 16}), closed));
    EXPECT_TRUE(refused(device.create_buffer(pattern(16), {.usage = copied}), closed));
    EXPECT_TRUE(refused(device.create_mapped_buffer({.usage = copied, .size_bytes = 16}), closed));
    EXPECT_TRUE(refused(device.create_kernel(wgsl::twice), closed));
    EXPECT_TRUE(refused(device.write(buffer, pattern(16)), closed));
    EXPECT_TRUE(refused(device.read<std::byte>(buffer).wait(patience), closed));
    EXPECT_TRUE(refused(device.submit(std::move(commands)), closed));
    EXPECT_TRUE(refused(device.submit(device.record()), closed));
    EXPECT_TRUE(refused(device.done().wait(patience), closed));
    EXPECT_TRUE(refused(mappable.map_read().wait(patience), wrong_state()));
    device.poll();
}

TEST(Close, OfAnUnusedDeviceIsQuiet) {
    Device device = open_device();
    device.close();
    device.close();
}

TEST(Close, WithAWritableMappingDropsWhatWasWritten) {
    Device device = open_device();
    auto made = must(device.create_mapped_buffer({.usage = copied, .size_bytes = 64}));
    auto span = must(made.mapping.as<std::byte>());
    EXPECT_TRUE(ok(span.copy_from(pattern(64))));
    device.close();
    EXPECT_TRUE(refused(span.copy_from(pattern(64)), wrong_state()));
    EXPECT_EQ(made.buffer.map_state(), MapState::lost);
}

TEST(Moves, ADeviceThatWasMovedIsStillTheSameDevice) {
    Device first = open_device();
    const Buffer buffer = make_filled(first, pattern(16));
    Device second = std::move(first);
    EXPECT_FALSE(first); // NOLINT(bugprone-use-after-move): what this test is about
    EXPECT_EQ(read_all(second, buffer), pattern(16));
    second = open_device();
    EXPECT_FALSE(second.read<std::byte>(buffer).wait(patience)) << "it is another device now";
}

TEST(Moves, CommandsThatWereMovedOverCancelTheirReads) {
    Device device = open_device();
    const Buffer buffer = make_filled(device, pattern(16));
    auto commands = device.record();
    auto old = commands.read<std::byte>(buffer);
    commands = device.record();
    auto fresh = commands.read<std::byte>(buffer);
    EXPECT_TRUE(refused(old.wait(patience), {{Errc::cancelled}}));
    must(device.submit(std::move(commands)));
    EXPECT_EQ(must(fresh.wait(patience)), pattern(16));
}

} // namespace
} // namespace ferry::test
