// SPDX-License-Identifier: MIT
#include "shader/wgsl_errors.hpp"

#include <gtest/gtest.h>

#include <string>

#include "ferry/shader.hpp"

namespace {

using namespace ferry;
using namespace std::string_literals;
using shader::locate_wgsl_error;
using shader::quote_source_line;

Error refused(std::string_view source) {
    auto info = scan_wgsl(source);
    EXPECT_FALSE(info.has_value()) << source;
    return info ? Error{} : info.error();
}

struct Refusal {
    std::string source, words, place;
    Errc code = Errc::invalid_argument;
};

const std::vector<Refusal> refusals{
    {"\n  /* /* */", "comment is never closed", "line 2, column 3"},
    {"fn f() {\n {", "never closed", "line 2, column 2"},
    {"}", "closes nothing", "line 1, column 1"},
    {"fn f( { ) }", "another kind", "line 1, column 7"},
    {"a\xff", "not UTF-8", "line 1, column 2"},
    {"fn f"s + '\0', "not UTF-8", "line 1, column 5"},
    {"@group(0) @binding(0) var<storage> x: Foo;", "(Foo)", "line 1, column 39"},
    {"@group(0) @binding(0) var<storage> x: array<bool>;", "(bool)", "column 45"},
    {"@group(0) @binding(0) var<storage> x;", "has no type", "column 36"},
    {"@binding(0) var<storage> x: f32;", "has no @group", "column 26"},
    {"@group(0) var t: texture_2d<f32>;", "has no @binding", "column 15"},
    {"override n = 1; @group(n) @binding(0) var<storage> x: f32;", "@group (n)", "column 18"},
    {"@group(0) @binding(4294967296) var<storage> x: f32;", "@binding (4294967296)", "column 12"},
    {"@group(0) @binding(0) var<storage> x: array<f32, 0>;", "element count", "column 50"},
    {"@group(0) @binding(0) var<storage> x: array<f32, 99999999999>;", "element count", "column"},
    {"struct S { s: S } @group(0) @binding(0) var<storage> x: S;", "contains itself", "column 15"},
    {"alias A = array<A>; @group(0) @binding(0) var<storage> x: A;", "contains itself", "column"},
    {"struct S { a: array<f32>, b: f32 } @group(0) @binding(0) var<storage> x: S;",
     "before its end", "column 8"},
    {"@group(0) @binding(0) var<private> x: f32;", "address space", "column 36"},
    {"@compute @workgroup_size(0) fn f() {}", "workgroup size (0)", "column 11"},
    {"@compute @workgroup_size(1, 0x100000000) fn f() {}", "workgroup size", "column 11"},
    {"@group(0) @binding(0) var x: binding_array<texture_2d<f32>, 4>;", "binding array",
     "column 30", Errc::unsupported},
    {"@group(0) @binding(0) var<storage> a: f32; @group(0) @binding(0) var<storage> b: f32;"
     "@compute @workgroup_size(1) fn f() { _ = a + b; }",
     "two variables, (a) of line 1 and (b)", "column 117"},
};

TEST(ShaderErrors, RefusesWhatCannotBeScannedWithPlaceLineAndFix) {
    for (const Refusal& each : refusals) {
        const Error error = refused(each.source);
        EXPECT_EQ(error.code, each.code) << each.source;
        EXPECT_NE(error.what.find(each.words), std::string::npos) << error.what;
        EXPECT_NE(error.what.find(each.place), std::string::npos) << error.what;
        EXPECT_EQ(error.what.back(), '.');
        EXPECT_FALSE(error.fix.empty()) << each.source;
        EXPECT_NE(error.trail.find('^'), std::string::npos) << error.trail;
    }
}

std::string repeated(std::string_view text, int times) {
    std::string out;
    for (int at = 0; at < times; ++at) out += text;
    return out;
}

TEST(ShaderErrors, BoundsNestingAndSize) {
    const std::string head = "@group(0) @binding(0) var<storage> x: ";
    const std::string deep = head + repeated("array<", 5000) + "f32" + repeated(">", 5000) + ";";
    EXPECT_EQ(refused(deep).code, Errc::limit_exceeded);
    refused(head + "array<f32, " + repeated("(", 9999) + "1" + repeated(")", 9999) + ">;");
    EXPECT_EQ(refused(repeated(" ", (4 << 20) + 1)).code, Errc::limit_exceeded);
    std::string doubled = "struct S0 { a: f32, b: f32 }";
    for (int at = 1; at < 40; ++at) {
        const auto below = std::to_string(at - 1);
        doubled += "struct S" + std::to_string(at) + " { a: S" + below + ", b: S" + below + " }";
    }
    EXPECT_EQ(refused(doubled + head + "S39;").code, Errc::limit_exceeded);
    const std::string huge = "array<array<array<f32, 4294967295>, 4294967295>, 4294967295>;";
    EXPECT_NE(refused(head + huge).what.find("64 bits"), std::string::npos);
}

// The messages below are those of wgpu-native v29 and of Dawn of October 2026.
TEST(ShaderErrors, LocatesAFaultThatNagaParsed) {
    const auto found = locate_wgsl_error(
        "Validation Error\n\nCaused by:\n  In wgpuDeviceCreateShaderModule\n    \n"
        "Shader 'double' parsing error: no definition in scope for identifier: `x`\n"
        "  ┌─ wgsl:3:13\n  │\n3 │     let a = x + 1;\n  │             ^ unknown identifier\n\n\n");
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->line, 3U);
    EXPECT_EQ(found->column, 13U);
    EXPECT_EQ(found->message, "no definition in scope for identifier: `x`");
}

