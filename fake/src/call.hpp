// SPDX-License-Identifier: MIT
// One running call of the program: it is counted, locked, and met by the script's faults.
#pragma once

#include <mutex>
#include <optional>

#include "functions.hpp"
#include "object.hpp"
#include "script.hpp"

namespace ferry_fake {

class Call {
public:
    Call(World& world, Function function, Object* self);
    ~Call();
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

    Function function() const { return function_; }
    const Fault* fault() const { return fault_ ? &*fault_ : nullptr; }
    // The script wants the call to do nothing and to answer NULL.
    bool answers_null() const;
    // Loses the device of the call's object, or all devices.
    void lose();
    // What happens between the call's work and its return.
    void finish();

private:
    World& world_;
    std::unique_lock<std::recursive_mutex> lock_;
    Function function_;
    std::optional<Fault> fault_;
    Ref<Device> device_;
    Call* outer_;
};

} // namespace ferry_fake
