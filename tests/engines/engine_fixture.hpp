// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "fake_engine.hpp"
#include "ferry/ferry.hpp"

namespace ferry::test {

using namespace std::chrono_literals;
using Usage = BufferUsage;

/// Long enough for a busy machine; a test that passes never waits so long.
inline constexpr auto patience = std::chrono::seconds(30);

/// The engine that this run is about: FERRY_TEST_ENGINE.
[[nodiscard]] inline std::string engine_name() {
    const char* name = std::getenv("FERRY_TEST_ENGINE");
    return name != nullptr && *name != '\0' ? name : "wgpu";
}

/// For the few tests that ferry_fake cannot serve; `reason` says why.
#define FERRY_NEEDS_REAL_ENGINE(reason)                                                            \
    if (::ferry::test::engine_name() == "fake") GTEST_SKIP() << "needs a real engine: " << reason

// --- answers
// ---------------------------------------------------------------------------------------------------------

/// The value, or the end of this test with the error's text.
template <class T>
T must(Result<T>&& result) {
    if (!result) throw std::runtime_error(to_string(result.error()));
    if constexpr (!std::is_void_v<T>) return std::move(*result);
}

template <class T>
[[nodiscard]] testing::AssertionResult ok(const Result<T>& result) {
    if (result) return testing::AssertionSuccess();
    return testing::AssertionFailure() << to_string(result.error());
}

/// The text of an error with the commas of its numbers taken out, so that "65,536" and "65536" read
/// the same.
[[nodiscard]] inline std::string plain_text(const Error& error) {
    const std::string text = to_string(error);
    std::string out;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const bool inside = at > 0 && at + 1 < text.size() &&
                            std::isdigit(static_cast<unsigned char>(text[at - 1])) &&
                            std::isdigit(static_cast<unsigned char>(text[at + 1]));
        if (text[at] != ',' || !inside) out += text[at];
    }
    return out;
}

/// Whether the error names this number, and not only a longer one that holds its digits.
[[nodiscard]] inline bool names_number(const Error& error, std::uint64_t number) {
    const std::string text = plain_text(error);
    const std::string wanted = std::to_string(number);
    const auto digit = [&](std::size_t at) {
        return at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) != 0;
    };
    for (auto at = text.find(wanted); at != std::string::npos; at = text.find(wanted, at + 1)) {
        if ((at == 0 || !digit(at - 1)) && !digit(at + wanted.size())) return true;
    }
    return false;
}

/// Whether `text` has `word` in it, in small letters or large ones.
[[nodiscard]] inline bool says(std::string_view text, std::string_view word) {
    const auto same = [](char a, char b) {
        return std::tolower(static_cast<unsigned char>(a)) ==
               std::tolower(static_cast<unsigned char>(b));
    };
    return std::search(text.begin(), text.end(), word.begin(), word.end(), same) != text.end();
}

[[nodiscard]] inline bool names(const Error& error, std::string_view word) {
    return says(to_string(error), word);
}

/// What an error must be: its code, its rule where only one rule is broken, and what its text
/// names.
struct Refusal {
    std::vector<Errc> codes;
    std::string rule{};
    std::vector<std::string> words{};
    std::vector<std::uint64_t> numbers{};
};

[[nodiscard]] inline Refusal invalid(std::string rule = {}, std::vector<std::string> words = {},
                                     std::vector<std::uint64_t> numbers = {}) {
    return {{Errc::invalid_argument}, std::move(rule), std::move(words), std::move(numbers)};
}
[[nodiscard]] inline Refusal wrong_state(std::string rule = {},
                                         std::vector<std::string> words = {}) {
    return {{Errc::wrong_state}, std::move(rule), std::move(words)};
}
[[nodiscard]] inline Refusal over_limit(std::string rule = {},
                                        std::vector<std::uint64_t> numbers = {}) {
    return {{Errc::limit_exceeded}, std::move(rule), {}, std::move(numbers)};
}

