// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "shader/scan_module.hpp"

namespace ferry::shader {

/// A sampler or texture as a binding.
struct OpaqueType {
    BindingKind kind = BindingKind::texture;
    WgslTexture texture{};
    bool comparison = false;
};

/// What a load of a texel gives, by the name of its colour format.
[[nodiscard]] ScalarKind sample_of_format(std::string_view format);

/// Reads a sampler or texture type; empty when it is none.
[[nodiscard]] std::optional<OpaqueType> opaque_type(const Module& module, Tokens type);

/// Works out the memory layout of types by WGSL's alignment and size rules.
class TypeResolver {
public:
    TypeResolver(const Module& module, Constants& constants);

    [[nodiscard]] Result<WgslType> resolve(Tokens type, int depth = 0);

private:
    enum class State : std::uint8_t { unknown, busy, done };
    struct Entry {
        State state = State::unknown;
        WgslType type{};
    };

    Result<WgslType> plain(Tokens type, int depth);
    Result<WgslType> generic(Tokens type, int depth);
    Result<WgslType> array(Tokens type, Tokens element, std::optional<Tokens> count, int depth);
    Result<std::uint32_t> element_count(Tokens count);
    Result<WgslType> declared(const Declaration& declaration, const Token& name, int depth);
    Result<WgslType> structure(const Declaration& declaration, int depth);
    Result<WgslMember> member(Tokens text, WgslType& whole, std::uint64_t& end, int depth);
    Result<std::optional<std::uint32_t>> number_attribute(const std::vector<Attribute>& attributes,
                                                          std::string_view name);
    Result<> charge(const WgslType& type, const Token& name);

    std::unexpected<Error> unknown(Tokens type, std::string_view why) const;
    std::unexpected<Error> too_large(const Token& at) const;

    const Module& module_;
    Constants& constants_;
    std::vector<Entry> entries_;
    std::size_t copied_bytes_ = 0;
};

} // namespace ferry::shader
