// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/copy_crew.hpp"
#include "base/text.hpp"
#include "core/habits.hpp"
#include "core/inbox.hpp"
#include "core/staging.hpp"
#include "core/stamps.hpp"
#include "core/upload_slots.hpp"
#include "engine/instance.hpp"
#include "ferry/engine.hpp"

namespace ferry::detail {

class Operation;
struct MapLife;

/// An object that is kept for reuse with its memory.
struct Spare {
    Spare() = default;
    Spare(const Spare&) = delete;
    Spare& operator=(const Spare&) = delete;
    virtual ~Spare() = default;
};

/// What every object of a device shares: the engine's handles, the pending operations, loss. Each
/// object holds a reference, so the order in which they are dropped does not matter.
class Core {
public:
    struct Handles {
        WGPUAdapter adapter = nullptr; ///< may be null
        WGPUDevice device = nullptr;
        WGPUQueue queue = nullptr;
    };

    /// Takes over one reference of each handle. `inbox` is the one that the device was made to
    /// report to.
    Core(std::shared_ptr<Instance> instance, Handles handles, Owner owner,
         std::shared_ptr<Inbox> inbox);
    Core(const Core&) = delete;
    Core& operator=(const Core&) = delete;
    ~Core();

    [[nodiscard]] const EngineTable& gpu() const noexcept { return instance_->gpu(); }
    [[nodiscard]] Instance& instance() noexcept { return *instance_; }
    [[nodiscard]] const Instance& instance() const noexcept { return *instance_; }
    [[nodiscard]] const Handles& handles() const noexcept { return handles_; }
    [[nodiscard]] WGPUDevice device() const noexcept { return handles_.device; }
    [[nodiscard]] WGPUQueue queue() const noexcept { return handles_.queue; }
    [[nodiscard]] Inbox& inbox() noexcept { return *inbox_; }
    /// Set once the device is lost; outlives the core.
    [[nodiscard]] std::shared_ptr<const std::atomic<bool>> loss_flag() const noexcept {
        return {inbox_, &inbox_->lost_flag()};
    }
    [[nodiscard]] StagingPool& staging() noexcept { return staging_; }
    /// Upload buffers of the device itself.
    [[nodiscard]] UploadSlots& uploads() noexcept { return uploads_; }
    [[nodiscard]] base::CopyCrew& crew() noexcept { return *crew_; }
    void set_copy_threads(unsigned count) { crew_.emplace(count); }
    [[nodiscard]] Stamps& stamps() noexcept { return stamps_; }
    [[nodiscard]] Habits& habits() noexcept { return habits_; }
    [[nodiscard]] std::uint64_t last_submission() const noexcept { return submissions_; }

    /// Whether the device can be used: not closed, and not known to be lost.
    [[nodiscard]] bool usable() const noexcept { return !closed_ && !inbox_->lost(); }
    /// Whether the engine still has the device: objects of a dead one are released and not touched
    /// otherwise.
    [[nodiscard]] bool engine_alive() const noexcept {
        return !inbox_->lost() && !(closed_ && owner_ == Owner::ferry);
    }
    /// Unmaps on the engine, if it still has the device; some end the process otherwise.
    void unmap(WGPUBuffer buffer);
    /// The same as an error: `wrong_state` or `device_lost`. `doing`: "write to buffer \"x\"".
    [[nodiscard]] Result<> check_usable(const base::Clause& doing) const;
    /// The loss, if there is one; a device that was closed before is not lost any more.
    [[nodiscard]] std::optional<Error> loss() const;
    /// Passes on what a scope said, and remembers when that was the loss of the device.
    [[nodiscard]] Result<> verdict(Result<> of_scope);
    /// Asks the engine, where it does not tell by itself, whether the device is lost.
    void probe_loss();
    /// When the device turns out to be lost, everything pending ends and every mapping detaches.
    void notice_loss();
    /// From here on somebody else can destroy the device without telling.
    void expose() noexcept;

    /// Lets callbacks run and brings every operation up to date. Never blocks.
    void pump();
    /// Every operation whose outcome was not taken.
    void watch(Operation& operation);
    void unwatch(const Operation& operation) noexcept;
    /// The mapping detaches when the device ends.
    void watch(std::weak_ptr<MapLife> life);
    void watch(std::weak_ptr<UploadSlots> pool);

