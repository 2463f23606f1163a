// SPDX-License-Identifier: MIT
#pragma once

namespace ferry::base {

/// Keeps a flag raised for the length of a block, however the block ends.
class Raised {
public:
    explicit Raised(bool& flag) noexcept : flag_(flag) { flag_ = true; }
    Raised(const Raised&) = delete;
    Raised& operator=(const Raised&) = delete;
    ~Raised() { flag_ = false; }

private:
    bool& flag_;
};

} // namespace ferry::base
