// SPDX-License-Identifier: MIT
#include "core/core.hpp"

#include "base/error.hpp"
#include "base/raised.hpp"
#include "core/operation.hpp"
#include "engine/held.hpp"
#include "engine/scope.hpp"
#include "ferry/mapping.hpp"

namespace ferry::detail {

using base::fail;
using base::text;

namespace {

/// Engines keep queue writes in memory until a submit.
constexpr std::uint64_t most_unsent_bytes = std::uint64_t{16} << 20;

/// Whether even a device of ours, whose loss callback is ours, can be lost without our knowing. On
/// an engine that is asked by a finish, the finish before each submit asks as well.
bool must_ask(const Quirks& quirks) {
    return !quirks.tells_loss_at_once && !quirks.loss_by_empty_finish;
}

} // namespace

Core::Core(std::shared_ptr<Instance> instance, Handles handles, Owner owner,
           std::shared_ptr<Inbox> inbox)
    : instance_(std::move(instance)), handles_(handles), owner_(owner), inbox_(std::move(inbox)),
      staging_(*this), uploads_(*this, "device's upload memory", {}),
      crew_(std::in_place, base::CopyCrew::default_threads()),
      ask_for_loss_(owner == Owner::user || must_ask(gpu().quirks)) {
    spares_.reserve(8);
    uploads_.lift_host_cap();
    instance_->keep(inbox_); // the loss may be reported as late as in the instance's release
    if (!gpu().quirks.loss_by_empty_finish) {
        lost_future_ = gpu().DeviceGetLostFuture(device());
    }
}

Core::~Core() {
    staging_.clear();
    uploads_.release_all();
    stamps_ = {};
    batch_tools.reset();
    gpu().QueueRelease(handles_.queue);
    gpu().DeviceRelease(handles_.device);
    if (handles_.adapter != nullptr) gpu().AdapterRelease(handles_.adapter);
}

std::optional<Error> Core::loss() const {
    if (!inbox_->lost() || (closed_ && !lost_before_close_)) return std::nullopt;
    Error error{Errc::device_lost,
                {},
                text("The device \"", label, "\" is lost."),
                "Open a new device and make its objects again.",
                {},
                {}};
    error.trail = inbox_->loss_reason();
    return error;
}

void Core::unmap(WGPUBuffer buffer) {
    // Where this ends the process on a lost device, asking runs no callbacks of the program's.
    if (gpu().quirks.loss_by_empty_finish) probe_loss();
    if (engine_alive()) gpu().BufferUnmap(buffer);
}

Result<> Core::check_usable(const base::Clause& doing) const {
    if (closed_) {
        return fail(Errc::wrong_state, {},
                    text("The device \"", label, "\" is closed: cannot ", doing, '.'),
                    "Open a new device.");
    }
    if (auto error = loss()) return fail(*std::move(error), text("while trying to ", doing));
    return {};
}

void Core::expose() noexcept {
    exposed_ = true;
    if (gpu().quirks.loss_by_empty_finish) ask_for_loss_ = true;
}

bool Core::empty_finish_fails() {
    Scope scope(instance(), device(), Scope::Catch::validation);
    WGPUCommandEncoder encoder = gpu().DeviceCreateCommandEncoder(device(), nullptr);
    if (encoder != nullptr) {
        if (auto* commands = gpu().CommandEncoderFinish(encoder, nullptr)) {
            gpu().CommandBufferRelease(commands);
        }
        gpu().CommandEncoderRelease(encoder);
    }
    return encoder == nullptr || !scope.close({"asking whether the device is lost"});
}

void Core::probe_loss() {
    if (!ask_for_loss_ || closed_ || inbox_->lost()) return;
    bool lost = false;
    if (gpu().quirks.loss_by_empty_finish) {
        lost = empty_finish_fails();
    } else if (lost_future_.id != 0) {
        WGPUFutureWaitInfo wait{lost_future_, false};
        gpu().InstanceWaitAny(instance().handle(), 1, &wait, 0);
        lost = wait.completed != 0;
    }
    if (lost) inbox_->report_loss("The engine says that the device is lost.");
}

void Core::pump() {
    if (pumping_ || closed_) return;
    const base::Raised pumping(pumping_);
    ++pumps_;
    instance_->pump(); // may run callbacks of the user's, which may make and drop operations
    // Asking may run callbacks as well; "success" may come after a loss, so it comes first.
    const bool answers = instance_->signals().delivered() != settled_;
    if (answers || !gpu().quirks.loss_by_empty_finish) probe_loss();
    if (answers) {
        settled_ = instance_->signals().delivered();
        for_each_operation([](Operation& operation) {
            if (!operation.done()) operation.settle();
        });
    }
    for_each_pool([](UploadSlots& pool) { pool.settle(); });
    notice_loss();
}

Result<> Core::verdict(Result<> of_scope) {
    if (!of_scope && of_scope.error().code == Errc::device_lost) {
        inbox_->report_loss(of_scope.error().trail);
    }
    return of_scope;
}

/// What is called may run callbacks of the program's, which may make and drop operations.
template <class Body>
void Core::for_each_operation(Body body) {
    std::vector<std::weak_ptr<Operation>> all = std::move(walk_);
    for (Operation* operation : operations_) all.push_back(operation->weak_from_this());
    for (const auto& each : all) {
        if (const auto operation = each.lock()) body(*operation);
    }
    all.clear();
    walk_ = std::move(all); // keeps its memory for the next time
}

/// The same holds here.
template <class Body>
void Core::for_each_pool(Body body) {
    body(uploads_);
    for (std::size_t i = 0; i < pools_.size(); ++i) {
        if (const auto pool = pools_[i].lock()) body(*pool);
    }
}

void Core::notice_loss() {
    if (ended_) return;
    if (auto error = loss()) end_everything(*error);
}

void Core::watch(Operation& operation) {
    operation.place_ = operations_.size();
    operations_.push_back(&operation);
}

void Core::unwatch(const Operation& operation) noexcept {
    Operation* last = operations_.back();
    last->place_ = operation.place_;
    operations_[operation.place_] = last;
    operations_.pop_back();
}

void Core::watch(std::weak_ptr<MapLife> life) {
    std::erase_if(lives_, [](const auto& other) { return other.expired(); });
    lives_.push_back(std::move(life));
}

void Core::watch(std::weak_ptr<UploadSlots> pool) {
    std::erase_if(pools_, [](const auto& other) { return other.expired(); });
    pools_.push_back(std::move(pool));
}

void Core::end_everything(const Error& reason) noexcept {
    ended_ = true;
    for_each_operation([&reason](Operation& operation) { operation.end_with_device(reason); });
    for (auto& watched : lives_) {
        if (auto life = watched.lock()) {
            life->alive = false;
            life->ended =
                reason.code == Errc::device_lost ? "the device was lost" : "the device was closed";
        }
    }
    lives_.clear();
    staging_.clear();
    for_each_pool([](UploadSlots& pool) { pool.end_with_device(); });
}

Result<WGPUCommandBuffer> Core::finish(WGPUCommandEncoder encoder, std::string_view name) {
    WGPUCommandBufferDescriptor descriptor = WGPU_COMMAND_BUFFER_DESCRIPTOR_INIT;
    descriptor.label = view(name);
    // On a device of ours the inbox hears of anything else (reported_since).
    Scope scope(instance(), device(),
                owner_ == Owner::user ? Scope::Catch::validation_and_memory
                                      : Scope::Catch::validation);
    WGPUCommandBuffer commands = gpu().CommandEncoderFinish(encoder, &descriptor);
    auto said = verdict(scope.close({"finishing the commands", name}));
    gpu().CommandEncoderRelease(encoder);
    if (said && commands != nullptr) return commands;
    if (commands != nullptr) gpu().CommandBufferRelease(commands);
    if (said) {
        return fail(Errc::engine, "S-08",
                    text("The engine finishes the commands \"", name, "\" with nothing."));
    }
    return std::unexpected(std::move(said).error());
}

Result<> Core::reported_since(std::uint64_t count, const base::Clause& doing) {
    if (exposed_ || inbox_->error_count() == count) return {};
    Error error = inbox_->take_newest();
    error.what = text("The engine reports an error while ", doing, '.');
    error.fix = error.code == Errc::out_of_memory
                    ? "Free buffers with destroy(), or work in smaller pieces."
                    : "";
    return std::unexpected(std::move(error));
}

Result<std::uint64_t> Core::submit(std::span<const WGPUCommandBuffer> command_buffers) {
    const std::uint64_t number = ++submissions_;
    if (auto ok = queue_submit(command_buffers, {"submitting"}); !ok)
        return std::unexpected(std::move(ok).error());
    return number;
}

Result<> Core::queue_submit(std::span<const WGPUCommandBuffer> command_buffers,
                            const base::Clause& doing) {
    note_sent(); // before the call, which may run callbacks of the user's
    const std::uint64_t errors = inbox_->error_count();
    std::optional<Scope> scope; // where the inbox does not tell whose errors it hears of
    if (exposed_ || owner_ == Owner::user)
        scope.emplace(instance(), device(), Scope::Catch::validation_and_memory);
    gpu().QueueSubmit(queue(), command_buffers.size(), command_buffers.data());
    return scope ? verdict(scope->close(doing)) : reported_since(errors, doing);
}

std::uint64_t Core::note_submission() noexcept {
    note_sent();
    return ++submissions_;
}

void Core::note_sent() noexcept {
    unsent_writes_ = false;
    unsent_bytes_ = 0;
}

Result<> Core::flush_before_map() {
    if (!unsent_writes_ || !gpu().quirks.submit_before_map) return {};
    return send_nothing();
}

Result<> Core::flush_before_done() {
    if (!unsent_writes_ || !gpu().quirks.submit_before_done) return {};
    return send_nothing();
}

Result<> Core::flush_much() {
    if (unsent_bytes_ < most_unsent_bytes) return {};
    return send_nothing();
}

Result<> Core::send_nothing() {
    WGPUCommandEncoder encoder = gpu().DeviceCreateCommandEncoder(device(), nullptr);
    if (encoder == nullptr) return fail(Errc::engine, {}, "The engine makes no command encoder.");
    return send_own(encoder, "ferry flush");
}

Result<> Core::send_own(WGPUCommandEncoder encoder, std::string_view name) {
    // Submitting on a lost device ends the process on some engines: the finish tells of it.
    auto commands = finish(encoder, name);
    if (!commands) return std::unexpected(std::move(commands).error());
    const HeldCommandBuffer held(gpu(), *commands);
    const WGPUCommandBuffer sent = held.get();
    return queue_submit({&sent, 1}, {"submitting", name});
}

void Core::remember(const void* handle, std::weak_ptr<void> object) {
    if (const auto found = known_.find(handle); found != known_.end() && !found->second.expired()) {
        return; // asked for in every frame, perhaps
    }
    std::erase_if(known_, [](const auto& each) { return each.second.expired(); });
    known_[handle] = std::move(object);
}

std::shared_ptr<void> Core::find(const void* handle) const noexcept {
    const auto found = known_.find(handle);
    return found == known_.end() ? nullptr : found->second.lock();
}

std::unique_ptr<Spare> Core::take_spare() noexcept {
    if (spares_.empty()) return nullptr;
    auto spare = std::move(spares_.back());
    spares_.pop_back();
    return spare;
}

void Core::keep_spare(std::unique_ptr<Spare> spare) noexcept {
    if (spares_.size() < spares_.capacity()) spares_.push_back(std::move(spare));
}

void Core::close() noexcept {
    if (closed_) return;
    if (!ended_) {
        end_everything(Error{Errc::cancelled,
                             {},
                             text("The device \"", label, "\" was closed."),
                             "Close a device after its last result is taken.",
                             {},
                             {}});
    }
    lost_before_close_ = inbox_->lost();
    closed_ = true;
    if (owner_ == Owner::ferry) gpu().DeviceDestroy(handles_.device);
}

} // namespace ferry::detail
