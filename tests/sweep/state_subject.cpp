// SPDX-License-Identifier: MIT
#include "state_subject.hpp"

namespace ferry::test {
namespace {

constexpr Usage usages[] = {Usage::map_read | Usage::copy_dst, Usage::map_write | Usage::copy_src,
                            Usage::copy_src | Usage::copy_dst};

Result<> verdict_of(const Commands& commands) {
    if (commands.error() != nullptr) return std::unexpected(*commands.error());
    return {};
}

std::vector<std::byte> all(std::uint8_t value) {
    return std::vector<std::byte>(Subject::size, std::byte{value});
}

} // namespace

void Subject::make(State state) {
    const BufferOptions options{
        .usage = usages[static_cast<int>(purpose_)], .size_bytes = size, .label = "subject"};
    other_ = make_filled(device_, all(Model::other_at_first));
    if (state == State::invalid) return;
    const bool by_creation =
        state == State::at_creation || (state == State::unmapped_again && purpose_ == Purpose::gpu);
    if (!by_creation) {
        buffer_ = must(device_.create_buffer(options));
        return;
    }
    auto made = must(device_.create_mapped_buffer(options));
    buffer_ = std::move(made.buffer);
    write_ = std::move(made.mapping);
    writes_ = true;
}

void Subject::begin(State state) {
    make(state);
    const Maps maps =
        std::exchange(maps_, state == State::pending ? Maps::stay_pending : Maps::end_at_once);
    const bool maps_first = state == State::pending || state == State::mapped_read ||
                            state == State::mapped_write ||
                            (state == State::unmapped_again && purpose_ != Purpose::gpu);
    if (maps_first) must(map());
    if (state == State::unmapped_again) must(buffer_.unmap());
    if (state == State::destroyed) buffer_.destroy();
    if (state == State::device_lost) must(step(Step::lose, 0));
    maps_ = maps;
}

Result<> Subject::step(Step step, std::uint8_t stamp) {
    switch (step) {
    case Step::map: return map();
    case Step::range: return range(stamp);
    case Step::unmap: return buffer_.unmap();
    case Step::destroy: buffer_.destroy(); return {};
    case Step::write: return device_.write(buffer_, all(stamp));
    case Step::record: return record();
    case Step::submit: return submit();
    case Step::clear: return clear();
    case Step::release: buffer_ = {}; return {};
    case Step::lose: break;
    }
    world_.lose_devices();
    device_.poll();
    return {};
}

template <class T>
Result<> Subject::deliver(Ticket<T>& ticket, T& mapping) {
    if (maps_ == Maps::stay_pending) {
        auto refused = ticket.take();
        if (refused && !*refused) return std::unexpected(refused->error());
        if (refused) ADD_FAILURE() << "a map that takes forever was delivered";
        return {};
    }
    auto outcome = only_outcome(ticket, std::chrono::seconds(1));
    if (!outcome) return std::unexpected(std::move(outcome).error());
    mapping = *std::move(outcome);
    return {};
}

Result<> Subject::map() {
    using namespace std::chrono_literals;
    if (maps_ == Maps::stay_pending) {
        world_.set_map_latency(std::chrono::hours(1000));
    } else {
        world_.set_map_latency(0ns);
    }
    if (purpose_ == Purpose::writing) {
        auto ticket = buffer_.map_write();
        auto answer = deliver(ticket, write_);
        writes_ = answer.has_value() || writes_;
        if (ticket) write_request_ = std::move(ticket);
        return answer;
    }
    auto ticket = buffer_.map_read();
    auto answer = deliver(ticket, read_);
    if (answer) writes_ = false;
    if (ticket) read_request_ = std::move(ticket);
    return answer;
}

Result<> Subject::range(std::uint8_t stamp) {
    if (!writes_) {
        auto span = read_.as<std::byte>();
        if (!span) return std::unexpected(span.error());
        EXPECT_EQ(span->size(), size);
        return {};
    }
    auto span = write_.as<std::byte>();
    if (!span) return std::unexpected(span.error());
    return span->copy_from(all(stamp));
}

void Subject::record_copy(Commands& commands) {
    if (purpose_ == Purpose::writing) {
        commands.copy(buffer_, other_);
    } else {
        commands.copy(other_, buffer_);
    }
}

Result<> Subject::record() {
    if (!recorded_) recorded_ = device_.record("recorded");
    record_copy(*recorded_);
    auto verdict = verdict_of(*recorded_);
    if (!verdict) recorded_.reset();
    return verdict;
}

Result<> Subject::submit() {
    if (!recorded_) {
        recorded_ = device_.record("at once");
        record_copy(*recorded_);
    }
    auto sent = device_.submit(*std::exchange(recorded_, std::nullopt));
    if (!sent) return std::unexpected(sent.error());
    return {};
}

Result<> Subject::clear() {
    auto commands = device_.record("clear");
    commands.clear(buffer_);
    auto sent = device_.submit(std::move(commands));
    if (!sent) return std::unexpected(sent.error());
    return {};
}

Result<> Subject::request() {
    const auto look = [](auto& ticket) -> Result<> {
        if (!ticket) return {};
        auto taken = ticket.take();
        if (!taken) {
            auto end = only_outcome(ticket, std::chrono::nanoseconds(0));
            return std::unexpected(end.error());
        }
        if (*taken) ADD_FAILURE() << "a request that must not succeed did";
        return std::unexpected(taken->error());
    };
    return purpose_ == Purpose::writing ? look(write_request_) : look(read_request_);
}

std::vector<std::byte> Subject::contents() {
    recorded_.reset();
    must(buffer_.unmap());
    world_.set_map_latency(std::chrono::nanoseconds(0));
    if (purpose_ != Purpose::reading) return read_all(device_, buffer_);
    auto mapping = must(buffer_.map_read().wait(patience));
    return must(must(mapping.as<std::byte>()).copy());
}

std::vector<std::byte> Subject::other() {
    recorded_.reset();
    world_.set_map_latency(std::chrono::nanoseconds(0));
    return read_all(device_, other_);
}

} // namespace ferry::test
