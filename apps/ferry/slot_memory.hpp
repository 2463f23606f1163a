// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <vector>

#include "common.hpp"
#include "ferry/device.hpp"
#include "plan.hpp"

namespace app {

/// What a binding takes in one round: a slot, or a chunk of it.
struct Part {
    Slot* slot = nullptr;
    Layout layout{};
    std::uint64_t first_row = 0; ///< of a chunk
};

/// The files that one binding's result is written to.
struct SlotOutputs {
    const Slot* slot = nullptr;
    std::vector<Output> files{};
};

/// The memory of one binding on the GPU, with the ways in and out of it, for one round after
/// another. A round goes through the functions in their order; `load` and `save` may run on other
/// threads, the rest is for the device's.
class SlotMemory {
public:
    /// Makes or reuses the memory. `part.slot` stays where it is until the round is over.
    [[nodiscard]] Result<> prepare(ferry::Device& device, const Part& part);
    /// Whether `binding` is another one than in the round before.
    [[nodiscard]] bool is_new() const noexcept { return new_; }
    [[nodiscard]] ferry::Binding binding() const;

    /// Reads the data from its file to where the GPU gets it from.
    [[nodiscard]] Result<> load(bool shows_progress);
    /// Hands that to the GPU.
    [[nodiscard]] Result<> send();
    void record_input(ferry::Commands& commands);
    [[nodiscard]] Result<> record_output(ferry::Device& device, ferry::Commands& commands);
    /// After the submit: asks for the memory that comes back.
    void ask();
    /// Waits for it; after the error `timeout` it can be asked again.
    [[nodiscard]] Result<> receive(std::chrono::milliseconds patience);
    /// Writes what came back behind what is there.
    [[nodiscard]] Result<> save(std::vector<Output>& files, bool with_header, bool shows_progress);
    /// Gives the memory that was read back to the GPU.
    void release() { result_ = {}; }

    [[nodiscard]] const Slot& slot() const noexcept { return *part_.slot; }

private:
    [[nodiscard]] Result<> prepare_texture(ferry::Device& device);
    [[nodiscard]] Result<> prepare_buffer(ferry::Device& device);
    [[nodiscard]] Result<> create_storage(ferry::Device& device);
    [[nodiscard]] Result<> create_upload(ferry::Device& device);
    [[nodiscard]] Result<> save_texture(std::vector<Output>& files, bool shows_progress);
    [[nodiscard]] bool has_data() const { return slot().file || !slot().preset.empty(); }
    /// Whole words.
    [[nodiscard]] std::uint64_t bytes() const noexcept {
        return (part_.layout.buffer_bytes + 3) / 4 * 4;
    }

    Part part_{};
    bool fresh_ = true; ///< the storage was made in this round
    bool new_ = true;
    std::uint64_t bound_bytes_ = 0;
    ferry::Buffer storage_{}; ///< that the shader sees; born with the data of the first round
    ferry::Buffer upload_{};  ///< where the data of later rounds comes from
    ferry::Buffer readback_{};
    ferry::WriteMapping filling_{};
    ferry::ReadMapping result_{};
    std::span<std::byte> input_{};        ///< of `filling_`
    std::span<const std::byte> output_{}; ///< of `result_`
    ferry::Ticket<ferry::WriteMapping> upload_ticket_{};
    ferry::Ticket<ferry::ReadMapping> result_ticket_{};
    ferry::Texture texture_{};
    ferry::Ticket<std::vector<std::uint8_t>> texels_ticket_{};
    std::vector<std::uint8_t> texels_{};
};

} // namespace app
