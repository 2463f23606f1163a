// SPDX-License-Identifier: MIT
#include "handle.hpp"

namespace ferry_fake {

std::string_view mark_fault(const Header* header, Kind kind) {
    if (!header) return "is null";
    if (header->mark == Header::dead) return "was released";
    if (header->mark != Header::alive) return "is no handle of ferry_fake";
    if (header->kind != kind) return "is of another kind";
    return {};
}

std::string_view handle_fault(const Header* header, Kind kind) {
    if (std::string_view const fault = mark_fault(header, kind); !fault.empty()) return fault;
    // The engine still holds it, but the program has given its last reference back.
    if (static_cast<const Object*>(header)->program_holds == 0) return "was released";
    return {};
}

void report_handle(const Header* header, Kind kind, World* caller) {
    std::string_view fault = handle_fault(header, kind);
    if (fault.empty()) fault = "belongs to another instance";
    const bool ours = header && (header->mark == Header::alive);
    World* world = caller ? caller : ours ? header->world : nullptr;
    if (world)
        world->misuse("A ", name_of(kind), " handle ", fault);
    else
        ++Process::get().foreign_handles;
}

} // namespace ferry_fake
