// SPDX-License-Identifier: MIT
// A buffer in each state, each operation, and all sequences of three: ferry's verdict is the
// rules', the engine sees no invalid call, and nothing is left behind.
#include <cstdio>

#include "state_subject.hpp"

namespace ferry::test {
namespace {

using Sequence = std::vector<Step>;

/// A state and the purposes of buffers that can be in it.
struct Start {
    State state;
    std::vector<Purpose> purposes;
};
const std::vector<Purpose> any{Purpose::reading, Purpose::writing, Purpose::gpu};
const Start starts[] = {
    {State::fresh, any},
    {State::pending, {Purpose::reading, Purpose::writing}},
    {State::mapped_read, {Purpose::reading}},
    {State::mapped_write, {Purpose::writing}},
    {State::at_creation, any},
    {State::unmapped_again, any},
    {State::destroyed, any},
    {State::invalid, {Purpose::reading}},
    {State::device_lost, any},
};

std::string codes_text(const Verdict& verdict) {
    if (verdict.empty()) return "ok";
    std::string text;
    for (Errc code : verdict) text += (text.empty() ? "" : " or ") + std::string(name(code));
    return text;
}

std::string answer_text(const Result<>& answer) {
    return answer ? "ok" : std::string(name(answer.error().code));
}

bool agrees(const Result<>& answer, const Verdict& verdict) {
    return answer ? verdict.empty() : verdict.contains(answer.error().code);
}

bool is_all(const std::vector<std::byte>& bytes, std::uint8_t value) {
    return bytes == std::vector<std::byte>(Subject::size, std::byte{value});
}

/// All sequences of one start, on one device as long as it lives.
class StartSweep {
public:
    StartSweep(State state, Purpose purpose, Maps maps)
        : state_(state), purpose_(purpose), maps_(maps) {}

    void run(const Sequence& sequence) {
        ++sequences;
        if (!device_ || device_->lost()) reopen();
        const auto before = world_.live("Buffer");
        {
            Model model(purpose_, maps_);
            Subject subject(world_, *device_, purpose_, maps_);
            model.begin(state_);
            subject.begin(state_);
            const std::string wrong = follow(model, subject, sequence);
            if (!wrong.empty()) complain(sequence, wrong);
        }
        device_->poll();
        if (world_.live("Buffer") != before) complain(sequence, "a buffer is left behind");
        if (ferry_fake_errors(world_.get()) != errors_) {
            complain(sequence, "invalid call: " + world_.errors().back());
            errors_ = ferry_fake_errors(world_.get());
        }
        if (ferry_fake_misuses(world_.get()) != 0) {
            complain(sequence, "misuse: " + world_.misuses().front());
            world_.forget_misuses();
        }
    }
    /// Closes everything.
    void finish() {
        device_.reset();
        const auto findings = world_.findings();
        if (!findings.empty()) complain({}, findings);
        if (failures > most_told) ADD_FAILURE() << failures << " failures in all";
    }

    int sequences = 0, answers = 0, failures = 0;

private:
    static constexpr int most_told = 5;

    void reopen() {
        device_.reset();
        device_ = world_.open({.label = "sweep", .staging_budget_bytes = 0});
    }

    std::string follow(Model& model, Subject& subject, const Sequence& sequence) {
        std::uint8_t stamp = 1;
        for (Step step : sequence) {
            const Verdict verdict = model.step(step, stamp);
            const Result<> answer = subject.step(step, stamp++);
            ++answers;
            if (!agrees(answer, verdict)) {
                return std::string(step_names[static_cast<std::size_t>(step)]) + " answers " +
                       answer_text(answer) + ", the rules say " + codes_text(verdict) +
                       (answer ? "" : "\n" + to_string(answer.error()));
            }
            if (model.has_handle() && subject.map_state() != model.map_state()) {
                return "the state is " + std::string(name(subject.map_state())) +
                       ", the rules say " + std::string(name(model.map_state()));
            }
        }
        return look(model, subject);
    }

    static std::string look(const Model& model, Subject& subject) {
        const Result<> request = subject.request();
        if (!agrees(request, model.request())) {
            return "the map request ends as " + answer_text(request) + ", the rules say " +
                   codes_text(model.request());
        }
        const auto contents = model.contents();
        if (contents && !is_all(subject.contents(), *contents)) return "other contents";
        if (!model.lost() && !is_all(subject.other(), model.other()))
            return "other contents of the other buffer";
        return {};
    }

    void complain(const Sequence& sequence, const std::string& what) {
        if (++failures > most_told) return;
        std::string text(state_names[static_cast<std::size_t>(state_)]);
        text += " (" + std::string(purpose_names[static_cast<std::size_t>(purpose_)]);
        text += maps_ == Maps::stay_pending ? ", maps stay pending)" : ")";
        for (Step step : sequence)
            text += ", " + std::string(step_names[static_cast<std::size_t>(step)]);
        ADD_FAILURE() << text << ": " << what;
    }

    State state_;
    Purpose purpose_;
    Maps maps_;
    World world_;
    std::optional<Device> device_;
    std::uint64_t errors_ = 0;
};

void all_sequences(StartSweep& sweep, std::size_t length, std::size_t steps, Sequence so_far = {}) {
    if (so_far.size() == length) return sweep.run(so_far);
    for (std::size_t step = 0; step < steps; ++step) {
        Sequence longer = so_far;
        longer.push_back(static_cast<Step>(step));
        all_sequences(sweep, length, steps, std::move(longer));
    }
}

void sweep_all(std::size_t length, std::size_t steps) {
    int sequences = 0, answers = 0, failures = 0;
    for (const Start& start : starts) {
        int of_state = 0;
        for (Purpose purpose : start.purposes) {
            for (Maps maps : {Maps::end_at_once, Maps::stay_pending}) {
                StartSweep sweep(start.state, purpose, maps);
                all_sequences(sweep, length, steps);
                sweep.finish();
                of_state += sweep.sequences;
                answers += sweep.answers;
                failures += sweep.failures;
            }
        }
        std::printf("%-20s %6d sequences of %zu\n",
                    std::string(state_names[static_cast<std::size_t>(start.state)]).c_str(),
                    of_state, length);
        sequences += of_state;
    }
    std::printf("%d sequences, %d answers compared, %d failures\n", sequences, answers, failures);
}

constexpr std::size_t nine = 9, and_loss = 10;

TEST(StatePairs, EachOperationInEachStateIsAnsweredByTheRules) { sweep_all(1, nine); }

TEST(StateSequences, AllOfThreeOperationsAreAnsweredByTheRules) { sweep_all(3, nine); }

TEST(StateLoss, AllOfThreeStepsWithALossAmongThemAreAnsweredByTheRules) { sweep_all(3, and_loss); }

} // namespace
} // namespace ferry::test
