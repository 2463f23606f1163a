// SPDX-License-Identifier: MIT
// Compute passes: dispatches of host functions.
#pragma once

#include <map>
#include <vector>

#include "encoder.hpp"
#include "pipeline.hpp"

namespace ferry_fake {

struct ComputePassEncoder final : Object {
    explicit ComputePassEncoder(CommandEncoder& owner);
    void clear() override;
    Device* device_of() override { return encoder ? encoder->device.get() : nullptr; }

    // Whether the pass still takes commands; a call after End raises at once.
    bool open_for(const char* what);

    struct SetGroup {
        Ref<BindGroup> group;
        std::vector<std::uint32_t> dynamic_offsets;
    };

    Ref<CommandEncoder> encoder;
    Ref<ComputePipeline> pipeline;
    std::map<std::uint32_t, SetGroup> groups;
    bool ended = false;
    int debug_groups = 0;
};

// What one dispatch will need when it runs.
struct Dispatch {
    Ref<ComputePipeline> pipeline;
    std::vector<BoundEntry> bound;
    std::uint32_t workgroups[3] = {0, 0, 0};

    // Runs the test's host function, or notes that there is none.
    void run(World& world) const;
};

} // namespace ferry_fake
