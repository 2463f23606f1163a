// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "ferry/shader.hpp"

namespace {

using namespace ferry;
using namespace std::string_literals;

ShaderInfo scanned(std::string_view source) {
    auto info = scan_wgsl(source);
    EXPECT_TRUE(info.has_value()) << (info ? "" : to_string(info.error()));
    return info ? *info : ShaderInfo{};
}

/// The layout of one type, bound as a read-write storage buffer behind the declarations it needs.
WgslType type_of(std::string_view type, std::string_view declarations = "") {
    const std::string source =
        std::string(declarations) +
        "\n@group(0) @binding(0) var<storage, read_write> x: " + std::string(type) + ";";
    const ShaderInfo info = scanned(source);
    return info.bindings.empty() ? WgslType{} : info.bindings[0].type;
}

std::vector<std::string> used_names(const ShaderInfo& info, std::string_view entry) {
    std::vector<std::string> names;
    const EntryPoint* found = info.find_entry_point(entry);
    if (found == nullptr) return names;
    for (const std::size_t at : found->bindings) names.push_back(info.bindings[at].name);
    return names;
}

using Names = std::vector<std::string>;
using Size = std::array<std::uint32_t, 3>;

constexpr std::string_view two_buffers = R"(
@group(0) @binding(0) var<storage, read_write> data: array<f32>;
@group(0) @binding(1) var<storage> other: array<f32>;
)";

std::string with_body(std::string_view body) {
    return std::string(two_buffers) + "@compute @workgroup_size(64) fn main() {" +
           std::string(body) + "}";
}

constexpr std::string_view doubling = R"(// doubles numbers
/* a /* nested */ comment with @group(9) @binding(9) var<storage> no: Foo; */
enable f16, subgroups;
requires readonly_and_readwrite_storage_textures;
diagnostic(off, derivative_uniformity);
const N = 32u;
const_assert N < 64;
alias Numbers = array<vec4<f32>>;
struct Params { scale: f32, @align(16) offset: vec3f, count: u32 }
@group(0) @binding(0) var<storage, read_write> data: Numbers;
@group(0x1) @binding(1 + 2) var<uniform> params: Params;
@group(1) @binding(0) var image: texture_storage_2d<rgba8unorm, write>;
@group(1) @binding(1) var smp: sampler_comparison;
@id(7) override wg: u32 = N * 2;
override gain: f32;
var<workgroup> scratch: array<f32, wg>;
fn helper(i: u32) -> f32 { return params.scale * gain + scratch[i]; }
@compute @workgroup_size(wg, N / 4u)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x < arrayLength(&data) && id.x >= 0u) { data[id.x] *= helper(id.x); }
}
@fragment fn shade() -> @location(0) vec4f { return vec4f(1.0); }
)";

TEST(ShaderScan, ListsBindingsInOrder) {
    const ShaderInfo info = scanned(doubling);
    ASSERT_EQ(info.bindings.size(), 4U);
    EXPECT_EQ(info.bindings[0].name, "data");
    EXPECT_EQ(info.bindings[0].kind, BindingKind::storage_buffer);
    EXPECT_EQ(info.bindings[0].line, 10U);
    EXPECT_EQ(info.bindings[0].type.name, "Numbers");
    EXPECT_EQ(info.bindings[0].type.element_stride_bytes, 16U);
    EXPECT_EQ(info.bindings[1].kind, BindingKind::uniform_buffer);
    EXPECT_EQ(info.bindings[1].group, 1U);
    EXPECT_EQ(info.bindings[1].binding, 3U);
    EXPECT_EQ(info.bindings[2].kind, BindingKind::storage_texture);
    EXPECT_TRUE(info.bindings[3].comparison);
}

TEST(ShaderScan, FindsABindingByNameAndByPlace) {
    const ShaderInfo info = scanned(doubling);
    ASSERT_NE(info.find("params"), nullptr);
    EXPECT_EQ(info.find("1.3"), info.find("params"));
    EXPECT_EQ(info.find("0.0")->name, "data");
    for (const auto* missing : {"", ".", "1.", "01.3", "1.03", "9.9", "none", "4294967296.0"}) {
        EXPECT_EQ(info.find(missing), nullptr) << missing;
    }
}

