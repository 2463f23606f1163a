// SPDX-License-Identifier: MIT
#include "base/error.hpp"

namespace ferry {

std::string_view name(Errc code) noexcept {
    switch (code) {
    case Errc::invalid_argument: return "invalid_argument";
    case Errc::wrong_state: return "wrong_state";
    case Errc::not_submitted: return "not_submitted";
    case Errc::busy: return "busy";
    case Errc::unsupported: return "unsupported";
    case Errc::limit_exceeded: return "limit_exceeded";
    case Errc::out_of_memory: return "out_of_memory";
    case Errc::timeout: return "timeout";
    case Errc::cancelled: return "cancelled";
    case Errc::device_lost: return "device_lost";
    case Errc::io: return "io";
    case Errc::engine: return "engine";
    case Errc::internal: return "internal";
    }
    return "unknown";
}

std::string to_string(const Error& error) {
    std::string out = base::text(name(error.code), ": ", error.what);
    if (!error.rule.empty()) out += base::text(" [", error.rule, ']');
    if (!error.fix.empty()) out += base::text("\n  fix: ", error.fix);
    if (!error.trail.empty()) {
        out += "\n  ";
        for (char letter : error.trail) {
            out += letter;
            if (letter == '\n') out += "  ";
        }
    }
    if (error.where.line() != 0) {
        out += base::text("\n  at: ", error.where.file_name(), ':', error.where.line());
    }
    return out;
}

} // namespace ferry
