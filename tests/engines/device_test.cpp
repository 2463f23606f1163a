// SPDX-License-Identifier: MIT
// Adapters, and opening a device on one of them.
#include "engine_fixture.hpp"
#include "environment.hpp"

namespace ferry::test {
namespace {

std::vector<Adapter> all_adapters() { return must(adapters(engine())); }

/// The first adapter that ferry will use.
Adapter usable_adapter() {
    for (Adapter& each : all_adapters()) {
        if (each.refusal.empty()) return each;
    }
    throw std::runtime_error("no adapter");
}

DeviceOptions on_adapter(std::string_view adapter) {
    return {.engine = engine(), .adapter = adapter};
}

TEST(Adapters, AreListedWithTheirPositionNameAndLimits) {
    const auto all = all_adapters();
    ASSERT_FALSE(all.empty());
    for (std::size_t at = 0; at < all.size(); ++at) {
        EXPECT_EQ(all[at].index, at);
        EXPECT_FALSE(all[at].name.empty());
        EXPECT_FALSE(all[at].backend.empty());
        if (!all[at].refusal.empty()) continue;
        EXPECT_GE(all[at].limits.max_buffer_size_bytes, 268'435'456U) << "B-07";
        EXPECT_GE(all[at].limits.max_compute_workgroups_per_dimension, 65'535U);
    }
}

TEST(Adapters, OfNoEngineAreRefused) {
    EXPECT_TRUE(refused(adapters(Engine{}), {{Errc::invalid_argument, Errc::engine, Errc::io}}));
}

TEST(DeviceOpen, OpensTheBestAdapterAndPassesTheCanary) {
    Device device = must(Device::open({.engine = engine(), .label = "first"}));
    EXPECT_TRUE(device);
    EXPECT_EQ(device.engine().name(), engine().name());
    EXPECT_TRUE(device.adapter().refusal.empty());
    EXPECT_FALSE(device.lost().has_value());
    EXPECT_TRUE(device.take_uncaptured_errors().empty());
    EXPECT_EQ(read_all(device, make_filled(device, pattern(18))), pattern(18));
}

TEST(DeviceOpen, OpensTheDefaultEngineWhenNoneIsGiven) {
    const ScopedVariable set("FERRY_ENGINE", engine_name());
    const Device device = must(Device::open());
    EXPECT_EQ(device.engine().name(), engine().name());
}

TEST(DeviceOpen, HasTheStandardsLimitsUnlessMoreIsAskedFor) {
    const Device device = open_device();
    EXPECT_EQ(device.limits().max_buffer_size_bytes, 268'435'456U);
    EXPECT_EQ(device.limits().max_storage_buffer_binding_size_bytes, 134'217'728U);
    EXPECT_EQ(device.limits().max_uniform_buffer_binding_size_bytes, 65'536U);
    EXPECT_EQ(device.limits().max_compute_workgroups_per_dimension, 65'535U);
    EXPECT_EQ(device.limits().max_compute_invocations_per_workgroup, 256U);
    EXPECT_EQ(device.limits().min_storage_buffer_offset_alignment, 256U);
}

TEST(DeviceOpen, GivesAllThatTheAdapterOffersWhenAskedFor) {
    const Adapter adapter = usable_adapter();
    const auto index = std::to_string(adapter.index);
    DeviceOptions options = on_adapter(index);
    options.required_limits = adapter.limits;
    const Device device = must(Device::open(options));
    EXPECT_EQ(device.limits().max_buffer_size_bytes, adapter.limits.max_buffer_size_bytes);
    EXPECT_EQ(device.limits().max_storage_buffer_binding_size_bytes,
              adapter.limits.max_storage_buffer_binding_size_bytes);
}

TEST(DeviceOpen, GivesOneRaisedLimitAndLeavesTheOthers) {
    const Adapter adapter = usable_adapter();
    const std::uint64_t wanted = adapter.limits.max_buffer_size_bytes / 2 / 4 * 4;
    if (wanted <= 268'435'456) GTEST_SKIP() << "the adapter offers no more than the standard";
    const auto index = std::to_string(adapter.index);
    DeviceOptions options = on_adapter(index);
    options.required_limits.max_buffer_size_bytes = wanted;
    const Device device = must(Device::open(options));
    EXPECT_GE(device.limits().max_buffer_size_bytes, wanted);
    EXPECT_EQ(device.limits().max_compute_workgroups_per_dimension, 65'535U);
}

TEST(DeviceOpen, RefusesALimitThatNoAdapterHasWithBothNumbers) {
    const Adapter adapter = usable_adapter();
    DeviceOptions options{.engine = engine()};
    options.required_limits.max_compute_workgroup_size_x = 1U << 30;
    auto opened = Device::open(options);
    ASSERT_TRUE(refused(opened, {{Errc::limit_exceeded, Errc::unsupported}, "", {adapter.name}}));
    EXPECT_TRUE(names_number(opened.error(), 1U << 30)) << to_string(opened.error());
    EXPECT_TRUE(names_number(opened.error(), adapter.limits.max_compute_workgroup_size_x))
        << to_string(opened.error());
}

TEST(DeviceOpen, GivesTheFeaturesThatAreRequired) {
    const Adapter adapter = usable_adapter();
    if (adapter.features.empty()) GTEST_SKIP() << "the adapter has none";
    const auto index = std::to_string(adapter.index);
    DeviceOptions options = on_adapter(index);
    for (Feature each : adapter.features) {
        if (!name(each).empty()) options.required_features = {each};
    }
    const Device device = must(Device::open(options));
    for (Feature each : options.required_features) EXPECT_TRUE(device.has(each)) << name(each);
    EXPECT_FALSE(device.has(Feature{0x7fff'fff0}));
}

TEST(DeviceOpen, RefusesAFeatureThatNoAdapterHas) {
    DeviceOptions options{.engine = engine(), .required_features = {Feature{0x7fff'fff0}}};
    EXPECT_TRUE(refused(Device::open(options), {{Errc::unsupported}, "", {usable_adapter().name}}));
}

TEST(DeviceOpen, TakesAnAdapterByItsIndexOrAPartOfItsName) {
    const Adapter adapter = usable_adapter();
    const std::string index = std::to_string(adapter.index);
    EXPECT_EQ(must(Device::open(on_adapter(index))).adapter().index, adapter.index);
    const std::string part = adapter.name.substr(0, adapter.name.size() - 1);
    EXPECT_EQ(must(Device::open(on_adapter(part))).adapter().name, adapter.name);
    EXPECT_EQ(must(Device::open(on_adapter(adapter.name))).adapter().name, adapter.name);
}

TEST(DeviceOpen, RefusesAnAdapterThatIsNotThereAndListsEveryCandidate) {
    for (const char* wanted : {"99", "no such adapter", "4294967296", "-1"}) {
        auto opened = Device::open(on_adapter(wanted));
        ASSERT_TRUE(refused(opened, {{Errc::unsupported, Errc::invalid_argument}, "", {wanted}}));
        for (const Adapter& each : all_adapters()) {
            EXPECT_TRUE(names(opened.error(), each.name)) << to_string(opened.error());
        }
    }
}

TEST(DeviceOpen, WithoutAnyAdapterSaysWhatToInstall) {
    const ScopedVariable drivers("VK_DRIVER_FILES", "/nowhere/icd.json");
    const ScopedVariable old_drivers("VK_ICD_FILENAMES", "/nowhere/icd.json");
    auto all = adapters(engine());
    if (all && !all->empty())
        GTEST_SKIP() << "another backend has an adapter: " << all->front().name;
    auto opened = Device::open({.engine = engine()});
    ASSERT_TRUE(refused(opened, {{Errc::unsupported, Errc::engine}}));
    EXPECT_TRUE(says(opened.error().fix, "install")) << to_string(opened.error());
}

TEST(DeviceOpen, TwoDevicesAreIndependent) {
    Device one = open_device({.label = "one"});
    Device two = open_device({.label = "two"});
    const Buffer first = make_filled(one, pattern(64, 1));
    const Buffer second = make_filled(two, pattern(64, 2));
    auto commands = one.record();
    auto early = commands.read<std::byte>(first);
    auto late = two.read<std::byte>(second);
    one.close();
    EXPECT_EQ(must(late.wait(patience)), pattern(64, 2));
    EXPECT_TRUE(refused(early.wait(patience), {{Errc::cancelled}}));
    EXPECT_FALSE(two.lost().has_value());
}

TEST(DeviceOpen, AnEmptyDeviceAnswersErrorsAndDoesNotCrash) {
    Device empty;
    EXPECT_FALSE(empty);
    EXPECT_FALSE(empty.create_buffer({.usage = Usage::copy_src, .size_bytes = 4}));
    EXPECT_FALSE(empty.create_buffer(pattern(4), {.usage = Usage::copy_src}));
    EXPECT_FALSE(empty.create_mapped_buffer({.usage = Usage::copy_src, .size_bytes = 4}));
    EXPECT_FALSE(empty.create_kernel("@compute @workgroup_size(1) fn main() {}"));
    EXPECT_FALSE(empty.bind(Kernel{}, {}));
    EXPECT_FALSE(empty.write(Buffer{}, pattern(4)));
    EXPECT_FALSE(empty.submit(empty.record()));
    EXPECT_FALSE(empty.done().wait(0s));
    EXPECT_FALSE(empty.read<std::byte>(Buffer{}).wait(0s));
    empty.poll();
    empty.close();
    EXPECT_TRUE(empty.take_uncaptured_errors().empty());
    EXPECT_FALSE(empty.engine());
    EXPECT_EQ(empty.limits().max_buffer_size_bytes, 0U);
    EXPECT_FALSE(empty.has(Feature::shader_f16));
    EXPECT_TRUE(empty.adapter().name.empty());
    (void)empty.lost();
}

} // namespace
} // namespace ferry::test
