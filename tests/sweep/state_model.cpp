// SPDX-License-Identifier: MIT
#include "state_model.hpp"

#include <utility>

namespace ferry::test {

void Model::begin(State state) {
    switch (state) {
    case State::fresh: break;
    case State::pending:
        map_ = Map::pending;
        request_ = {Errc::timeout};
        break;
    case State::mapped_read: map_ = Map::reading; break;
    case State::mapped_write:
    case State::at_creation: map_ = Map::writing; break;
    case State::unmapped_again: break;
    case State::destroyed: destroyed_ = true; break;
    case State::invalid: handle_ = false; break;
    case State::device_lost: lost_ = true; break;
    }
}

Verdict Model::step(Step step, std::uint8_t stamp) {
    switch (step) {
    case Step::map: return map();
    case Step::range: return range(stamp);
    case Step::unmap: return unmap();
    case Step::destroy: destroy(); return {};
    case Step::write: return use_as_target(stamp); // W-06 to W-09
    case Step::record: return record();
    case Step::submit: return submit();
    case Step::clear: return use_as_target(0); // K-10, S-02
    case Step::release: handle_ = false; return {};
    case Step::lose: break;
    }
    if (map_ == Map::pending) request_ = {Errc::device_lost}; // M-13
    if (map_ == Map::pending || map_ == Map::reading) map_ = Map::none;
    lost_ = true;
    return {};
}

MapState Model::map_state() const {
    if (destroyed_) return MapState::destroyed;
    if (lost_) return MapState::lost;
    if (map_ == Map::none) return MapState::unmapped;
    return map_ == Map::pending ? MapState::pending : MapState::mapped;
}

std::optional<std::uint8_t> Model::contents() const {
    if (!handle_ || destroyed_ || lost_) return std::nullopt;
    return map_ == Map::writing ? memory_ : gpu_; // the look ends the mapping first
}

/// S-02, S-05: pending, mapped and destroyed buffers are not the GPU's.
Verdict Model::unavailable() const {
    Verdict verdict;
    if (lost_) verdict.insert(Errc::device_lost);
    if (destroyed_ || (map_ != Map::none && !lost_)) verdict.insert(Errc::wrong_state);
    return verdict;
}

Verdict Model::map() {
    if (!handle_) return {Errc::invalid_argument};
    Verdict verdict = unavailable();                                        // M-01, M-04, M-13
    if (purpose_ == Purpose::gpu) verdict.insert(Errc::invalid_argument);   // M-09
    if (recorded_ && is_copy_target()) verdict.insert(Errc::not_submitted); // ferry's own rule
    if (!verdict.empty()) return verdict;
    if (maps_ == Maps::stay_pending) {
        map_ = Map::pending;
        request_ = {Errc::timeout};
        return {};
    }
    map_ = purpose_ == Purpose::reading ? Map::reading : Map::writing;
    memory_ = gpu_; // C-01, C-02
    claimed_ = false;
    return {};
}

Verdict Model::range(std::uint8_t stamp) {
    const bool mapped = map_ == Map::reading || map_ == Map::writing;
    if (lost_) return {Errc::wrong_state, Errc::device_lost};
    if (!mapped) return {Errc::wrong_state}; // G-01
    if (map_ == Map::reading) return {};
    if (claimed_) return {Errc::invalid_argument}; // G-06, G-08
    claimed_ = true;
    memory_ = stamp;
    return {};
}

void Model::end_map(bool sends) {
    if (map_ == Map::pending) request_ = {Errc::cancelled}; // M-12
    if (map_ == Map::writing && sends) gpu_ = memory_;      // C-03
    map_ = Map::none;
    claimed_ = false;
}

Verdict Model::unmap() {
    if (!handle_) return {Errc::invalid_argument};
    const bool written = map_ == Map::writing;
    end_map(!lost_);
    if (written && lost_) return {Errc::device_lost}; // Buffer::unmap
    return {};                                        // U-01
}

void Model::destroy() { // U-02
    if (!handle_) return;
    end_map(false);
    destroyed_ = true;
}

/// S-01: recording looks at no state. But a new recording needs a device.
Verdict Model::record() {
    Verdict verdict;
    if (!handle_) verdict.insert(Errc::invalid_argument);
    if (lost_ && !recorded_) verdict.insert(Errc::device_lost);
    recorded_ = verdict.empty();
    return verdict;
}

Verdict Model::submit() {
    const bool sent_before = std::exchange(recorded_, false); // S-03, S-04
    Verdict verdict = unavailable();
    if (!sent_before && !handle_) verdict = {Errc::invalid_argument};
    if (!sent_before && !handle_ && lost_) verdict.insert(Errc::device_lost);
    if (!verdict.empty()) return verdict;
    if (is_copy_target()) {
        gpu_ = other_;
    } else {
        other_ = gpu_;
    }
    return {};
}

Verdict Model::use_as_target(std::uint8_t value) {
    Verdict verdict = unavailable();
    if (!is_copy_target()) verdict.insert(Errc::invalid_argument);
    if (!handle_) verdict = {Errc::invalid_argument};
    if (!handle_ && lost_) verdict.insert(Errc::device_lost);
    if (verdict.empty()) gpu_ = value;
    return verdict;
}

} // namespace ferry::test