TEST(ShaderScan, ListsExtensionsAndConstants) {
    const ShaderInfo info = scanned(doubling);
    EXPECT_EQ(info.enables, (Names{"f16", "subgroups"}));
    EXPECT_EQ(info.requirements, Names{"readonly_and_readwrite_storage_textures"});
    ASSERT_EQ(info.constants.size(), 1U);
    EXPECT_EQ(info.constants[0].name, "N");
    EXPECT_EQ(info.constants[0].scalar, ScalarKind::u32);
    EXPECT_EQ(info.constants[0].value, 32.0);
}

TEST(ShaderScan, ReadsOverrides) {
    const ShaderInfo info = scanned(doubling);
    ASSERT_EQ(info.overrides.size(), 2U);
    EXPECT_EQ(info.overrides[0].key(), "7");
    EXPECT_EQ(info.overrides[0].scalar, ScalarKind::u32);
    EXPECT_EQ(info.overrides[0].default_text, "N * 2");
    EXPECT_EQ(info.overrides[0].default_value, 64.0);
    EXPECT_EQ(info.overrides[1].key(), "gain");
    EXPECT_FALSE(info.overrides[1].has_default);
}

TEST(ShaderScan, WorksOutDefaultsOfOverrides) {
    const ShaderInfo info =
        scanned("override a = -1.5; override b: bool = !false; override c = 0x1p-2f;"
                "override d: f32 = 3; override e = a; override f = 2h; override g = 1e400;");
    EXPECT_EQ(info.overrides[0].default_value, -1.5);
    EXPECT_EQ(info.overrides[0].scalar, ScalarKind::f32);
    EXPECT_EQ(info.overrides[1].default_value, 1.0);
    EXPECT_EQ(info.overrides[1].scalar, ScalarKind::boolean);
    EXPECT_EQ(info.overrides[2].default_value, 0.25);
    EXPECT_EQ(info.overrides[3].default_value, 3.0);
    EXPECT_EQ(info.overrides[4].default_value, std::nullopt);
    EXPECT_TRUE(info.overrides[4].has_default);
    EXPECT_EQ(info.overrides[5].scalar, ScalarKind::f16);
    EXPECT_EQ(info.overrides[6].default_value, std::nullopt);
}

TEST(ShaderScan, ReadsEntryPoints) {
    const ShaderInfo info = scanned(doubling);
    ASSERT_EQ(info.entry_points.size(), 2U);
    const EntryPoint& main = info.entry_points[0];
    EXPECT_EQ(main.stage, ShaderStage::compute);
    EXPECT_EQ(main.line, 19U);
    EXPECT_EQ(main.workgroup_text, (std::array{"wg"s, "N / 4u"s, "1"s}));
    EXPECT_EQ(main.workgroup_size[0], std::nullopt);
    EXPECT_EQ(main.workgroup_size[1], 8U);
    EXPECT_EQ(main.workgroup_size[2], 1U);
    EXPECT_EQ(main.overrides, (std::vector<std::size_t>{0, 1}));
    EXPECT_EQ(info.entry_points[1].stage, ShaderStage::fragment);
    EXPECT_EQ(info.entry_points[1].workgroup_text[0], "");
}

TEST(ShaderScan, FollowsCallsToTheBindingsUsed) {
    const ShaderInfo info = scanned(doubling);
    EXPECT_EQ(used_names(info, "main"), (Names{"data", "params"}));
    EXPECT_EQ(used_names(info, "shade"), Names{});
}

