// SPDX-License-Identifier: MIT
#include "handle.hpp"

namespace ferry_fake {

std::string_view handle_fault(Header const* header, Kind kind) {
    if (!header) return "is null";
    if (header->mark == Header::dead) return "was released";
    if (header->mark != Header::alive) return "is no handle of ferry_fake";
    if (header->kind != kind) return "is of another kind";
    if (static_cast<Object const*>(header)->program_holds == 0) return "was released";
    return {};
}

void report_handle(Header const* header, Kind kind, World* caller) {
    std::string_view fault = handle_fault(header, kind);
    if (fault.empty()) fault = "belongs to another instance";
    bool const ours = header && (header->mark == Header::alive);
    World* world = caller ? caller : ours ? header->world : nullptr;
    if (world) world->misuse("A ", name_of(kind), " handle ", fault);
    else ++Process::get().foreign_handles;
}

}  // namespace ferry_fake
