// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <span>
#include <vector>

#include "slot_memory.hpp"

namespace app {

/// The memories of several bindings, which go through a round together.
class SlotSet {
public:
    [[nodiscard]] Result<> prepare(ferry::Device& device, std::span<const Part> parts);
    /// Whether any binding is another one than in the round before.
    [[nodiscard]] bool is_new() const;
    void add_bindings(std::vector<ferry::Binding>& list) const;

    [[nodiscard]] Result<> load(bool shows_progress);
    [[nodiscard]] Result<> send();
    void record_inputs(ferry::Commands& commands);
    [[nodiscard]] Result<> record_outputs(ferry::Device& device, ferry::Commands& commands);
    void ask();
    [[nodiscard]] Result<> receive(std::chrono::milliseconds patience);
    /// Each into the files that are for its slot.
    [[nodiscard]] Result<> save(std::vector<SlotOutputs>& outputs, bool with_header,
                                bool shows_progress);
    void release();

private:
    std::vector<SlotMemory> memories_{};
};

/// Creates the files of all slots that are saved and of which `varies` is so: a folder that is
/// missing is found before anything is computed.
[[nodiscard]] Result<std::vector<SlotOutputs>> create_outputs(const Plan& plan, bool varies);
/// Only when every one is written whole does any of them appear.
[[nodiscard]] Result<> commit(std::vector<SlotOutputs>& outputs);

} // namespace app
