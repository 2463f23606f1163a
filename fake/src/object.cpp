// SPDX-License-Identifier: MIT
#include "object.hpp"

#include "world.hpp"

namespace ferry_fake {

Object::Object(World& owner, Kind which) : Header{alive, &owner, which} {
    owner.hold();
    ++owner.ledger.created[static_cast<std::size_t>(which)];
}

Object::~Object() = default;

void Object::drop() {
    if (--holds > 0) return;
    // A clear that hands `this` around must not end it twice.
    holds = 1;
    clear();
    holds = 0;
    mark = dead;
    World* owner = world;
    owner->bury(this);
    owner->drop();
}

void Object::hold_for_program() {
    if (program_holds++ == 0) ++world->ledger.live[static_cast<std::size_t>(kind)];
    hold();
}

void Object::drop_for_program() {
    if (--program_holds == 0) {
        --world->ledger.live[static_cast<std::size_t>(kind)];
        released_by_program();
    }
    drop();
}

} // namespace ferry_fake
