// SPDX-License-Identifier: MIT
#include "scenarios.hpp"

#include <iostream>

#include "engines/shaders.hpp"

namespace ferry::test {

int end_with(const Error& error) {
    std::cerr << to_string(error) << '\n';
    return 1;
}

namespace {

using namespace std::chrono_literals;
using Bytes = std::vector<std::byte>;
using Words = std::vector<std::uint32_t>;

constexpr Usage copied = Usage::copy_src | Usage::copy_dst;
constexpr Usage readable = Usage::map_read | Usage::copy_dst;
constexpr Usage writable = Usage::map_write | Usage::copy_src;

/// Takes outcomes to the last one, whatever became of the ones before, and keeps the first error.
class Outcomes {
public:
    /// The ticket's only outcome is `expected`, or an error.
    template <class T, class Expected>
    void take(Ticket<T> ticket, const Expected& expected) {
        auto outcome = only_outcome(ticket, 10s);
        if (!outcome) return keep(outcome.error());
        right_ = right_ && *outcome == expected;
    }
    /// The ticket ends as cancelled, or the device was lost before.
    template <class T>
    void take_cancelled(Ticket<T> ticket) {
        auto outcome = only_outcome(ticket, 10s);
        right_ = right_ && !outcome;
        if (!outcome && outcome.error().code != Errc::cancelled) keep(outcome.error());
    }
    void check(bool right) { right_ = right_ && right; }
    void keep(const Error& error) {
        if (!first_) first_ = error;
    }
    [[nodiscard]] int end() const {
        if (!right_) return 1;
        return first_ ? end_with(*first_) : 0;
    }

private:
    std::optional<Error> first_;
    bool right_ = true;
};

template <class Body>
int run(Body body) {
    try {
        auto device = Device::open().value();
        Outcomes outcomes;
        body(device, outcomes);
        return outcomes.end();
    } catch (const std::bad_expected_access<Error>& failed) {
        return end_with(failed.error());
    }
}

Words numbers() { return counting<std::uint32_t>(64, 1); }

int read_many() {
    return run([](Device& device, Outcomes& outcomes) {
        auto source = device.create_buffer(numbers(), {.usage = copied}).value();
        auto commands = device.record("reads");
        auto first = commands.read<std::uint32_t>({source, {0, 8}});
        auto given_up = commands.read<std::uint32_t>(source);
        auto second = commands.read<std::uint32_t>({source, {8, 4}});
        { auto dropped = commands.read<std::uint32_t>(source); }
        given_up.cancel();
        auto sent = device.submit(std::move(commands));
        auto odd = device.read<std::byte>({source, {10, 6}});
        for (int look = 0; look < 3 && !second.ready(); ++look) device.poll();
        outcomes.take(std::move(odd), Bytes{std::byte(0), std::byte(0), std::byte(4), std::byte(0),
                                            std::byte(0), std::byte(0)});
        outcomes.take(std::move(second), Words{3});
        outcomes.take(std::move(first), Words{1, 2});
        outcomes.take_cancelled(std::move(given_up));
        if (!sent) outcomes.keep(sent.error());
    });
}

int read_into() {
    return run([](Device& device, Outcomes& outcomes) {
        auto source = device.create_buffer(numbers(), {.usage = copied}).value();
        Words target(64);
        auto small = device.read<std::uint32_t>(source);
        auto refused = small.wait_into(std::span(target).first(8), 10s);
        outcomes.check(!refused);
        if (small) {
            auto count = small.wait_into(target, 10s);
            outcomes.check(!count || target == numbers());
            if (!count) outcomes.keep(count.error());
        } else {
            outcomes.keep(refused.error());
        }
        auto taken = device.read<std::uint32_t>({source, {16, 16}});
        auto answer = taken.take_into(target);
        for (int look = 0; look < 100 && !answer; ++look) answer = taken.take_into(target);
        outcomes.check(!answer || !*answer || target[0] == 5);
        if (answer && !*answer) outcomes.keep(answer->error());
    });
}

int map_and_unmap() {
    return run([](Device& device, Outcomes& outcomes) {
        auto upload = device.create_buffer({.usage = writable, .size_bytes = 32}).value();
        auto target = device.create_buffer({.usage = readable, .size_bytes = 32}).value();
        auto request = upload.map_write({8, 16});
        {
            auto mapping = only_outcome(request, 10s).value();
            auto part = mapping.as<std::uint32_t>({.offset_bytes = 16, .size_bytes = 8}).value();
            part.copy_from(Words{5, 6}).value();
            mapping.unmap().value();
        }
        auto commands = device.record("copy");
        commands.copy(upload, target);
        device.submit(std::move(commands)).value();
        auto cancelled = target.map_read();
        target.unmap().value();
        outcomes.take_cancelled(std::move(cancelled));
        auto again = target.map_read({16, 8});
        auto mapping = only_outcome(again, 10s).value();
        auto words = mapping.as<std::uint32_t>().value();
        outcomes.check(words.copy().value() == Words{5, 6});
        auto ended = upload.map_write();
        upload.destroy();
        outcomes.take_cancelled(std::move(ended));
    });
}

int write_clear_done() {
    return run([](Device& device, Outcomes& outcomes) {
        const Bytes data = pattern(18);
        auto buffer = device.create_buffer({.usage = copied, .size_bytes = 18}).value();
        device.write(buffer, data).value();
        auto commands = device.record("clear");
        commands.clear({buffer, {4, 8}});
        auto read = commands.read<std::byte>(buffer);
        auto sent = device.submit(std::move(commands)).value();
        auto done = device.done();
        Bytes expected = data;
        std::fill_n(expected.begin() + 4, 8, std::byte{0});
        auto finished = only_outcome(done, 10s);
        outcomes.check(!finished || finished->number == sent.number);
        if (!finished) outcomes.keep(finished.error());
        outcomes.take(std::move(read), expected);
        for (const Error& error : device.take_uncaptured_errors()) outcomes.keep(error);
    });
}

int mapped_at_creation() {
    return run([](Device& device, Outcomes& outcomes) {
        auto filled = device.create_mapped_buffer({.usage = copied, .size_bytes = 16}).value();
        filled.mapping.as<std::uint32_t>().value().copy_from(Words{1, 2, 3, 4}).value();
        filled.mapping.unmap().value();
        { auto dropped = device.create_mapped_buffer({.usage = copied, .size_bytes = 6}); }
        auto odd = device.create_buffer(pattern(7), {.usage = copied}).value();
        outcomes.take(device.read<std::uint32_t>(filled.buffer), Words{1, 2, 3, 4});
        outcomes.take(device.read<std::byte>(odd), pattern(7));
    });
}

int kernels() {
    return run([](Device& device, Outcomes& outcomes) {
        auto source = device.create_buffer(numbers(), {.usage = Usage::storage}).value();
        auto target =
            device.create_buffer({.usage = Usage::storage | copied, .size_bytes = 16}).value();
        auto kernel = device.create_kernel(wgsl::two_buffers).value();
        auto bindings = device.bind(kernel, {{"source", source}, {"target_", target}}).value();
        auto commands = device.record("kernel");
        commands.dispatch(kernel, bindings, {.groups = 2});
        auto two = commands.read<std::uint32_t>(target);
        commands.dispatch(kernel, {{"0.0", source}, {"0.1", target}}, {.threads = 4});
        auto four = commands.read<std::uint32_t>(target);
        auto sent = device.submit(std::move(commands));
        outcomes.take(std::move(two), Words{2, 3, 0, 0});
        outcomes.take(std::move(four), Words{2, 3, 4, 5});
        if (!sent) outcomes.keep(sent.error());
    });
}

int close_with_tickets() {
    return run([](Device& device, Outcomes& outcomes) {
        auto buffer = device.create_buffer(numbers(), {.usage = readable}).value();
        auto source = device.create_buffer(numbers(), {.usage = copied}).value();
        auto read = device.read<std::uint32_t>(source);
        auto map = buffer.map_read();
        auto done = device.done();
        auto commands = device.record();
        auto unsent = commands.read<std::uint32_t>(source);
        device.close();
        outcomes.take_cancelled(std::move(read));
        outcomes.take_cancelled(std::move(map));
        outcomes.take_cancelled(std::move(unsent));
        auto finished = only_outcome(done, 10s);
        if (!finished && finished.error().code != Errc::cancelled) outcomes.keep(finished.error());
    });
}

/// Looks at the list of uncaptured errors before it trusts what it has read.
int watchful() {
    return run([](Device& device, Outcomes& outcomes) {
        auto source = device.create_buffer({.usage = copied, .size_bytes = 256}).value();
        auto target = device.create_buffer({.usage = copied, .size_bytes = 256}).value();
        device.write(source, numbers()).value();
        auto commands = device.record("watched");
        commands.copy(source, target);
        commands.clear({source, {0, 8}});
        auto copy = commands.read<std::uint32_t>(target);
        auto cleared = commands.read<std::uint32_t>({source, {0, 12}});
        device.submit(std::move(commands)).value();
        auto copy_seen = only_outcome(copy, 10s);
        auto cleared_seen = only_outcome(cleared, 10s);
        for (const Error& error : device.take_uncaptured_errors())
            throw std::bad_expected_access(error);
        outcomes.check(copy_seen.value() == numbers());
        outcomes.check(cleared_seen.value() == Words{0, 0, 3});
    });
}

int list_adapters() {
    auto found = adapters(Engine::find("fake").value());
    if (!found) return end_with(found.error());
    if (found->empty() || !found->front().refusal.empty()) std::cerr << "no adapter\n";
    return found->empty() ? 1 : 0;
}

} // namespace

std::vector<Program> scenarios() {
    return {{"read_many", read_many},
            {"read_into", read_into},
            {"map_and_unmap", map_and_unmap},
            {"write_clear_done", write_clear_done},
            {"mapped_at_creation", mapped_at_creation},
            {"kernels", kernels},
            {"close_with_tickets", close_with_tickets},
            {"watchful", watchful},
            {"list_adapters", list_adapters},
            {"ring", scenario_ring},
            {"upload", scenario_upload},
            {"batch", scenario_batch},
            {"stream", scenario_stream},
            {"adopted", scenario_adopted}};
}

} // namespace ferry::test
