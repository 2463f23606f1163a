// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "shader/scan_module.hpp"

namespace ferry::shader {

/// Which module-scope declarations mention which, by name. A name counts wherever it stands, except
/// where a parameter or a local declaration hides it, behind a period, and as an attribute's or
/// member's own name. So nothing that a valid text uses is missed.
class Uses {
public:
    explicit Uses(const Module& module);

    /// All declarations that `start` reaches, itself included, as indices into the module's in
    /// rising order.
    [[nodiscard]] std::vector<std::size_t> reached_from(std::size_t start);

private:
    std::vector<std::size_t> first_edge_; ///< of each declaration, and one behind the last
    std::vector<std::uint32_t> edges_;
    std::vector<std::size_t> seen_by_; ///< the number of the search that saw a declaration last
    std::size_t searches_ = 0;
};

} // namespace ferry::shader
