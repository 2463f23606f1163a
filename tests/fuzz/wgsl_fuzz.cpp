// SPDX-License-Identifier: MIT
// Feeds bytes to the WGSL scan and to the reader of engine messages. With clang:
//     clang++ -std=c++23 -fsanitize=fuzzer,address,undefined -Iinclude -Isrc -o wgsl_fuzz
//         tests/fuzz/wgsl_fuzz.cpp src/shader/scan*.cpp src/shader/wgsl_*.cpp src/base/*.cpp
//     ./wgsl_fuzz -max_len=65536 FOLDER_OF_SHADERS
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "ferry/shader.hpp"
#include "shader/wgsl_errors.hpp"

namespace {

void expect(bool holds) {
    if (!holds) std::abort();
}

void use_entry_point(const ferry::ShaderInfo& info, const ferry::EntryPoint& entry) {
    for (const std::size_t at : entry.bindings) expect(at < info.bindings.size());
    for (const std::size_t at : entry.overrides) expect(at < info.overrides.size());
    for (const auto& size : entry.workgroup_size) expect(size.value_or(1) > 0);
    (void)ferry::workgroup_size(info, entry, {});
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    if (const auto info = ferry::scan_wgsl(text)) {
        for (const auto& entry : info->entry_points) use_entry_point(*info, entry);
        for (const auto& binding : info->bindings) expect(info->find(binding.name) != nullptr);
    } else {
        expect(!info.error().what.empty() && info.error().what.back() == '.');
        expect(info.error().what.find('\n') == std::string::npos);
    }
    if (const auto found = ferry::shader::locate_wgsl_error(text)) {
        expect(found->line > 0 && found->column > 0);
        (void)ferry::shader::quote_source_line(text, *found);
    }
    return 0;
}
