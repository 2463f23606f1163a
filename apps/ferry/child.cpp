// SPDX-License-Identifier: MIT
#include "child.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "interrupt.hpp"

namespace app {

namespace {
using Clock = std::chrono::steady_clock;
constexpr std::size_t at_once = 4;
constexpr std::size_t most_output_bytes = std::size_t{1} << 20;

struct Running {
    std::size_t index = 0;
    pid_t process = -1;
    int out = -1;
    int err = -1;
    Clock::time_point start = Clock::now();
};

[[noreturn]] void become(const Child& child, int out, int err) {
    const int nothing = ::open("/dev/null", O_RDONLY);
    ::dup2(nothing, STDIN_FILENO);
    ::dup2(out, STDOUT_FILENO);
    ::dup2(err, STDERR_FILENO);
    for (const auto& [name, value] : child.variables) ::setenv(name.c_str(), value.c_str(), 1);
    std::vector<char*> arguments;
    for (const std::string& each : child.arguments)
        arguments.push_back(const_cast<char*>(each.c_str()));
    arguments.push_back(nullptr);
    ::execv("/proc/self/exe", arguments.data());
    ::_exit(127);
}

Running start(const Child& child, std::size_t index) {
    Running running{.index = index};
    std::array<int, 2> out{-1, -1}, err{-1, -1};
    if (::pipe2(out.data(), O_CLOEXEC) != 0 || ::pipe2(err.data(), O_CLOEXEC) != 0) return running;
    running.process = ::fork();
    if (running.process == 0) become(child, out[1], err[1]);
    ::close(out[1]);
    ::close(err[1]);
    running.out = out[0];
    running.err = err[0];
    return running;
}

/// Closes the pipe at its end.
void drain(int& pipe, std::string& text) {
    std::array<char, 65536> piece;
    const auto got = ::read(pipe, piece.data(), piece.size());
    if (got > 0) {
        const auto room = most_output_bytes - std::min(most_output_bytes, text.size());
        text.append(piece.data(), std::min(static_cast<std::size_t>(got), room));
        return;
    }
    if (got < 0 && errno == EINTR) return;
    ::close(pipe);
    pipe = -1;
}

void finish(Running& running, ChildOutcome& outcome, bool kill) {
    if (kill) ::kill(running.process, SIGKILL);
    int status = 0;
    while (running.process > 0 && ::waitpid(running.process, &status, 0) < 0 && errno == EINTR) {
    }
    outcome.timed_out = kill;
    outcome.seconds = std::chrono::duration<double>(Clock::now() - running.start).count();
    if (WIFEXITED(status) && running.process > 0) outcome.exit_code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) outcome.signal = WTERMSIG(status);
    for (int* pipe : {&running.out, &running.err}) {
        if (*pipe >= 0) ::close(*pipe);
    }
}

void read_some(std::vector<Running>& running, std::vector<ChildOutcome>& outcomes) {
    std::vector<pollfd> pipes;
    for (const Running& each : running) {
        pipes.push_back({each.out, POLLIN, 0});
        pipes.push_back({each.err, POLLIN, 0});
    }
    if (::poll(pipes.data(), pipes.size(), 100) <= 0) return;
    for (std::size_t i = 0; i < running.size(); ++i) {
        ChildOutcome& outcome = outcomes[running[i].index];
        if (pipes[2 * i].revents != 0) drain(running[i].out, outcome.out);
        if (pipes[2 * i + 1].revents != 0) drain(running[i].err, outcome.err);
    }
}
} // namespace

std::vector<ChildOutcome> run_children(const std::vector<Child>& children,
                                       std::chrono::seconds limit) {
    std::vector<ChildOutcome> outcomes(children.size());
    std::vector<Running> running;
    std::size_t next = 0;
    while (next < children.size() || !running.empty()) {
        while (next < children.size() && running.size() < at_once) {
            running.push_back(start(children[next], next));
            ++next;
        }
        read_some(running, outcomes);
        std::erase_if(running, [&](Running& each) {
            const bool ended = each.out < 0 && each.err < 0;
            const bool late = Clock::now() - each.start > limit || interrupting_signal() != 0;
            if (ended || late) finish(each, outcomes[each.index], late && !ended);
            return ended || late;
        });
        if (interrupting_signal() != 0) next = children.size();
    }
    return outcomes;
}

} // namespace app
