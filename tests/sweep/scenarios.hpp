// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "fault_run.hpp"

namespace ferry::test {

/// Programs for the fault sweep that call what the examples do not.
[[nodiscard]] std::vector<Program> scenarios();

/// A device that the program made for itself, adopted: scenario_adopted.cpp.
int scenario_adopted();
/// Rings: scenario_ring.cpp.
int scenario_ring();
/// Uploads: scenario_upload.cpp.
int scenario_upload();
/// Batches: scenario_batch.cpp.
int scenario_batch();
/// Streams: scenario_stream.cpp.
int scenario_stream();

/// Ends a scenario: 0 when all was right, else 1 with the error's text on std::cerr.
[[nodiscard]] int end_with(const Error& error);

} // namespace ferry::test
