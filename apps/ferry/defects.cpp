// SPDX-License-Identifier: MIT
#include "defects.hpp"

#include <array>

namespace app {

namespace {
// Measured; the details are in docs/ and src/engine/quirks.hpp.
constexpr std::array defects{
    Defect{"wgpu-native", "29",
           "queue writes and mapped data are invisible to a map until something is submitted"},
    Defect{"wgpu-native", "29",
           "a submit with any validation error, or after device loss, ends the process"},
    Defect{"wgpu-native", "29",
           "the whole-size constant is refused by a map, and a bad mapped range ends the process"},
    Defect{"wgpu-native", "29", "wait-any, map-state and set-label calls end the process"},
    Defect{"wgpu-native", "29",
           "a clear of 0 bytes ends the process, and a second unmap is an error"},
    Defect{"wgpu-native", "29", "a map that is pending when the device dies reports success"},
    Defect{"Dawn", "", "a pending map's callback runs inside the release of the instance"},
    Defect{"Dawn", "",
           "an older Dawn reports success for a map that is pending when the device dies"},
    Defect{"Dawn", "",
           "a second Dawn in a program that links one silently runs the linked one's code"},
    Defect{"Dawn", "", "calls from two threads crash unless implicit synchronisation is asked for"},
};

constexpr std::array refusals{
    KnownRefusal{"Dawn", "ArrayDynamicIndexing",
                 "Dawn refuses the lavapipe of Mesa 22.3 (Debian 12), which lacks "
                 "shaderUniform*ArrayDynamicIndexing",
                 "Run Dawn on SwiftShader: unpack Debian's chromium-common (apt-get download "
                 "chromium-common; dpkg -x "
                 "chromium-common_*.deb DIR) and set "
                 "VK_DRIVER_FILES=DIR/usr/lib/chromium/vk_swiftshader_icd.json. Or "
                 "take Mesa 24 or newer (Debian 13)."},
};
} // namespace

std::vector<std::string_view> defects_of(std::string_view engine, std::string_view version) {
    std::vector<std::string_view> list;
    for (const Defect& each : defects) {
        if (each.engine == engine && version.starts_with(each.version))
            list.push_back(each.symptom);
    }
    return list;
}

const KnownRefusal* known_refusal(std::string_view engine, std::string_view printed) {
    for (const KnownRefusal& each : refusals) {
        if (each.engine == engine && printed.find(each.printed) != std::string_view::npos)
            return &each;
    }
    return nullptr;
}

} // namespace app
