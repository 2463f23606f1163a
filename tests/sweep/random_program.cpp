// SPDX-License-Identifier: MIT
#include "random_program.hpp"

#include <algorithm>

namespace ferry::test {
namespace {

/// A range of whole words inside a buffer.
struct Words {
    std::size_t offset, bytes;
};
Words words_of(unsigned first, unsigned count, std::size_t words) {
    const std::size_t start = first % words;
    return {4 * start, 4 * (count % (words - start + 1))};
}

std::ptrdiff_t at(std::size_t offset) { return static_cast<std::ptrdiff_t>(offset); }

} // namespace

RandomProgram::RandomProgram(Device& device) : device_(device) {
    constexpr Usage usages[] = {
        Usage::copy_src | Usage::copy_dst, Usage::copy_src | Usage::copy_dst,
        Usage::copy_src | Usage::copy_dst, Usage::map_read | Usage::copy_dst,
        Usage::map_write | Usage::copy_src};
    for (std::size_t i = 0; i < buffers; ++i) {
        buffers_[i] = make_buffer(device, size, usages[i]);
        model_[i] = Memory(size);
    }
}

void RandomProgram::run(const Step& step) {
    switch (step.kind) {
    case Kind::write: return write(step);
    case Kind::copy: return copy(step);
    case Kind::clear: return clear(step);
    case Kind::read: return read(step);
    case Kind::submit: return submit();
    case Kind::map: return map(step);
    case Kind::fill: return fill(step);
    case Kind::unmap: return unmap(step);
    case Kind::take: deliver(); return take(step.source);
    }
}

bool RandomProgram::is_free(std::size_t buffer) const {
    if (buffer == readable) return !read_request_ && !reading_;
    if (buffer == writable) return !write_request_ && !writing_;
    return true;
}

bool RandomProgram::is_written_by_recorded(std::size_t buffer) const {
    return std::ranges::any_of(recorded_, [&](const Command& command) {
        return command.kind != Kind::read && command.target == buffer && command.bytes > 0;
    });
}

void RandomProgram::write(const Step& step) {
    const std::size_t target = step.target % writable; // not into the writable one
    const auto [offset, bytes] = words_of(step.first, step.count, words);
    const Memory data(bytes, std::byte{step.value});
    const auto written = device_.write(buffers_[target], data, {.offset_bytes = offset});
    if (written.has_value() != is_free(target)) differ("a write is answered otherwise");
    if (is_free(target)) std::ranges::copy(data, model_[target].begin() + at(offset));
}

void RandomProgram::copy(const Step& step) {
    constexpr std::size_t sources[] = {0, 1, 2, writable};
    const std::size_t source = sources[step.source % 4];
    std::size_t target = step.target % writable;
    if (target == source) target = (target + 1) % writable;
    const auto [from, wanted] = words_of(step.first, step.count, words);
    const std::size_t to = 4 * (step.value % words);
    const std::size_t bytes = std::min(wanted, size - to);
    if (!recording_) recording_ = device_.record("random");
    recording_->copy({buffers_[source], {from, bytes}}, {buffers_[target], {to, {}}});
    recorded_.push_back({Kind::copy, source, target, from, to, bytes});
}

void RandomProgram::clear(const Step& step) {
    const std::size_t target = step.target % writable;
    const auto [offset, bytes] = words_of(step.first, step.count, words);
    if (!recording_) recording_ = device_.record("random");
    recording_->clear({buffers_[target], {offset, bytes}});
    recorded_.push_back({Kind::clear, target, target, 0, offset, bytes});
}

void RandomProgram::read(const Step& step) {
    constexpr std::size_t sources[] = {0, 1, 2, writable};
    const std::size_t source = sources[step.source % 4];
    const std::size_t offset = step.first % size; // any byte, any number of them
    const std::size_t bytes = step.count % (size - offset + 1);
    if (!recording_) recording_ = device_.record("random");
    recorded_reads_.push_back({recording_->read<std::byte>({buffers_[source], {offset, bytes}})});
    recorded_.push_back({Kind::read, source, source, offset, 0, bytes, recorded_reads_.size() - 1});
}

/// S-02: all of it runs, or nothing.
void RandomProgram::submit() {
    if (!recording_) recording_ = device_.record("random");
    const bool legal = std::ranges::all_of(recorded_, [&](const Command& command) {
        return command.bytes == 0 || (is_free(command.source) && is_free(command.target));
    });
    const auto sent = device_.submit(*std::exchange(recording_, std::nullopt));
    if (sent.has_value() != legal) differ("a submit is answered otherwise");
    if (legal) {
        for (const Command& command : recorded_) run_on_model(command);
        std::ranges::move(recorded_reads_, std::back_inserter(sent_reads_));
    } else {
        for (Read& each : recorded_reads_) {
            auto outcome = each.ticket.wait(patience);
            if (outcome || outcome.error().code != Errc::wrong_state)
                differ("a read of a refused submit ends otherwise");
        }
    }
    recorded_.clear();
    recorded_reads_.clear();
}

void RandomProgram::run_on_model(const Command& command) {
    Memory& source = model_[command.source];
    Memory& target = model_[command.target];
    const auto first = source.begin() + at(command.from);
    switch (command.kind) {
    case Kind::copy: std::copy_n(first, command.bytes, target.begin() + at(command.to)); break;
    case Kind::clear:
        std::fill_n(target.begin() + at(command.to), command.bytes, std::byte{0});
        break;
    default: recorded_reads_[command.read].expected.assign(first, first + at(command.bytes)); break;
    }
}

void RandomProgram::map(const Step& step) {
    if (step.target % 2 == 0) {
        auto request = buffers_[writable].map_write();
        if (is_free(writable)) {
            write_request_ = std::move(request);
        } else if (request.wait(patience)) {
            differ("a second map is granted");
        }
        return;
    }
    auto request = buffers_[readable].map_read();
    if (is_free(readable) && !is_written_by_recorded(readable)) {
        read_request_ = std::move(request);
    } else if (request.wait(patience)) {
        differ("a map is granted too early");
    }
}

/// Waits for the maps that were asked for, and looks at what they show.
void RandomProgram::deliver() {
    if (read_request_) {
        reading_ = must(read_request_.wait(patience));
        if (must(must(reading_->as<std::byte>()).copy()) != model_[readable])
            differ("a mapping for reading shows other bytes");
    }
    if (write_request_) {
        writing_ = must(write_request_.wait(patience));
        memory_ = must(writing_->as<std::byte>());
        if (must(memory_->copy()) != model_[writable])
            differ("a mapping for writing shows other bytes");
    }
}

void RandomProgram::fill(const Step& step) {
    deliver();
    if (!writing_) return;
    const auto [offset, bytes] = words_of(step.first, step.count, words);
    auto memory = must(memory_->span()).subspan(offset, bytes);
    std::ranges::fill(memory, std::byte{step.value});
    std::fill_n(model_[writable].begin() + at(offset), bytes, std::byte{step.value});
}

/// A request that is pending is cancelled.
void RandomProgram::unmap(const Step& step) {
    const std::size_t which = step.target % 2 == 0 ? writable : readable;
    must(buffers_[which].unmap());
    if (which == writable) {
        write_request_ = {};
        writing_.reset();
    } else {
        read_request_ = {};
        reading_.reset();
    }
}

void RandomProgram::take(std::size_t which) {
    if (sent_reads_.empty()) return;
    const auto read = sent_reads_.begin() + at(which % sent_reads_.size());
    if (must(read->ticket.wait(patience)) != read->expected) differ("a read brings other bytes");
    sent_reads_.erase(read);
}

void RandomProgram::finish() {
    deliver();
    unmap({.target = 0});
    unmap({.target = 1});
    submit();
    while (!sent_reads_.empty()) take(0);
    for (std::size_t i = 0; i < buffers; ++i) {
        if (i != readable && read_all(device_, buffers_[i]) != model_[i])
            differ("a buffer ends with other bytes");
    }
    read_request_ = buffers_[readable].map_read();
    deliver();
}

} // namespace ferry::test