TEST(ShaderScan, UsesNamesUnlessALocalHidesThem) {
    const std::vector<std::pair<std::string, Names>> cases{
        {"let a = data[0];", {"data"}},
        {"_ = &data;", {"data"}},
        {"let data = 1; let b = data;", {}},
        {"let data = data[0];", {"data"}},
        {"{ let data = 1; } let b = data[0];", {"data"}},
        {"for (var data = 0; data < 4; data++) { let b = data; } ", {}},
        {"for (var data = 0; data < 4; data++) { } let b = data[0];", {"data"}},
        {"for (var i = data[0]; ; ) { let other = 1; { let b = other; } }", {"data"}},
        {"var<function> other: i32; other = i32(data[0]);", {"data"}},
        {"let s = S(); let b = s.data;", {}},
        {"if (false) { loop { let b = other[0]; break; } }", {"other"}},
        {"switch 1 { case 1: { let data = 1; } default: { _ = data[0]; } }", {"data"}},
    };
    for (const auto& [body, names] : cases) {
        EXPECT_EQ(used_names(scanned(with_body(body)), "main"), names) << body;
    }
}

TEST(ShaderScan, DoesNotTakeParametersAndMembersForBindings) {
    const std::string source = std::string(two_buffers) + R"(
struct S { data: f32, other: array<f32, 4> }
fn f(data: f32) -> f32 { return data; }
@compute @workgroup_size(1) fn main() { var s: S; s.data = f(1.0); }
@compute @workgroup_size(1) fn second() { g(); }
fn g() { h(); }
fn h() { g(); other[0]; })";
    EXPECT_EQ(used_names(scanned(source), "main"), Names{});
    EXPECT_EQ(used_names(scanned(source), "second"), Names{"other"});
}

struct Layout {
    std::string type;
    std::uint64_t size, align, min_binding;
};

TEST(ShaderScan, LaysOutTypesAsWgslSays) {
    const std::vector<Layout> cases{
        {"u32", 4, 4, 4},
        {"f16", 2, 2, 2},
        {"vec2<f32>", 8, 8, 8},
        {"vec3f", 12, 16, 12},
        {"vec4u", 16, 16, 16},
        {"vec3<f16>", 6, 8, 6},
        {"vec2h", 4, 4, 4},
        {"mat2x2<f32>", 16, 8, 16},
        {"mat3x3f", 48, 16, 48},
        {"mat4x2<f32>", 32, 8, 32},
        {"mat2x3h", 16, 8, 16},
        {"mat4x4f", 64, 16, 64},
        {"atomic<u32>", 4, 4, 4},
        {"array<vec3f, 4>", 64, 16, 64},
        {"array<f32, 3>", 12, 4, 12},
        {"array<vec3<f32>>", 0, 16, 16},
        {"array<array<u32, 2>, 3>", 24, 4, 24},
        {"array<atomic<i32>>", 0, 4, 4},
        {"array<f32, (1 << 4) - 1>", 60, 4, 60},
        {"array<f32, 1<<4>", 64, 4, 64},
    };
    for (const Layout& each : cases) {
        const WgslType type = type_of(each.type);
        EXPECT_EQ(type.size_bytes, each.size) << each.type;
        EXPECT_EQ(type.align_bytes, each.align) << each.type;
        EXPECT_EQ(type.min_binding_bytes, each.min_binding) << each.type;
    }
}

TEST(ShaderScan, DescribesElements) {
    const WgslType type = type_of("array < vec4<f32> ,\n 16u, >");
    EXPECT_EQ(type.name, "array<vec4<f32>, 16u>");
    EXPECT_EQ(type.scalar, ScalarKind::f32);
    EXPECT_EQ(type.rows, 4U);
    EXPECT_EQ(type.columns, 1U);
    EXPECT_TRUE(type.is_array);
    EXPECT_FALSE(type.runtime_sized);
    EXPECT_EQ(type.element_count, 16U);
    EXPECT_TRUE(type_of("array<atomic<u32>>").atomic);
    EXPECT_EQ(type_of("mat3x2f").columns, 3U);
}

