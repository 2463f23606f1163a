// SPDX-License-Identifier: MIT
// Frames that upload through a pool, with Commands::write and with Device::write, and read back
// what the GPU got. A frame that went wrong is told, and the next one begins all the same.
#include <iostream>

#include "engines/upload_fixture.hpp"

#include "scenarios.hpp"

namespace ferry::test {
namespace {

using namespace std::chrono_literals;
using Bytes = std::vector<std::byte>;

constexpr Usage copied = Usage::copy_src | Usage::copy_dst;

class UploadProgram {
public:
    UploadProgram()
        : device_(Device::open().value()),
          pool_(UploadPool::create(device_, {.cap_bytes = 64 << 10, .label = "sweep"}).value()),
          target_(device_.create_buffer({.usage = copied, .size_bytes = 66}).value()),
          other_(device_.create_buffer({.usage = copied, .size_bytes = 18}).value()),
          texture_(device_
                       .create_texture({.format = Format::rgba8_unorm,
                                        .size = {5, 3},
                                        .usage = TextureUsage::copy_src | TextureUsage::copy_dst})
                       .value()) {}

    /// With a `busy` pool its memory is in somebody's hands, and the queue writes.
    void frame(unsigned seed, bool busy) {
        try {
            std::vector<Staging<std::byte>> held;
            while (busy && held.size() < 4)
                held.push_back(pool_.acquire<std::byte>(16 << 10).value());
            send_and_compare(seed);
        } catch (const std::bad_expected_access<Error>& failed) {
            tell(failed.error());
        }
        sums(pool_);
    }
    /// Ends the pool with memory in hand and in commands.
    void finish() {
        auto commands = device_.record("unsent");
        if (auto recorded = pool_.acquire<float>(4)) commands.copy(*std::move(recorded), target_);
        auto held = pool_.acquire<float>(4);
        pool_.trim();
        sums(pool_);
        pool_.close();
        if (held) *held = {};
        commands = {};
        const UploadStats end = sums(pool_);
        right_ = right_ && end.in_hand + end.recorded + end.buffers + end.host_bytes == 0;
    }
    [[nodiscard]] int end() const { return right_ && !told_ ? 0 : 1; }

private:
    void send_and_compare(unsigned seed) {
        const Bytes data = pattern(66, seed), small = pattern(18, seed + 1);
        const Bytes image = pattern(60, seed + 2);
        auto commands = device_.record("frame");
        auto staged = pool_.acquire<std::byte>(32).value();
        staged.span().copy_from(std::span(data).first(32)).value();
        commands.copy(std::move(staged), target_);
        commands.write(target_, data, {.offset_bytes = 32, .first = 32});
        auto texels = pool_.acquire(TextureAt(texture_)).value();
        texels.copy_from(image).value();
        commands.copy(std::move(texels));
        device_.write(other_, small, {.path = UploadPath::pool}).value();
        sums(pool_);
        auto bytes = commands.read<std::byte>(target_);
        auto colors = commands.read<std::byte>(texture_);
        auto third = commands.read<std::byte>(other_);
        auto sent = device_.submit(std::move(commands));
        sums(pool_);
        if (!sent) tell(sent.error());
        const auto got = only_outcome(bytes, 10s), got_colors = only_outcome(colors, 10s),
                   got_third = only_outcome(third, 10s);
        for (const Error& error : device_.take_uncaptured_errors())
            throw std::bad_expected_access(error);
        compare(got, data);
        compare(got_colors, image);
        compare(got_third, small);
    }
    void compare(const Result<Bytes>& got, const Bytes& expected) {
        if (!got) return tell(got.error());
        right_ = right_ && *got == expected;
    }
    void tell(const Error& error) {
        if (!std::exchange(told_, true)) (void)end_with(error);
    }

    Device device_;
    UploadPool pool_;
    Buffer target_, other_;
    Texture texture_;
    bool right_ = true, told_ = false;
};

} // namespace

int scenario_upload() try {
    UploadProgram program;
    program.frame(1, false);
    program.frame(2, true);
    program.frame(3, false);
    program.finish();
    return program.end();
} catch (const std::bad_expected_access<Error>& failed) {
    return end_with(failed.error());
}

} // namespace ferry::test
