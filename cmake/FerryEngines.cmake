# SPDX-License-Identifier: MIT
# Where webgpu.h, the engines and the Vulkan drivers are. Everything has a cache variable; the defaults are what
# tools/setup has put into .deps/.

set(FERRY_DEPS_DIR ${PROJECT_SOURCE_DIR}/.deps)

function(_ferry_path variable default description)
    if(NOT EXISTS "${default}")
        set(default "")
    endif()
    set(${variable} "${default}" CACHE STRING "${description}")
    # An empty value is filled as soon as the file is there, so that tools/setup may run after a first configuration.
    if(NOT ${variable} AND default)
        set_property(CACHE ${variable} PROPERTY VALUE "${default}")
    endif()
endfunction()

_ferry_path(FERRY_WEBGPU_INCLUDE_DIR ${FERRY_DEPS_DIR}/include
    "Folder that holds webgpu/webgpu.h")
_ferry_path(FERRY_ENGINE_WGPU ${FERRY_DEPS_DIR}/engines/libwgpu_native.so
    "wgpu-native library that Engine::find(\"wgpu\") falls back to")
_ferry_path(FERRY_ENGINE_DAWN ${FERRY_DEPS_DIR}/engines/libwebgpu_dawn.so
    "Dawn library that Engine::find(\"dawn\") falls back to")
set(FERRY_ENGINE_FAKE "" CACHE STRING
    "ferry_fake library that Engine::find(\"fake\") falls back to; empty means the one built here")
_ferry_path(FERRY_VULKAN_DRIVERS ${FERRY_DEPS_DIR}/drivers/swiftshader/vk_swiftshader_icd.json
    "Vulkan driver files that the program adds when its user has chosen none")

if(NOT EXISTS "${FERRY_WEBGPU_INCLUDE_DIR}/webgpu/webgpu.h")
    message(FATAL_ERROR
        "ferry needs the standard webgpu.h and found none in FERRY_WEBGPU_INCLUDE_DIR (\"${FERRY_WEBGPU_INCLUDE_DIR}\").\n"
        "Run tools/setup, which fetches it together with two engines, or configure with "
        "-DFERRY_WEBGPU_INCLUDE_DIR=FOLDER, where FOLDER/webgpu/webgpu.h is the header of your engine.")
endif()
