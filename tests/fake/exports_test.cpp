// SPDX-License-Identifier: MIT
// The two faces: exported names, and the table by name.
#include <dlfcn.h>

#include <fstream>
#include <regex>

#include <gtest/gtest.h>

#include <ferry_fake/ferry_fake.h>

namespace {

std::vector<std::string> function_names() {
    std::ifstream file(FERRY_FAKE_FUNCTIONS);
    std::string const text((std::istreambuf_iterator<char>(file)),
                           std::istreambuf_iterator<char>());
    std::vector<std::string> names;
    std::regex const call(R"(FUNCTION\((\w+)\))");
    for (std::sregex_iterator it(text.begin(), text.end(), call), end; it != end; ++it)
        names.push_back("wgpu" + (*it)[1].str());
    return names;
}

TEST(Exports, EveryFunctionIsExportedAndInTheTable) {
    void* const library = dlopen(FERRY_FAKE_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library, nullptr) << dlerror();
    const std::vector<std::string> names = function_names();
    EXPECT_EQ(names.size(), 202U);
    for (const std::string& name : names) {
        EXPECT_NE(dlsym(library, name.c_str()), nullptr) << name;
        EXPECT_NE(ferry_fake_symbol(nullptr, name.c_str()), nullptr) << name;
        EXPECT_NE(wgpuGetProcAddress({name.c_str(), WGPU_STRLEN}), nullptr) << name;
    }
    EXPECT_NE(dlsym(library, "ferry_fake_version"), nullptr);
    EXPECT_NE(dlsym(library, "ferry_fake_script"), nullptr);
    EXPECT_EQ(ferry_fake_symbol(nullptr, "wgpuNothing"), nullptr);
}

} // namespace
