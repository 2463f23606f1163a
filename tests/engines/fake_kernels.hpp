// SPDX-License-Identifier: MIT
// What the WGSL of the tests and examples does, on the host: ferry_fake runs no shaders.
#pragma once

#include <ferry_fake/ferry_fake.h>

namespace ferry::test {

/// Runs the host function of the dispatch's WGSL; a failure of the test when there is none.
void run_on_host(const FerryFakeDispatch* dispatch, void* userdata);

} // namespace ferry::test