TEST(ShaderErrors, LocatesAFaultThatNagaValidated) {
    const auto found = locate_wgsl_error(
        "Validation Error\n\nCaused by:\n  In wgpuDeviceCreateShaderModule\n    \n"
        "Shader validation error: Function [0] 'f' is invalid\n  ┌─ :1:10\n  │\n"
        "1 │ fn f() { return 1; }\n  │ ^^^^ naga::ir::Function [0]\n  │\n"
        "  = Expression [0] is invalid\n  = Abstract types may only appear in constant "
        "expressions\n\n");
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->line, 1U);
    EXPECT_EQ(found->column, 10U);
    EXPECT_EQ(found->message, "Function [0] 'f' is invalid: Expression [0] is invalid: "
                              "Abstract types may only appear in constant expressions");
}

TEST(ShaderErrors, LocatesAFaultOfTint) {
    const auto found = locate_wgsl_error(
        "Error while parsing WGSL: :4:27 error: cannot assign 'u32' to 'f32'\n"
        "    let äö = 1; data[0] = 1u;\n\n\n"
        " - While calling [Device].CreateShaderModule([ShaderModuleDescriptor \"\"double\"\"]).\n");
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->line, 4U);
    EXPECT_EQ(found->column, 27U);
    EXPECT_EQ(found->message, "cannot assign 'u32' to 'f32'");
    EXPECT_EQ(quote_source_line("\n\n\n    let äö = 1; data[0] = 1u;", *found),
              "  4 |     let äö = 1; data[0] = 1u;\n    |                         ^");
}

TEST(ShaderErrors, FindsNoPlaceInOtherMessages) {
    for (const auto* text : {"", "┌─", "┌─ wgsl:3", "┌─ :0:1\n", " error: ", ":3 error: x",
                             "a:99999999999:1 error: x", "Buffer size (12) is too large."}) {
        EXPECT_FALSE(locate_wgsl_error(text).has_value()) << text;
    }
}

TEST(ShaderErrors, QuotesALineWithAMark) {
    EXPECT_EQ(quote_source_line("a\r\n\tb c\nd", 2, 4), "  2 | \tb c\n    | \t  ^");
    EXPECT_EQ(quote_source_line("x", 1, 99), "  1 | x\n    |  ^");
    EXPECT_EQ(quote_source_line("x", 1, 0), "  1 | x\n    | ^");
    EXPECT_EQ(quote_source_line("x\n", 2, 1), "  2 | \n    | ^");
    EXPECT_EQ(quote_source_line("x", 2, 1), "");
    EXPECT_EQ(quote_source_line("\x1b[31m\xff", 1, 1), "  1 |  [31m?\n    | ^");
}

TEST(ShaderErrors, CutsALongLineAroundTheMark) {
    const std::string quoted = quote_source_line(repeated("ä", 5000) + "!", 1, 2001);
    const std::string text = quoted.substr(0, quoted.find('\n'));
    EXPECT_EQ(text, "  1 | ..." + repeated("ä", 100) + "...");
    EXPECT_EQ(quoted.substr(text.size() + 1), "    |    " + repeated(" ", 50) + "^");
}

} // namespace