// The example of the WGSL specification, section "Structure Member Layout".
TEST(ShaderScan, LaysOutTheStructsOfTheSpecification) {
    const WgslType type = type_of("B", R"(
struct A { u: f32, v: f32, w: vec2<f32>, x: f32 }
struct B {
    a: vec2<f32>, b: vec3<f32>, c: f32, d: f32, e: A, f: vec3<f32>, g: array<A, 3>, h: i32,
})");
    std::vector<std::uint64_t> offsets;
    for (const WgslMember& each : type.members) offsets.push_back(each.offset_bytes);
    EXPECT_EQ(offsets, (std::vector<std::uint64_t>{0, 16, 28, 32, 40, 64, 80, 152}));
    EXPECT_EQ(type.size_bytes, 160U);
    EXPECT_EQ(type.align_bytes, 16U);
    ASSERT_EQ(type.members.size(), 8U);
    EXPECT_EQ(type.members[6].type.element_stride_bytes, 24U);
    EXPECT_EQ(type.members[6].type.members.size(), 4U);
}

TEST(ShaderScan, HeedsSizeAndAlignAttributes) {
    const WgslType type = type_of("S", R"(
const K = 4;
struct S { @size(16) a: f32, @align(32) b: u32, @align(K * 4) @size(K + 4) c: f32 })");
    ASSERT_EQ(type.members.size(), 3U);
    EXPECT_EQ(type.members[1].offset_bytes, 32U);
    EXPECT_EQ(type.members[2].offset_bytes, 48U);
    EXPECT_EQ(type.size_bytes, 64U);
    EXPECT_EQ(type.align_bytes, 32U);
}

TEST(ShaderScan, CountsOneElementOfATrailingRuntimeArray) {
    const WgslType type = type_of("S", "struct S { n: u32, items: array<vec3f> }");
    EXPECT_TRUE(type.runtime_sized);
    EXPECT_FALSE(type.is_array);
    EXPECT_EQ(type.size_bytes, 16U);
    EXPECT_EQ(type.min_binding_bytes, 32U);
    EXPECT_EQ(type.members.back().type.element_stride_bytes, 16U);
}

TEST(ShaderScan, LetsDeclarationsHidePredeclaredTypes) {
    EXPECT_EQ(type_of("vec3f", "alias vec3f = array<f32, 3>;").size_bytes, 12U);
    EXPECT_EQ(type_of("A", "alias A = B; alias B = array<C, 2>; alias C = vec2<D>; alias D = u32;")
                  .size_bytes,
              16U);
}

TEST(ShaderScan, ReadsAccessModesAndTextures) {
    const ShaderInfo info = scanned(R"(alias T = u32;
@group(0) @binding(0) var<storage, read> a: u32;
@binding(1) @group(0) var<storage> b: u32;
@group(0) @binding(2) var c: texture_multisampled_2d<T>;
@group(0) @binding(3) var d: texture_depth_cube_array;
@group(0) @binding(4) var e: texture_storage_3d<r32sint, read_write>;
@group(0) @binding(5) var f: texture_external;
@group(0) @binding(6) var g: sampler;)");
    ASSERT_EQ(info.bindings.size(), 7U);
    EXPECT_EQ(info.bindings[0].kind, BindingKind::read_only_storage_buffer);
    EXPECT_EQ(info.bindings[1].kind, BindingKind::read_only_storage_buffer);
    EXPECT_TRUE(info.bindings[2].texture.multisampled);
    EXPECT_EQ(info.bindings[2].texture.sample, ScalarKind::u32);
    EXPECT_TRUE(info.bindings[3].texture.depth);
    EXPECT_EQ(info.bindings[3].texture.shape, TextureShape::cube_array);
    EXPECT_EQ(info.bindings[4].texture.format, "r32sint");
    EXPECT_EQ(info.bindings[4].texture.sample, ScalarKind::i32);
    EXPECT_EQ(info.bindings[4].texture.access, TextureAccess::read_write);
    EXPECT_EQ(info.bindings[5].kind, BindingKind::external_texture);
    EXPECT_EQ(info.bindings[6].kind, BindingKind::sampler);
}

