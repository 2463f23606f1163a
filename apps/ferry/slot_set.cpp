// SPDX-License-Identifier: MIT
#include "slot_set.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace app {

namespace {
std::unexpected<Error> while_loading(Error error, const Slot& slot) {
    return within(std::move(error),
                  fmt::format("while loading \"{}\" from {}", slot.binding->name, slot.origin));
}
} // namespace

Result<> SlotSet::prepare(ferry::Device& device, std::span<const Part> parts) {
    memories_.resize(parts.size());
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (auto ok = memories_[i].prepare(device, parts[i]); !ok)
            return while_loading(std::move(ok).error(), *parts[i].slot);
    }
    return {};
}

bool SlotSet::is_new() const {
    return std::any_of(memories_.begin(), memories_.end(),
                       [](const SlotMemory& each) { return each.is_new(); });
}

void SlotSet::add_bindings(std::vector<ferry::Binding>& list) const {
    for (const SlotMemory& each : memories_) list.push_back(each.binding());
}

Result<> SlotSet::load(bool shows_progress) {
    for (SlotMemory& each : memories_) {
        if (auto ok = each.load(shows_progress); !ok)
            return while_loading(std::move(ok).error(), each.slot());
    }
    return {};
}

Result<> SlotSet::send() {
    for (SlotMemory& each : memories_) {
        if (auto ok = each.send(); !ok) return while_loading(std::move(ok).error(), each.slot());
    }
    return {};
}

void SlotSet::record_inputs(ferry::Commands& commands) {
    for (SlotMemory& each : memories_) each.record_input(commands);
}

Result<> SlotSet::record_outputs(ferry::Device& device, ferry::Commands& commands) {
    for (SlotMemory& each : memories_) {
        if (auto ok = each.record_output(device, commands); !ok) return ok;
    }
    return {};
}

void SlotSet::ask() {
    for (SlotMemory& each : memories_) each.ask();
}

Result<> SlotSet::receive(std::chrono::milliseconds patience) {
    for (SlotMemory& each : memories_) {
        if (auto ok = each.receive(patience); !ok) return ok;
    }
    return {};
}

Result<> SlotSet::save(std::vector<SlotOutputs>& outputs, bool with_header, bool shows_progress) {
    for (SlotMemory& each : memories_) {
        const auto to = std::find_if(outputs.begin(), outputs.end(), [&](const SlotOutputs& one) {
            return one.slot == &each.slot();
        });
        if (to == outputs.end()) continue;
        if (auto ok = each.save(to->files, with_header, shows_progress); !ok) {
            return within(std::move(ok).error(),
                          fmt::format("while saving \"{}\"", each.slot().binding->name));
        }
    }
    return {};
}

void SlotSet::release() {
    for (SlotMemory& each : memories_) each.release();
}

Result<std::vector<SlotOutputs>> create_outputs(const Plan& plan, bool varies) {
    std::vector<SlotOutputs> outputs;
    for (const Slot& slot : plan.slots) {
        if (slot.saves.empty() || slot.varies != varies) continue;
        SlotOutputs& one = outputs.emplace_back(SlotOutputs{.slot = &slot});
        for (const std::string& path : slot.saves) {
            auto file = Output::create(path);
            if (!file) {
                return within(std::move(file).error(),
                              fmt::format("before saving \"{}\"", slot.binding->name));
            }
            one.files.push_back(*std::move(file));
        }
    }
    return outputs;
}

Result<> commit(std::vector<SlotOutputs>& outputs) {
    for (SlotOutputs& each : outputs) {
        for (Output& file : each.files) {
            if (auto ok = file.commit(); !ok) return ok;
        }
    }
    return {};
}

} // namespace app