    /// Finishes an encoder in a scope and releases it; nothing invalid comes out.
    [[nodiscard]] Result<WGPUCommandBuffer> finish(WGPUCommandEncoder encoder,
                                                   std::string_view label);
    /// Sends the command buffers; answers the submission's number. Errors: what the engine reports
    /// in the call.
    [[nodiscard]] Result<std::uint64_t> submit(std::span<const WGPUCommandBuffer> command_buffers);
    /// The error, if any, that the engine has reported since it had reported `count` of them. Only
    /// on a device that nobody else uses: there it is about ferry's own calls.
    [[nodiscard]] Result<> reported_since(std::uint64_t count, const base::Clause& doing);
    /// The caller has sent something himself.
    [[nodiscard]] std::uint64_t note_submission() noexcept;
    /// So much was queued; some engines hide it, and keep it in memory, until the next submit.
    void note_write(std::uint64_t bytes) noexcept {
        unsent_writes_ = true;
        unsent_bytes_ += bytes;
    }
    [[nodiscard]] std::uint64_t unsent_bytes() const noexcept { return unsent_bytes_; }
    /// Makes queued writes visible to maps, and to work-done.
    [[nodiscard]] Result<> flush_before_map();
    [[nodiscard]] Result<> flush_before_done();
    /// Sends what was queued when it has become much (A18).
    [[nodiscard]] Result<> flush_much();
    /// Sends commands of ferry's own, which no submission of the user's counts. Takes over the
    /// encoder.
    [[nodiscard]] Result<> send_own(WGPUCommandEncoder encoder, std::string_view label);

    /// Objects whose raw handle went out or came in: one handle has one object here, which knows of
    /// its maps and of its end.
    void remember(const void* handle, std::weak_ptr<void> object);
    [[nodiscard]] std::shared_ptr<void> find(const void* handle) const noexcept;

    /// An object that was kept, or null.
    [[nodiscard]] std::unique_ptr<Spare> take_spare() noexcept;
    void keep_spare(std::unique_ptr<Spare> spare) noexcept;
    /// Numbers the recordings of the device.
    [[nodiscard]] std::uint64_t next_recording() noexcept { return ++recordings_; }

    /// A call of the user's has begun to block on this device.
    void note_wait() noexcept { ++waits_; }
    [[nodiscard]] std::uint64_t waits() const noexcept { return waits_; }
    /// How often events were looked for.
    [[nodiscard]] std::uint64_t pumps() const noexcept { return pumps_; }

    void close() noexcept;

    Adapter adapter{};
    Limits limits{};
    std::vector<Feature> features{};
    /// Of copies between buffers and textures (L-06). Dawn can lower it with a feature of its own,
    /// which ferry does not ask for.
    std::uint64_t row_alignment_bytes = 256;
    std::string label{};
    std::unique_ptr<Spare> batch_tools{}; ///< what the compute passes of batches share

private:
    template <class Body>
    void for_each_operation(Body body);
    template <class Body>
    void for_each_pool(Body body);
    void end_everything(const Error& reason) noexcept;
    [[nodiscard]] bool empty_finish_fails();
    [[nodiscard]] Result<> queue_submit(std::span<const WGPUCommandBuffer> command_buffers,
                                        const base::Clause& doing);
    [[nodiscard]] Result<> send_nothing();
    void note_sent() noexcept;

    std::shared_ptr<Instance> instance_;
    Handles handles_;
    Owner owner_;
    std::shared_ptr<Inbox> inbox_;
    StagingPool staging_;
    UploadSlots uploads_;
    std::vector<std::weak_ptr<UploadSlots>> pools_;
    std::optional<base::CopyCrew> crew_;
    Stamps stamps_;
    Habits habits_;
    std::vector<Operation*> operations_;
    std::vector<std::weak_ptr<Operation>> walk_;
    std::vector<std::weak_ptr<MapLife>> lives_;
    WGPUFuture lost_future_{};
    std::vector<std::unique_ptr<Spare>> spares_;
    std::unordered_map<const void*, std::weak_ptr<void>> known_;
    std::uint64_t submissions_ = 0;
    std::uint64_t recordings_ = 0;
    std::uint64_t waits_ = 0;
    std::uint64_t pumps_ = 0;
    std::uint64_t unsent_bytes_ = 0;
    bool unsent_writes_ = false;
    bool ask_for_loss_;
    bool exposed_ = false; // the raw handles were handed out
    bool closed_ = false;
    bool lost_before_close_ = false;
    bool ended_ = false;
    std::uint64_t settled_ = 0; // callbacks seen by the operations
    bool pumping_ = false;
};

} // namespace ferry::detail