TEST(ShaderScan, ReadsUnicodeNamesAndAllLineBreaks) {
    const ShaderInfo info =
        scanned("\ufeff// x\u2028\r\n\u0085\v@group(0) @binding(0)\u200evar<uniform> größe: f32;");
    ASSERT_EQ(info.bindings.size(), 1U);
    EXPECT_EQ(info.bindings[0].name, "größe");
    EXPECT_EQ(info.bindings[0].line, 5U);
}

TEST(ShaderScan, AcceptsAnEmptyText) {
    EXPECT_TRUE(scanned("").entry_points.empty());
    EXPECT_TRUE(scanned(" ;;\n// nothing").bindings.empty());
}

TEST(ShaderScan, AcceptsOnePlaceInTwoEntryPoints) {
    const ShaderInfo info = scanned(
        "@group(0) @binding(0) var<storage> a: f32; @group(0) @binding(0) var<storage> b: f32;"
        "@compute @workgroup_size(1) fn f() { _ = a; } @compute @workgroup_size(1) fn g() { _ = b; "
        "}");
    EXPECT_EQ(used_names(info, "f"), Names{"a"});
    EXPECT_EQ(used_names(info, "g"), Names{"b"});
}

TEST(ShaderScan, SurvivesMutatedTexts) {
    std::mt19937 random(7);
    for (int round = 0; round < 3000; ++round) {
        std::string text(doubling);
        for (int change = 0; change < 4; ++change) {
            const std::size_t at = random() % text.size();
            if (random() % 2 == 0)
                text.erase(at, random() % 9);
            else
                text.insert(at, text.substr(random() % text.size(), random() % 20));
            if (text.empty()) text = "@";
        }
        const auto info = scan_wgsl(text);
        if (info) continue;
        EXPECT_EQ(info.error().what.find('\n'), std::string::npos);
    }
}

TEST(WorkgroupSize, UsesDefaultsAndSetConstants) {
    const ShaderInfo info = scanned(doubling);
    const EntryPoint& main = info.entry_points[0];
    EXPECT_EQ(workgroup_size(info, main, {}).value(), (Size{64, 8, 1}));
    const std::vector<std::pair<std::string, double>> by_name{{"wg", 128}, {"gain", 0.5}};
    EXPECT_EQ(workgroup_size(info, main, by_name).value(), (Size{128, 8, 1}));
    const std::vector<std::pair<std::string, double>> by_id{{"7", 32}};
    EXPECT_EQ(workgroup_size(info, main, by_id).value(), (Size{32, 8, 1}));
}

TEST(WorkgroupSize, RefusesWithReasonAndFix) {
    const ShaderInfo info =
        scanned("override n: u32; override m = n + 1u; @compute "
                "@workgroup_size(m) fn f() {} @vertex fn v() {} @compute fn g() {} "
                "@compute @workgroup_size(vec2(1).x) fn h() {}");
    using Constants = std::vector<std::pair<std::string, double>>;
    const auto words = [&](std::size_t entry, const Constants& constants) {
        const auto size = workgroup_size(info, info.entry_points[entry], constants);
        return size ? "accepted"s : size.error().what;
    };
    const auto has = [](const std::string& text, std::string_view part) {
        EXPECT_NE(text.find(part), std::string::npos) << text;
    };
    has(words(0, {}), "needs the override constant (n)");
    has(words(0, {{"n", 1.5}}), "cannot hold");
    has(words(0, {{"n", -1}}), "cannot hold");
    has(words(0, {{"n", 4294967295.0}}), "does not work out");
    has(words(0, {{"q", 1}}), "no override constant (q)");
    has(words(0, {{"m", 0}}), "not from 1");
    has(words(1, {}), "not a compute entry point");
    has(words(2, {}), "no @workgroup_size");
    has(words(3, {}), "does not work out");
    EXPECT_EQ(words(0, {{"n", 7}}), "accepted");
}

} // namespace
