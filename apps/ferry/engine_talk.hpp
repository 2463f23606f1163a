// SPDX-License-Identifier: MIT
#pragma once

namespace app {

/// Holds back what an engine prints on standard error while it starts: Dawn warns of every driver
/// that it will not use, also when it has found another. It comes out at the end of the scope, or
/// when the process crashes, unless it was discarded since all went well.
class EngineTalk {
public:
    EngineTalk();
    void discard() noexcept { discarded_ = true; }

    EngineTalk(const EngineTalk&) = delete;
    EngineTalk& operator=(const EngineTalk&) = delete;
    ~EngineTalk();

private:
    bool discarded_ = false;
};

} // namespace app
