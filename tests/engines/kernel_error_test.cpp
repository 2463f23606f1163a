// SPDX-License-Identifier: MIT
// Kernels, bindings and dispatches that are refused, and what the refusals say.
#include "engine_fixture.hpp"
#include "shaders.hpp"

namespace ferry::test {
namespace {

constexpr Usage storage = Usage::storage | Usage::copy_src | Usage::copy_dst;

class KernelErrors : public SharedDevice {
protected:
    static Result<Submission> dispatch(const Kernel& kernel,
                                       std::initializer_list<Binding> bindings,
                                       const DispatchOptions& options = {.groups = 1}) {
        auto commands = device().record();
        commands.dispatch(kernel, bindings, options);
        return device().submit(std::move(commands));
    }
    static Kernel twice() { return must(device().create_kernel(wgsl::twice)); }
    static Buffer floats() {
        return make_filled(device(), std::vector<float>(4, 1.0F), storage, "floats");
    }
};

TEST_F(KernelErrors, AWgslErrorShowsItsLineItsColumnAndTheSourceLine) {
    FERRY_NEEDS_REAL_ENGINE("ferry_fake scans WGSL and does not compile it");
    auto kernel = device().create_kernel("@compute @workgroup_size(1)\n"
                                         "fn main() {\n"
                                         "    let a = 1;\n"
                                         "    let b = not_declared;\n"
                                         "}\n",
                                         {.label = "broken"});
    ASSERT_TRUE(refused(kernel, invalid("", {"broken", "    let b = not_declared;"}, {4, 13})));
}

TEST_F(KernelErrors, AWgslTypeErrorShowsItsLine) {
    FERRY_NEEDS_REAL_ENGINE("ferry_fake scans WGSL and does not compile it");
    auto kernel =
        device().create_kernel("@group(0) @binding(0) var<storage, read_write> data: array<f32>;\n"
                               "@compute @workgroup_size(1)\n"
                               "fn main() { data[0] = vec2<f32>(1.0, 2.0); }\n");
    EXPECT_TRUE(refused(kernel, invalid("", {"vec2<f32>(1.0, 2.0)"}, {3})));
}

TEST_F(KernelErrors, AfterAWgslErrorTheDeviceStillWorks) {
    FERRY_NEEDS_REAL_ENGINE("ferry_fake scans WGSL and does not compile it");
    for (int turn = 0; turn < 3; ++turn)
        EXPECT_FALSE(device().create_kernel("@compute @workgroup_size(1) fn main() { x }"));
    const Buffer data = floats();
    EXPECT_TRUE(ok(dispatch(twice(), {{"data", data}})));
    EXPECT_EQ(read_all<float>(device(), data), std::vector<float>(4, 2.0F));
}

TEST_F(KernelErrors, ATextThatIsNoShaderIsRefused) {
    EXPECT_TRUE(refused(device().create_kernel(""), invalid()));
    EXPECT_TRUE(refused(device().create_kernel("this is no shader"), invalid()));
    EXPECT_TRUE(refused(device().create_kernel("fn helper() {}"), invalid("", {"entry point"})));
    EXPECT_TRUE(
        refused(device().create_kernel("@fragment fn main() {}"), invalid("", {"compute"})));
}

TEST_F(KernelErrors, SeveralEntryPointsNeedAName) {
    constexpr std::string_view two = "@compute @workgroup_size(1) fn first() {}\n"
                                     "@compute @workgroup_size(1) fn second() {}\n";
    EXPECT_TRUE(refused(device().create_kernel(two), invalid("", {"first", "second"})));
    EXPECT_TRUE(refused(device().create_kernel(two, {.entry = "third"}),
                        invalid("", {"third", "first", "second"})));
    EXPECT_TRUE(ok(device().create_kernel(two, {.entry = "second"})));
}

TEST_F(KernelErrors, ConstantsThatTheShaderDoesNotHaveAreRefused) {
    constexpr std::string_view wgsl =
        "override scale: f32;\n"
        "@group(0) @binding(0) var<storage, read_write> data: array<f32>;\n"
        "@compute @workgroup_size(1) fn main() { data[0] = scale; }\n";
    EXPECT_TRUE(refused(device().create_kernel(wgsl, {.constants = {{"skale", 1}}}),
                        invalid("", {"skale", "scale"})));
    EXPECT_TRUE(refused(device().create_kernel(wgsl), invalid("", {"scale"})))
        << "it has no default";
    EXPECT_TRUE(ok(device().create_kernel(wgsl, {.constants = {{"scale", 1}}})));
}

TEST_F(KernelErrors, AWorkgroupOverTheLimitIsRefusedWithBothNumbers) {
    const auto limits = device().limits();
    const auto wide = "@compute @workgroup_size(" +
                      std::to_string(limits.max_compute_workgroup_size_x + 1) + ") fn main() {}";
    EXPECT_TRUE(refused(device().create_kernel(wide),
                        over_limit("", {limits.max_compute_workgroup_size_x + 1,
                                        limits.max_compute_workgroup_size_x})));
    const auto many = "@compute @workgroup_size(" +
                      std::to_string(limits.max_compute_workgroup_size_x) + ", 2) fn main() {}";
    EXPECT_TRUE(refused(device().create_kernel(many),
                        over_limit("", {limits.max_compute_invocations_per_workgroup})));
}

TEST_F(KernelErrors, TooManyGroupsAreRefusedWithBothNumbersAndTheWaysOut) {
    const Kernel kernel = twice();
    const Buffer data = floats();
    const std::uint64_t most = device().limits().max_compute_workgroups_per_dimension;
    auto sent = dispatch(kernel, {{"data", data}}, {.groups = most + 1});
    ASSERT_TRUE(refused(sent, over_limit("", {most + 1, most})));
    EXPECT_FALSE(sent.error().fix.empty());
    EXPECT_TRUE(
        refused(dispatch(kernel, {{"data", data}}, {.groups = {1, 1, most + 1}}), over_limit()));
    EXPECT_TRUE(refused(dispatch(kernel, {{"data", data}}, {.threads = most * 64 + 1}),
                        over_limit("", {most + 1, most})));
    EXPECT_TRUE(
        refused(dispatch(kernel, {{"data", data}}, {.groups = ~std::uint64_t{0}}), over_limit()));
    EXPECT_TRUE(
        refused(dispatch(kernel, {{"data", data}}, {.threads = ~std::uint64_t{0}}), over_limit()));
    EXPECT_TRUE(refused(dispatch(kernel, {{"data", data}}, {.groups = std::uint64_t{1} << 32}),
                        over_limit()));
    EXPECT_EQ(read_all<float>(device(), data), std::vector<float>(4, 1.0F));
}

TEST_F(KernelErrors, ThreadsAndGroupsAreOneOrTheOther) {
    const Kernel kernel = twice();
    const Buffer data = floats();
    EXPECT_TRUE(
        refused(dispatch(kernel, {{"data", data}}, {}), invalid("", {"threads", "groups"})));
    EXPECT_TRUE(refused(dispatch(kernel, {{"data", data}}, {.threads = 4, .groups = 1}),
                        invalid("", {"threads", "groups"})));
}

TEST_F(KernelErrors, AMissingBindingIsNamed) {
    auto kernel = must(device().create_kernel(wgsl::two_buffers));
    const Buffer data = floats();
    EXPECT_TRUE(refused(dispatch(kernel, {{"source", data}}), invalid("", {"target_"})));
    EXPECT_TRUE(refused(dispatch(kernel, {}), invalid("", {"source"})));
}

TEST_F(KernelErrors, AnUnknownBindingIsRefusedWithTheOnesThereAre) {
    const Buffer data = floats();
    EXPECT_TRUE(refused(dispatch(twice(), {{"dada", data}}), invalid("", {"dada", "data"})));
    EXPECT_TRUE(refused(dispatch(twice(), {{"data", data}, {"1.0", data}}), invalid("", {"1.0"})));
}

TEST_F(KernelErrors, ABindingGivenTwiceIsRefusedAlsoUnderItsTwoNames) {
    const Buffer data = floats();
    const Buffer other = floats();
    EXPECT_TRUE(
        refused(dispatch(twice(), {{"data", data}, {"data", other}}), invalid("", {"data"})));
    EXPECT_TRUE(
        refused(dispatch(twice(), {{"data", data}, {"0.0", other}}), invalid("", {"data"})));
}

TEST_F(KernelErrors, ABufferWithoutTheUsageIsRefused) {
    const Buffer plain = make_buffer(device(), 16, Usage::copy_src, "plain");
    EXPECT_TRUE(
        refused(dispatch(twice(), {{"data", plain}}), invalid("", {"plain", "data", "storage"})));
    auto kernel = must(device().create_kernel(
        "@group(0) @binding(0) var<uniform> settings: vec4f;\n"
        "@group(0) @binding(1) var<storage, read_write> data: array<f32>;\n"
        "@compute @workgroup_size(1) fn main() { data[0] = settings.x; }\n"));
    const Buffer data = floats();
    EXPECT_TRUE(refused(dispatch(kernel, {{"settings", data}, {"data", floats()}}),
                        invalid("", {"settings", "uniform"})));
}

TEST_F(KernelErrors, ARangeThatIsMisalignedTooSmallOrOutsideIsRefused) {
    const Buffer data = make_buffer(device(), 1024, storage, "floats");
    const std::uint64_t step = device().limits().min_storage_buffer_offset_alignment;
    EXPECT_TRUE(refused(dispatch(twice(), {{"data", {data, {step / 2, 16}}}}),
                        invalid("", {"floats"}, {step / 2, step})));
    EXPECT_TRUE(refused(dispatch(twice(), {{"data", {data, {0, 0}}}}), invalid()));
    EXPECT_TRUE(refused(dispatch(twice(), {{"data", {data, {0, 2}}}}), invalid()));
    EXPECT_TRUE(
        refused(dispatch(twice(), {{"data", {data, {0, 1028}}}}), invalid("", {}, {1028, 1024})));
    EXPECT_TRUE(refused(dispatch(twice(), {{"data", {data, {2048, {}}}}}), invalid()));
    EXPECT_TRUE(
        refused(dispatch(twice(), {{"data", {data, {~std::uint64_t{255}, 256}}}}), invalid()));
    const Buffer none = make_buffer(device(), 0, storage);
    EXPECT_TRUE(refused(dispatch(twice(), {{"data", none}}), invalid()));
}

TEST_F(KernelErrors, OneBufferToReadAndToWriteInOneDispatchIsRefused) {
    auto kernel = must(device().create_kernel(wgsl::two_buffers));
    const Buffer data = make_buffer(device(), 64, storage);
    EXPECT_FALSE(dispatch(kernel, {{"source", data}, {"target_", data}}));
    EXPECT_EQ(bytes_of(data), std::vector<std::byte>(64));
}

TEST_F(KernelErrors, AMappedBufferIsRefusedAtSubmit) {
    auto made =
        must(device().create_mapped_buffer({.usage = storage, .size_bytes = 16, .label = "fresh"}));
    EXPECT_TRUE(refused(dispatch(twice(), {{"data", made.buffer}}),
                        wrong_state("S-02", {"fresh", "mapped"})));
    const Kernel kernel = twice();
    auto bindings = must(device().bind(kernel, {{"data", made.buffer}}));
    auto commands = device().record();
    commands.dispatch(kernel, bindings, {.groups = 1});
    EXPECT_TRUE(
        refused(device().submit(std::move(commands)), wrong_state("S-02", {"fresh", "mapped"})));
}

TEST_F(KernelErrors, ADestroyedBufferIsRefusedAtSubmit) {
    const Kernel kernel = twice();
    Buffer data = floats();
    auto bindings = must(device().bind(kernel, {{"data", data}}));
    data.destroy();
    auto commands = device().record();
    commands.dispatch(kernel, bindings, {.groups = 1});
    EXPECT_TRUE(refused(device().submit(std::move(commands)),
                        wrong_state("S-02", {"floats", "destroyed"})));
}

TEST_F(KernelErrors, PartsOfAnotherDeviceOrKernelAreRefused) {
    Device other = open_device();
    const Kernel foreign = must(other.create_kernel(wgsl::twice));
    const Buffer data = floats();
    EXPECT_TRUE(refused(dispatch(foreign, {{"data", data}}), invalid()));
    const Buffer far = make_buffer(other, 16, storage, "far");
    EXPECT_TRUE(refused(dispatch(twice(), {{"data", far}}), invalid("", {"far"})));
    EXPECT_TRUE(refused(device().bind(foreign, {{"data", data}}), invalid()));
    auto bindings = must(device().bind(twice(), {{"data", data}}));
    auto kernel = must(device().create_kernel(wgsl::two_buffers));
    auto commands = device().record();
    commands.dispatch(kernel, bindings, {.groups = 1});
    EXPECT_TRUE(refused(device().submit(std::move(commands)), invalid()));
}

TEST_F(KernelErrors, EmptyHandlesAreRefused) {
    const Buffer data = floats();
    EXPECT_TRUE(refused(dispatch(Kernel{}, {{"data", data}}), invalid()));
    EXPECT_TRUE(refused(dispatch(twice(), {{"data", Buffer{}}}), invalid()));
    EXPECT_TRUE(refused(device().bind(Kernel{}, {}), invalid()));
    const Kernel kernel = twice();
    auto commands = device().record();
    commands.dispatch(kernel, Bindings{}, {.groups = 1});
    EXPECT_TRUE(refused(device().submit(std::move(commands)), invalid()));
}

} // namespace
} // namespace ferry::test