[[nodiscard]] inline testing::AssertionResult is_refusal(const Error& error,
                                                         const Refusal& wanted) {
    const auto wrong = [&](std::string_view how) {
        return testing::AssertionFailure() << how << " in:\n" << to_string(error);
    };
    bool code = false;
    for (Errc each : wanted.codes) code = code || error.code == each;
    if (!code) return wrong("another code than " + std::string(name(*wanted.codes.begin())));
    if (!wanted.rule.empty() && error.rule != wanted.rule)
        return wrong("another rule than " + wanted.rule);
    for (const auto& word : wanted.words) {
        if (!names(error, word)) return wrong("no \"" + word + "\"");
    }
    for (auto number : wanted.numbers) {
        if (!names_number(error, number)) return wrong("no number " + std::to_string(number));
    }
    if (error.what.empty()) return wrong("an empty `what`");
    return testing::AssertionSuccess();
}

template <class T>
[[nodiscard]] testing::AssertionResult refused(const Result<T>& result, const Refusal& wanted) {
    if (result) return testing::AssertionFailure() << "it was allowed";
    return is_refusal(result.error(), wanted);
}

// --- data
// ------------------------------------------------------------------------------------------------------------

/// `count` bytes of which no two neighbours are equal and none is zero.
[[nodiscard]] inline std::vector<std::byte> pattern(std::size_t count, unsigned seed = 1) {
    std::vector<std::byte> out(count);
    for (std::size_t at = 0; at < count; ++at) out[at] = std::byte(1 + (at * 7 + seed * 31) % 251);
    return out;
}

template <class T>
[[nodiscard]] std::vector<T> counting(std::size_t count, T first = T{}) {
    std::vector<T> out(count);
    std::iota(out.begin(), out.end(), first);
    return out;
}

template <class T>
[[nodiscard]] std::vector<T> part(const std::vector<T>& all, std::size_t offset,
                                  std::size_t count) {
    return {all.begin() + static_cast<std::ptrdiff_t>(offset),
            all.begin() + static_cast<std::ptrdiff_t>(offset + count)};
}

// --- engine and device
// -----------------------------------------------------------------------------------------------

[[nodiscard]] inline const Engine& engine() {
    static const Engine found = must(Engine::find(engine_name()));
    return found;
}

/// A device of this run's engine, for a test that breaks it or needs two.
[[nodiscard]] inline Device open_device(DeviceOptions options = {}) {
    if (!options.engine) options.engine = engine();
    options.canary = false;
    prepare_engine(options.engine);
    return must(Device::open(options));
}

template <class T = std::byte>
[[nodiscard]] std::vector<T> read_all(Device& device, const BufferView& source) {
    return must(device.read<T>(source).wait(patience));
}

[[nodiscard]] inline Buffer make_buffer(Device& device, std::uint64_t size_bytes, Usage usage,
                                        std::string_view label = "buffer") {
    return must(device.create_buffer({.usage = usage, .size_bytes = size_bytes, .label = label}));
}

template <class R>
[[nodiscard]] Buffer make_filled(Device& device, const R& data,
                                 Usage usage = Usage::copy_src | Usage::copy_dst,
                                 std::string_view label = "filled") {
    return must(device.create_buffer(data, {.usage = usage, .label = label}));
}

/// Processes events until `done` answers true or patience ends.
template <class Done>
[[nodiscard]] bool poll_until(Device& device, Done done) {
    const auto end = std::chrono::steady_clock::now() + patience;
    while (!done()) {
        if (std::chrono::steady_clock::now() > end) return false;
        device.poll();
    }
    return true;
}

/// One device for all tests of a suite. After each test the device is there and the engine has
/// complained of nothing: what ferry lets through is valid.
class SharedDevice : public testing::Test {
protected:
    static void SetUpTestSuite() { shared_.emplace(open_device({.label = "shared"})); }
    static void TearDownTestSuite() { shared_.reset(); }

    void TearDown() override {
        auto done = device().done().wait(patience);
        EXPECT_TRUE(ok(done));
        for (const Error& error : device().take_uncaptured_errors()) {
            ADD_FAILURE() << "reached the engine: " << to_string(error);
        }
        EXPECT_FALSE(device().lost().has_value());
    }

    [[nodiscard]] static Device& device() {
        if (!shared_) throw std::runtime_error("no device");
        return *shared_;
    }

    /// The bytes that the GPU has.
    [[nodiscard]] static std::vector<std::byte> bytes_of(const BufferView& source) {
        return read_all(device(), source);
    }

private:
    static inline std::optional<Device> shared_;
};

} // namespace ferry::test
