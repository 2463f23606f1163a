// SPDX-License-Identifier: MIT
// Finding and loading engines, and what is refused before anything is called.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "environment.hpp"
#include "raw_engine.hpp"

namespace ferry::test {
namespace {

std::string path_of(const Engine& engine) { return std::string(engine.origin()); }

std::string variable() {
    if (engine_name() == "dawn") return "FERRY_DAWN_PATH";
    return engine_name() == "fake" ? "FERRY_FAKE_PATH" : "FERRY_WGPU_PATH";
}

TEST(EngineLoad, AMissingLibraryIsAnIoErrorWithItsPath) {
    auto loaded = Engine::load("/nowhere/libwebgpu.so");
    EXPECT_TRUE(refused(loaded, {{Errc::io}, "", {"/nowhere/libwebgpu.so"}}));
}

TEST(EngineLoad, AnEmptyPathAndADirectoryAreIoErrors) {
    EXPECT_TRUE(refused(Engine::load(""), {{Errc::io, Errc::invalid_argument}}));
    EXPECT_TRUE(refused(Engine::load("/tmp"), {{Errc::io}, "", {"/tmp"}}));
}

TEST(EngineLoad, AFileThatIsNoLibraryIsAnIoErrorWithItsPath) {
    const auto path = std::filesystem::temp_directory_path() / "ferry_no_library.so";
    std::ofstream(path) << "this is text";
    EXPECT_TRUE(refused(Engine::load(path.string()), {{Errc::io}, "", {path.string()}}));
    std::filesystem::remove(path);
}

TEST(EngineLoad, ALibraryWithoutTheFunctionsIsRefusedAndTheyAreNamed) {
    auto loaded = Engine::load("libm.so.6");
    EXPECT_TRUE(refused(loaded, {{Errc::unsupported}, "", {"libm.so.6", "wgpuCreateInstance"}}));
}

TEST(EngineLoad, ADawnOfAnotherAbiIsRefusedWithItsMissingFunctionNamed) {
    if (!std::filesystem::exists(FERRY_TEST_ENGINE_OLD)) GTEST_SKIP() << "tools/setup brings it";
    auto loaded = Engine::load(FERRY_TEST_ENGINE_OLD);
    EXPECT_TRUE(refused(loaded, {{Errc::unsupported}, "", {"wgpuBufferReadMappedRange"}}));
}

/// In a process of its own: a program that exports one Dawn loads another.
void load_a_second_dawn() {
    if (dlopen(FERRY_TEST_ENGINE_OLD, RTLD_NOW | RTLD_GLOBAL) == nullptr) std::_Exit(3);
    auto loaded = Engine::find("dawn");
    std::fprintf(stderr, "%s\n", loaded ? "loaded" : to_string(loaded.error()).c_str());
    std::_Exit(!loaded && loaded.error().code == Errc::unsupported ? 0 : 1);
}

TEST(EngineLoadDeathTest, ASecondDawnInAProgramThatExportsOneIsRefused) {
    if (engine_name() != "dawn" || !std::filesystem::exists(FERRY_TEST_ENGINE_OLD))
        GTEST_SKIP() << "about Dawn";
    testing::GTEST_FLAG(death_test_style) = "threadsafe";
    EXPECT_EXIT(load_a_second_dawn(), testing::ExitedWithCode(0), "Dawn");
}

TEST(EngineLoad, AnEngineKnowsItsNameVersionAndOrigin) {
    const auto expected = engine_name() == "dawn"   ? "Dawn"
                          : engine_name() == "fake" ? "ferry_fake"
                                                    : "wgpu-native";
    EXPECT_EQ(engine().name(), expected);
    EXPECT_FALSE(engine().origin().empty());
    if (engine_name() == "wgpu") {
        EXPECT_EQ(engine().version().substr(0, 3), "29.");
    }
}

TEST(EngineLoad, LoadingTheSameLibraryTwiceWorks) {
    FERRY_NEEDS_RAW_ENGINE();
    const Engine again = must(Engine::load(path_of(engine())));
    EXPECT_EQ(again.name(), engine().name());
    Device first = open_device();
    Device second = open_device({.engine = again});
    EXPECT_EQ(read_all(first, make_filled(first, pattern(8))), pattern(8));
    EXPECT_EQ(read_all(second, make_filled(second, pattern(9))), pattern(9));
}

TEST(EngineLoad, AnEmptyEngineAnswersEmptyTexts) {
    const Engine empty;
    EXPECT_FALSE(empty);
    EXPECT_TRUE(empty.name().empty());
    EXPECT_TRUE(empty.version().empty());
    EXPECT_TRUE(empty.origin().empty());
}

/// Answers every function of the engine but one.
struct AllBut {
    std::string_view missing;
    static void* find(void* self, const char* name) {
        if (static_cast<AllBut*>(self)->missing == name) return nullptr;
        return reinterpret_cast<void*>(raw_engine().find<void (*)()>(name));
    }
};

TEST(EngineFrom, AFindFunctionThatAnswersEverythingMakesAnEngine) {
    FERRY_NEEDS_RAW_ENGINE();
    AllBut all{""};
    const Engine made = must(Engine::from(&AllBut::find, &all, "from a test"));
    EXPECT_EQ(made.origin(), "from a test");
    EXPECT_EQ(made.name(), engine().name());
    Device device = open_device({.engine = made});
    EXPECT_EQ(read_all(device, make_filled(device, pattern(8))), pattern(8));
}

TEST(EngineFrom, OneMissingFunctionIsNamedAndNoOther) {
    FERRY_NEEDS_RAW_ENGINE();
    for (std::string_view missing : {"wgpuQueueSubmit", "wgpuBufferMapAsync", "wgpuCreateInstance",
                                     "wgpuBufferReadMappedRange"}) {
        AllBut all_but{missing};
        auto made = Engine::from(&AllBut::find, &all_but, "from a test");
        ASSERT_TRUE(refused(made, {{Errc::unsupported}, "", {std::string(missing)}}));
        for (std::string_view other :
             {"wgpuQueueWriteBuffer", "wgpuBufferUnmap", "wgpuDeviceCreateBuffer"}) {
            EXPECT_FALSE(names(made.error(), other)) << to_string(made.error());
        }
    }
}

TEST(EngineFrom, NoFindFunctionIsRefused) {
    EXPECT_TRUE(refused(Engine::from(nullptr, nullptr, "nothing"),
                        {{Errc::unsupported, Errc::invalid_argument}}));
}

TEST(EngineFind, AnUnknownNameIsRefusedWithTheNamesThatThereAre) {
    auto found = Engine::find("vulkan");
    EXPECT_TRUE(
        refused(found, {{Errc::io, Errc::invalid_argument}, "", {"vulkan", "wgpu", "dawn"}}));
}

TEST(EngineFind, TheVariableIsUsed) {
    const std::string path = path_of(engine());
    const ScopedVariable set(variable(), path);
    EXPECT_EQ(must(Engine::find(engine_name())).origin(), path);
}

TEST(EngineFind, AVariableThatPointsNowhereIsAnErrorThatNamesIt) {
    const ScopedVariable set(variable(), "/nowhere/engine.so");
    EXPECT_TRUE(
        refused(Engine::find(engine_name()), {{Errc::io}, "", {"/nowhere/engine.so", variable()}}));
}

TEST(EngineFind, ANameWithASlashIsAPath) {
    FERRY_NEEDS_RAW_ENGINE();
    const Engine found = must(Engine::find(path_of(engine())));
    EXPECT_EQ(found.name(), engine().name());
    EXPECT_TRUE(refused(Engine::find("/nowhere/libwebgpu.so"),
                        {{Errc::io}, "", {"/nowhere/libwebgpu.so"}}));
}

TEST(EngineFind, AnEmptyNameMeansTheVariable) {
    const ScopedVariable set("FERRY_ENGINE", engine_name());
    const Engine found = must(Engine::find());
    EXPECT_EQ(found.name(), engine().name());
    const ScopedVariable wrong("FERRY_ENGINE", "vulkan");
    EXPECT_TRUE(refused(Engine::find(), {{Errc::io, Errc::invalid_argument}, "", {"vulkan"}}));
}

} // namespace
} // namespace ferry::test
