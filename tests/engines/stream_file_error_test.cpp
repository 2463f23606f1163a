// SPDX-License-Identifier: MIT
// Files that are not there, shrink, or find no room: nothing partial ever looks whole.
#include <csignal>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "stream_fixture.hpp"

namespace ferry::test {
namespace {

namespace fs = std::filesystem;

class StreamFileError : public StreamTest {
protected:
    void TearDown() override {
        expect_streams_work();
        StreamTest::TearDown();
    }
    [[nodiscard]] Result<StreamReport> save(StreamTarget& target) const {
        return download(device(), source, target, {.chunk_bytes = 100});
    }

    TempFolder folder;
    Bytes data = pattern(1'000);
    Buffer source = make_filled(device(), data);
};

TEST_F(StreamFileError, WhatCannotBeOpenedIsNamed) {
    fs::create_directory(folder / "sub");
    const auto expect = [&](const std::string& path, std::string why) {
        EXPECT_TRUE(refused(StreamSource::file(path), io({path, std::move(why)})));
    };
    expect(folder / "none", "no such file");
    expect(folder / "sub", "directory");
    expect(folder / "none/none", "no such file");
    EXPECT_TRUE(refused(StreamTarget::file(folder / "none/out"), io({"none/out", "no such file"})));
    EXPECT_TRUE(refused(StreamTarget::file(folder / "sub"), io({"sub", "directory"})));
    EXPECT_TRUE(refused(StreamSource::file(""), invalid("", {"empty"})));
    EXPECT_TRUE(refused(StreamTarget::file(""), invalid("", {"empty"})));
    EXPECT_EQ(folder.names(), std::vector<std::string>{"sub"});
}

TEST_F(StreamFileError, APathWithAZeroByteTouchesNoOtherFile) {
    write_file(folder / "data", data);
    const std::string path = folder / std::string_view("data\0x", 6);
    EXPECT_TRUE(refused(StreamSource::file(path), invalid("", {"zero"})));
    EXPECT_TRUE(refused(StreamTarget::file(path), invalid("", {"zero"})));
    EXPECT_EQ(file_bytes(folder / "data"), data);
}

TEST_F(StreamFileError, AFileThatMayNotBeReadIsNamed) {
    if (geteuid() == 0) GTEST_SKIP() << "root may read every file";
    write_file(folder / "secret", data);
    fs::permissions(folder / "secret", fs::perms::none);
    EXPECT_TRUE(refused(StreamSource::file(folder / "secret"), io({"secret", "permission"})));
}

TEST_F(StreamFileError, PlacesThatAFileHasNotAreHeard) {
    write_file(folder / "data", data);
    const Buffer target = target_of(8);
    auto behind = must(StreamSource::file(folder / "data", 2'000));
    EXPECT_TRUE(refused(upload(device(), behind, target), io({"data"}, {8})));
    auto last = must(StreamSource::file(folder / "data", 996));
    EXPECT_TRUE(refused(upload(device(), last, target), io({"data"}, {1'000, 4})));
    EXPECT_TRUE(refused(StreamSource::file(folder / "data", ~std::uint64_t{0}), invalid()));
    ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
    const int both_ends = open((folder / "pipe").c_str(), O_RDWR);
    EXPECT_TRUE(refused(StreamSource::file(folder / "pipe", 4), invalid("", {"pipe"}, {4})));
    close(both_ends);
}

TEST_F(StreamFileError, AFileThatShrinksIsAnErrorAndNoSignal) {
    const Buffer target = target_of(1'000);
    for (const std::uint64_t left : {0U, 350U, 500U}) {
        write_file(folder / "data", data);
        auto file = must(StreamSource::file(folder / "data"));
        StreamOptions options{.chunk_bytes = 100, .depth = 1};
        options.progress = [&](const StreamProgress& now) {
            if (now.done_bytes == 500) fs::resize_file(folder / "data", left);
        };
        auto run = upload(device(), file, target, options);
        ASSERT_TRUE(refused(run, io({"data", "after (500) of (1000) bytes"}, {100})));
    }
    write_file(folder / "data", data);
    auto file = must(StreamSource::file(folder / "data"));
    fs::resize_file(folder / "data", 0);
    EXPECT_TRUE(refused(upload(device(), file, target), io({"data"}, {0, 1'000})));
}

TEST_F(StreamFileError, APipeThatEndsEarlyIsHeard) {
    ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
    const int both_ends = open((folder / "pipe").c_str(), O_RDWR);
    auto pipe = must(StreamSource::file(folder / "pipe"));
    ASSERT_EQ(write(both_ends, data.data(), 250), 250);
    close(both_ends);
    const Buffer target = target_of(1'000);
    EXPECT_TRUE(refused(upload(device(), pipe, target, {.chunk_bytes = 100}),
                        io({"pipe", "after (200) of (1000) bytes"}, {50})));
}

TEST_F(StreamFileError, AFileThatIsNotClosedLeavesNothing) {
    {
        auto file = must(StreamTarget::file(folder / "out"));
        must(save(file));
        auto moved = std::move(file);
        EXPECT_EQ(folder.names(), std::vector<std::string>{"out.part"});
    }
    EXPECT_TRUE(folder.names().empty());
    auto file = must(StreamTarget::file(folder / "out"));
    file = must(StreamTarget::file(folder / "other"));
    EXPECT_EQ(folder.names(), std::vector<std::string>{"other.part"});
}

TEST_F(StreamFileError, ClosingTwiceIsClosingOnce) {
    auto file = must(StreamTarget::file(folder / "out"));
    must(save(file));
    must(file.close());
    fs::remove(folder / "out");
    must(file.close());
    EXPECT_TRUE(folder.names().empty());
    EXPECT_TRUE(refused(save(file), wrong_state("", {"out", "closed"})));
    Bytes memory(1'000);
    StreamTarget other(memory);
    must(other.close());
    must(save(other));
}

TEST_F(StreamFileError, AFileThatCannotGetItsNameSaysSoEachTime) {
    fs::create_directory(folder / "sub");
    auto file = must(StreamTarget::file(folder / "sub/out"));
    must(save(file));
    fs::remove_all(folder / "sub");
    EXPECT_TRUE(refused(file.close(), io({"sub/out"})));
    EXPECT_TRUE(refused(file.close(), io({"sub/out"}))) << "and not as if all were well";
}

/// What a download left behind that did not end well is not to be taken for the whole.
TEST_F(StreamFileError, AFileOfAFailedDownloadDoesNotBecomeVisible) {
    const auto expect_unfinished = [&](StreamTarget file) {
        EXPECT_TRUE(refused(file.close(), wrong_state("", {"out", "not whole"})));
        EXPECT_FALSE(fs::exists(folder / "out"));
        file = StreamTarget(StreamTarget::Write());
        EXPECT_TRUE(folder.names().empty());
    };
    auto stopped = must(StreamTarget::file(folder / "out"));
    std::stop_source stop;
    StreamOptions options{.chunk_bytes = 100, .depth = 1, .stop = stop.get_token()};
    options.progress = [&](const StreamProgress& now) {
        if (now.done_bytes == 400) stop.request_stop();
    };
    EXPECT_TRUE(refused(download(device(), source, stopped, options), {{Errc::cancelled}}));
    expect_unfinished(std::move(stopped));

    auto dropped = must(StreamTarget::file(folder / "out"));
    { auto begun = must(Download::begin(device(), source, dropped)); }
    expect_unfinished(std::move(dropped));
}

TEST_F(StreamFileError, AFileIsNotClosedUnderADownload) {
    auto file = must(StreamTarget::file(folder / "out"));
    auto saving = must(Download::begin(device(), source, file, {.chunk_bytes = 100, .depth = 1}));
    EXPECT_TRUE(refused(file.close(), wrong_state("", {"not whole"})));
    EXPECT_TRUE(poll_until(device(), [&] { return must(saving.step()); }));
    must(file.close());
    EXPECT_EQ(file_bytes(folder / "out"), data);
}

TEST_F(StreamFileError, AFullDiskIsHeardAndLeavesNothing) {
    fs::create_symlink("/dev/full", folder / "out.part");
    {
        auto file = must(StreamTarget::file(folder / "out"));
        EXPECT_TRUE(refused(save(file), io({"out", "no space left", "after (0) of (1000) bytes"})));
        EXPECT_TRUE(refused(file.close(), wrong_state()));
    }
    EXPECT_TRUE(folder.names().empty());
}

/// A process of its own would lose the device; the limit is only for the time of one download.
class LargestFile {
public:
    explicit LargestFile(rlim_t bytes) {
        getrlimit(RLIMIT_FSIZE, &before_);
        handler_ = std::signal(SIGXFSZ, SIG_IGN);
        const rlimit now{bytes, before_.rlim_max};
        setrlimit(RLIMIT_FSIZE, &now);
    }
    LargestFile(const LargestFile&) = delete;
    LargestFile& operator=(const LargestFile&) = delete;
    ~LargestFile() {
        setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, handler_);
    }

private:
    rlimit before_{};
    void (*handler_)(int) = SIG_DFL;
};

TEST_F(StreamFileError, AFileThatMayNotGrowOnIsHeardInTheMiddleOfAChunk) {
    {
        auto file = must(StreamTarget::file(folder / "out"));
        {
            const LargestFile limit(550);
            EXPECT_TRUE(refused(save(file), io({"out", "too large", "after (500) of (1000)"})));
        }
        EXPECT_TRUE(refused(file.close(), wrong_state()));
    }
    EXPECT_TRUE(folder.names().empty());
}

TEST_F(StreamFileError, AnotherFileInThePlaceOfThePartIsNoConcernOfTheTarget) {
    write_file(folder / "out.part", pattern(5'000)); // what a crash has left
    auto file = must(StreamTarget::file(folder / "out"));
    must(save(file));
    must(file.close());
    EXPECT_EQ(file_bytes(folder / "out"), data);
    EXPECT_EQ(folder.names(), std::vector<std::string>{"out"});
}

} // namespace
} // namespace ferry::test
