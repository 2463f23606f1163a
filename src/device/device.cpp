// SPDX-License-Identifier: MIT
#include "ferry/device.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/located.hpp"
#include "commands/commands_state.hpp"
#include "core/done.hpp"
#include "device/open.hpp"
#include "device/write.hpp"
#include "resource/create.hpp"
#include "resource/texture_state.hpp"
#include "transfer/upload_paths.hpp"

namespace ferry {

using base::located;
using base::text;
using detail::empty_handle;

namespace {

const Engine no_engine{};
const Adapter no_adapter{};
const Limits no_limits{};

template <class Handle, class State>
Result<Handle> wrap(Result<std::shared_ptr<State>> state) {
    if (!state) return std::unexpected(std::move(state).error());
    return Handle(*std::move(state));
}

} // namespace

Device::Device(std::shared_ptr<detail::Core> core) noexcept : core_(std::move(core)) {}

Result<Device> Device::open(const DeviceOptions& options, Where where) {
    return located(wrap<Device>(detail::open_device(options)), where);
}

Result<Buffer> Device::create_buffer(const BufferOptions& options, Where where) {
    return located(wrap<Buffer>(detail::create_buffer(core_, options)), where);
}

Result<Buffer> Device::create_with_bytes(std::span<const std::byte> data,
                                         const BufferOptions& options, Where where) {
    return located(wrap<Buffer>(detail::create_with_bytes(core_, data, options)), where);
}

Result<MappedBuffer> Device::create_mapped_buffer(const BufferOptions& options, Where where) {
    auto state = located(detail::create_mapped(core_, options), where);
    if (!state) return std::unexpected(std::move(state).error());
    return MappedBuffer{Buffer(*state), WriteMapping(*state)};
}

Result<Texture> Device::create_texture(const TextureOptions& options, Where where) {
    if (!core_) return std::unexpected(empty_handle("device", where));
    return located(wrap<Texture>(detail::create_texture(core_, options)), where);
}

Result<Kernel> Device::create_kernel(std::string_view wgsl, const KernelOptions& options,
                                     Where where) {
    if (!core_) return std::unexpected(empty_handle("device", where));
    return located(wrap<Kernel>(detail::create_kernel(core_, wgsl, options)), where);
}

Result<Bindings> Device::bind(const Kernel& kernel, std::span<const Binding> bindings,
                              Where where) {
    if (!core_) return std::unexpected(empty_handle("device", where));
    if (!kernel) return std::unexpected(empty_handle("kernel", where));
    if (kernel.state()->core != core_) {
        return base::fail(Errc::invalid_argument, {},
                          text("The kernel \"", kernel.label(), "\" belongs to another device."),
                          "Bind on the device that made the kernel.", where);
    }
    return located(wrap<Bindings>(detail::bind(kernel.state(), bindings)), where);
}

Result<Bindings> Device::bind(const Kernel& kernel, std::initializer_list<Binding> bindings,
                              Where where) {
    return bind(kernel, std::span(bindings.begin(), bindings.size()), where);
}

Result<> Device::write_bytes(const Buffer& target, std::span<const std::byte> data,
                             std::size_t element_size, const WriteOptions& options, Where where) {
    if (!core_) return std::unexpected(empty_handle("device", where));
    const auto core = core_; // callbacks of the user's may drop the handles
    const auto buffer = target.state();
    return located(detail::write(*core, buffer, data, element_size, options), where);
}

Result<> Device::write_texels(const TextureAt& target, std::span<const std::byte> data,
                              detail::ElementKind element, const ImageLayout& layout,
                              const std::optional<Extent3D>& size, Where where) {
    if (!core_) return std::unexpected(empty_handle("device", where));
    const auto core = core_;
    const auto texture = target.texture;
    return located(detail::write_texels(*core, texture, target.at, data, element, layout, size),
                   where);
}

Result<> Device::write_levels(const Texture& target, std::span<const std::byte> data,
                              detail::ElementKind element, Where where) {
    if (!core_) return std::unexpected(empty_handle("device", where));
    const auto core = core_;
    const auto texture = target.state();
    return located(detail::write_levels(*core, texture, data, element), where);
}

UploadChoice Device::explain_write(std::uint64_t size_bytes) const {
    return core_ ? detail::explain_write(*core_, size_bytes) : UploadChoice{};
}

UploadChoice Device::explain_create(std::uint64_t size_bytes, BufferUsage usage) const {
    return core_ ? detail::explain_create(*core_, size_bytes, usage) : UploadChoice{};
}

Commands Device::record(std::string_view label) {
    if (!core_) return {};
    return Commands(detail::record(core_, label));
}

Result<Submission> Device::submit(Commands&& commands, Where where) {
    if (!core_) return std::unexpected(empty_handle("device", where));
    auto state = commands.release();
    if (!state) {
        return base::fail(Errc::invalid_argument, {}, "The commands handle is empty.",
                          "Submit commands from Device::record, each once: submit uses them up.",
                          where);
    }
    const bool wrong_before = state->error.has_value(); // then the error names its own place
    auto sent = detail::submit(core_, std::move(state));
    if (!sent && !wrong_before) sent.error().where = where;
    return sent;
}

template <class Record>
detail::OperationPtr Device::read_now(Where where, Record record_read) {
    if (!core_) return detail::Operation::failed(empty_handle("device", where));
    Commands commands = record("read");
    detail::OperationPtr operation = record_read(commands);
    if (auto sent = submit(std::move(commands), where); !sent && !operation->done())
        operation->fail(sent.error());
    return operation;
}

detail::OperationPtr Device::read_bytes(const BufferView& source, std::size_t element_size,
                                        Where where) {
    return read_now(where, [&](Commands& commands) {
        return commands.read_bytes(source, element_size, where);
    });
}

detail::OperationPtr Device::read_batch(std::span<const BufferView> sources,
                                        std::size_t element_size, const BatchOptions& options,
                                        Where where) {
    return read_now(where, [&](Commands& commands) {
        return commands.read_batch(sources, element_size, options, where);
    });
}

detail::OperationPtr Device::read_texels(const TextureAt& source,
                                         const std::optional<Extent3D>& size,
                                         detail::ElementKind element, Where where) {
    return read_now(where, [&](Commands& commands) {
        return commands.read_texels(source, size, element, where);
    });
}

Result<BatchReport> Device::write_each(std::span<const BatchWrite> writes,
                                       const BatchOptions& options, Where where) {
    if (!core_) return std::unexpected(empty_handle("device", where));
    Commands commands = record("write");
    const BatchReport report = commands.write_each(writes, options, where);
    if (auto sent = submit(std::move(commands), where); !sent)
        return std::unexpected(std::move(sent).error());
    return report;
}

Ticket<Submission> Device::done() {
    if (!core_) return Ticket<Submission>(detail::Operation::failed(empty_handle("device", {})));
    const auto core = core_;
    core->pump();
    if (auto ok = core->check_usable({"ask for the end of its work"}); !ok) {
        return Ticket<Submission>(detail::Operation::failed(std::move(ok).error()));
    }
    if (auto ok = core->flush_before_done(); !ok)
        return Ticket<Submission>(detail::Operation::failed(std::move(ok).error()));
    return Ticket<Submission>(std::make_shared<detail::DoneOperation>(core));
}

void Device::poll() noexcept {
    if (const auto core = core_) core->pump(); // a callback of the user's may drop the device
}

void Device::close() noexcept {
    if (core_) core_->close();
}

std::optional<Error> Device::lost() const {
    if (!core_) return empty_handle("device", {});
    const auto core = core_;
    core->probe_loss();
    core->notice_loss();
    return core->loss();
}

std::uint64_t Device::unsent_bytes() const noexcept { return core_ ? core_->unsent_bytes() : 0; }

std::vector<Error> Device::take_uncaptured_errors() {
    return core_ ? core_->inbox().take_errors() : std::vector<Error>();
}

std::vector<std::string> Device::take_advice() {
    return core_ ? core_->habits().take_advice() : std::vector<std::string>();
}

const Engine& Device::engine() const noexcept {
    return core_ ? core_->instance().engine() : no_engine;
}
const Adapter& Device::adapter() const noexcept { return core_ ? core_->adapter : no_adapter; }
const Limits& Device::limits() const noexcept { return core_ ? core_->limits : no_limits; }
bool Device::has(Feature feature) const noexcept {
    return core_ && std::ranges::find(core_->features, feature) != core_->features.end();
}

} // namespace ferry
