// SPDX-License-Identifier: MIT
// Kernels that run: threads and groups, bindings, constants, entry points.
#include "engine_fixture.hpp"
#include "shaders.hpp"

namespace ferry::test {
namespace {

constexpr Usage storage = Usage::storage | Usage::copy_src | Usage::copy_dst;

class KernelRun : public SharedDevice {
protected:
    static std::vector<std::uint32_t> groups_of(const DispatchOptions& options) {
        auto kernel = must(device().create_kernel(wgsl::count_groups));
        const Buffer seen = make_buffer(device(), 16, storage);
        auto commands = device().record();
        commands.dispatch(kernel, {{"seen", seen}}, options);
        must(device().submit(std::move(commands)));
        return read_all<std::uint32_t>(device(), seen);
    }

    /// What `values` holds after one dispatch of one group.
    static std::vector<std::uint32_t> result_of(std::string_view wgsl, const KernelOptions& options,
                                                std::size_t count = 4) {
        auto kernel = must(device().create_kernel(wgsl, options));
        const Buffer values = make_buffer(device(), 4 * count, storage);
        auto commands = device().record();
        commands.dispatch(kernel, {{"values", values}}, {.groups = 1});
        must(device().submit(std::move(commands)));
        return read_all<std::uint32_t>(device(), values);
    }
};

TEST_F(KernelRun, NumbersGoThroughAShaderAndBack) {
    for (std::size_t count : {1U, 7U, 63U, 64U, 65U, 1000U, 100'003U}) {
        auto values = counting<float>(count, 1.0F);
        const Buffer data = make_filled(device(), values, Usage::storage | Usage::copy_src);
        auto kernel = must(device().create_kernel(wgsl::twice));
        auto commands = device().record("double");
        commands.dispatch(kernel, {{"data", data}}, {.threads = values.size()});
        auto doubled = commands.read<float>(data);
        ASSERT_TRUE(ok(device().submit(std::move(commands))));
        for (float& each : values) each *= 2;
        EXPECT_EQ(must(doubled.wait(patience)), values) << count;
    }
}

TEST_F(KernelRun, ThreadsAreRoundedUpToWholeWorkgroups) {
    EXPECT_EQ(groups_of({.threads = 1}), (std::vector<std::uint32_t>{1, 1, 1, 8}));
    EXPECT_EQ(groups_of({.threads = 4}), (std::vector<std::uint32_t>{1, 1, 1, 8}));
    EXPECT_EQ(groups_of({.threads = 5}), (std::vector<std::uint32_t>{2, 1, 1, 16}));
    EXPECT_EQ(groups_of({.threads = {8, 3}}), (std::vector<std::uint32_t>{2, 2, 1, 32}));
    EXPECT_EQ(groups_of({.threads = {9, 4, 5}}), (std::vector<std::uint32_t>{3, 2, 5, 240}));
}

TEST_F(KernelRun, GroupsAreTakenAsTheyAre) {
    EXPECT_EQ(groups_of({.groups = 3}), (std::vector<std::uint32_t>{3, 1, 1, 24}));
    EXPECT_EQ(groups_of({.groups = {2, 3, 4}}), (std::vector<std::uint32_t>{2, 3, 4, 192}));
}

TEST_F(KernelRun, NoThreadsAndNoGroupsRunNothing) {
    EXPECT_EQ(groups_of({.threads = 0}), std::vector<std::uint32_t>(4));
    EXPECT_EQ(groups_of({.groups = {3, 0}}), std::vector<std::uint32_t>(4));
}

TEST_F(KernelRun, TheMostGroupsOfADimensionRun) {
    const auto most = device().limits().max_compute_workgroups_per_dimension;
    EXPECT_EQ(groups_of({.groups = most}).at(0), most);
}

TEST_F(KernelRun, BindingsGoByNameOrByGroupAndNumber) {
    auto kernel = must(device().create_kernel(wgsl::two_buffers));
    const Buffer source = make_filled(device(), counting<std::uint32_t>(4, 10), Usage::storage);
    for (const char* name : {"target_", "0.1"}) {
        const Buffer target = make_buffer(device(), 16, storage);
        auto commands = device().record();
        commands.dispatch(kernel, {{name, target}, {"source", source}}, {.threads = 4});
        ASSERT_TRUE(ok(device().submit(std::move(commands))));
        EXPECT_EQ(read_all<std::uint32_t>(device(), target), counting<std::uint32_t>(4, 11))
            << name;
    }
}

TEST_F(KernelRun, BindingsInSeveralGroupsAreFound) {
    auto kernel = must(device().create_kernel(R"(
        @group(2) @binding(5) var<storage, read_write> late: array<u32>;
        @group(0) @binding(3) var<storage, read> early: array<u32>;
        @compute @workgroup_size(1) fn main() { late[0] = early[0]; })"));
    const Buffer early = make_filled(device(), counting<std::uint32_t>(1, 5), storage);
    const Buffer late = make_buffer(device(), 4, storage);
    auto commands = device().record();
    commands.dispatch(kernel, {{"2.5", late}, {"early", early}}, {.groups = 1});
    ASSERT_TRUE(ok(device().submit(std::move(commands))));
    EXPECT_EQ(read_all<std::uint32_t>(device(), late).at(0), 5U);
}

TEST_F(KernelRun, ARangeOfABufferIsBound) {
    const auto step = device().limits().min_storage_buffer_offset_alignment;
    auto kernel = must(device().create_kernel(wgsl::twice));
    const Buffer data = make_filled(device(), std::vector<float>(step, 1.0F), storage);
    auto commands = device().record();
    commands.dispatch(kernel, {{"data", {data, {step, 16}}}}, {.threads = step});
    ASSERT_TRUE(ok(device().submit(std::move(commands))));
    std::vector<float> expected(step, 1.0F);
    std::fill_n(expected.begin() + step / 4, 4, 2.0F);
    EXPECT_EQ(read_all<float>(device(), data), expected);
}

TEST_F(KernelRun, ABufferOfOddSizeIsBoundWhole) {
    auto kernel = must(device().create_kernel(wgsl::twice));
    auto made = must(
        device().create_buffer(std::vector<float>(4, 3.0F), {.usage = storage, .size_bytes = 18}));
    auto commands = device().record();
    commands.dispatch(kernel, {{"data", made}}, {.threads = 4});
    ASSERT_TRUE(ok(device().submit(std::move(commands))));
    EXPECT_EQ(read_all<float>(device(), {made, {0, 16}}), std::vector<float>(4, 6.0F));
}

TEST_F(KernelRun, AUniformBornWithDataIsSeen) {
    auto kernel = must(device().create_kernel(R"(
        struct Settings { scale: f32, offset: f32, count: u32, unused: u32 }
        @group(0) @binding(0) var<uniform> settings: Settings;
        @group(0) @binding(1) var<storage, read_write> data: array<f32>;
        @compute @workgroup_size(1) fn main(@builtin(global_invocation_id) id: vec3u) {
            data[id.x] = f32(id.x) * settings.scale + settings.offset;
        })"));
    const Buffer settings =
        make_filled(device(), std::vector<float>{2, 0.5F, 0, 0}, Usage::uniform);
    const Buffer data = make_buffer(device(), 16, storage);
    auto commands = device().record();
    commands.dispatch(kernel, {{"settings", settings}, {"data", data}}, {.threads = 4});
    ASSERT_TRUE(ok(device().submit(std::move(commands))));
    EXPECT_EQ(read_all<float>(device(), data), (std::vector<float>{0.5F, 2.5F, 4.5F, 6.5F}));
}

TEST_F(KernelRun, BindingsThatWereMadeOnceServeManyDispatches) {
    auto kernel = must(device().create_kernel(wgsl::twice));
    std::optional<Buffer> data = make_filled(device(), std::vector<float>(4, 1.0F), storage);
    auto bindings = must(device().bind(kernel, {{"data", *data}}));
    auto commands = device().record();
    for (int turn = 0; turn < 5; ++turn) commands.dispatch(kernel, bindings, {.threads = 4});
    ASSERT_TRUE(ok(device().submit(std::move(commands))));
    auto again = device().record();
    again.dispatch(kernel, bindings, {.threads = 4});
    auto seen = again.read<float>(*data);
    data.reset();
    ASSERT_TRUE(ok(device().submit(std::move(again))));
    EXPECT_EQ(must(seen.wait(patience)), std::vector<float>(4, 64.0F));
}

TEST_F(KernelRun, OneKernelServesManyBuffersInOneRecording) {
    auto kernel = must(device().create_kernel(wgsl::twice));
    std::vector<Buffer> buffers;
    auto commands = device().record();
    std::vector<Ticket<std::vector<float>>> tickets;
    for (int each = 0; each < 20; ++each) {
        buffers.push_back(
            make_filled(device(), std::vector<float>{static_cast<float>(each)}, storage));
        commands.dispatch(kernel, {{"data", buffers.back()}}, {.threads = 1});
        tickets.push_back(commands.read<float>(buffers.back()));
    }
    ASSERT_TRUE(ok(device().submit(std::move(commands))));
    for (int each = 0; each < 20; ++each) {
        EXPECT_EQ(must(tickets[static_cast<std::size_t>(each)].wait(patience)).at(0),
                  static_cast<float>(2 * each));
    }
}

constexpr std::string_view with_constants = R"(
    override scale: u32 = 3;
    @id(7) override offset: u32 = 1;
    override width: u32 = 2;
    @group(0) @binding(0) var<storage, read_write> values: array<u32>;
    @compute @workgroup_size(width) fn main(@builtin(local_invocation_index) at: u32) {
        values[at] = scale * 10u + offset;
    })";

TEST_F(KernelRun, ConstantsKeepTheirDefaultsOrAreSetByNameOrId) {
    EXPECT_EQ(result_of(with_constants, {}), (std::vector<std::uint32_t>{31, 31, 0, 0}));
    EXPECT_EQ(result_of(with_constants, {.constants = {{"scale", 5}}}),
              (std::vector<std::uint32_t>{51, 51, 0, 0}));
    EXPECT_EQ(result_of(with_constants, {.constants = {{"7", 4}, {"width", 3}}}),
              (std::vector<std::uint32_t>{34, 34, 34, 0}));
    EXPECT_EQ(result_of(with_constants, {.constants = {{"offset", 4}}}),
              (std::vector<std::uint32_t>{34, 34, 0, 0}));
}

TEST_F(KernelRun, TheKernelKnowsItsWorkgroupSizeWithTheConstantsApplied) {
    auto kernel = must(device().create_kernel(with_constants, {.constants = {{"width", 3}}}));
    EXPECT_EQ(kernel.workgroup_size(), (std::array<std::uint32_t, 3>{3, 1, 1}));
    EXPECT_EQ(kernel.entry().name, "main");
    EXPECT_EQ(kernel.label(), "main");
    ASSERT_NE(kernel.shader().find("values"), nullptr);
    EXPECT_EQ(kernel.shader().find("0.0"), kernel.shader().find("values"));
}

TEST_F(KernelRun, AnEntryPointIsChosenByName) {
    constexpr std::string_view two = R"(
        @group(0) @binding(0) var<storage, read_write> values: array<u32>;
        @group(0) @binding(1) var<storage, read_write> unused: array<u32>;
        @compute @workgroup_size(1) fn one() { values[0] = 1u; }
        @compute @workgroup_size(1) fn other() { values[0] = 2u; }
        @compute @workgroup_size(1) fn third() { unused[0] = 2u; })";
    EXPECT_EQ(result_of(two, {.entry = "one"}).at(0), 1U);
    EXPECT_EQ(result_of(two, {.entry = "other"}).at(0), 2U);
}

} // namespace
} // namespace ferry::test
