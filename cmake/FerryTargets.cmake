# SPDX-License-Identifier: MIT
# What every target of this repository shares. Nothing here reaches the targets of a project that uses ferry.

if(PROJECT_IS_TOP_LEVEL)
    set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
    find_program(FERRY_CCACHE ccache)
    mark_as_advanced(FERRY_CCACHE)
    if(FERRY_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
        set(CMAKE_CXX_COMPILER_LAUNCHER ${FERRY_CCACHE})
    endif()
endif()

add_library(ferry_warnings INTERFACE)
target_compile_options(ferry_warnings INTERFACE
    -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wnon-virtual-dtor
    $<$<BOOL:${FERRY_WERROR}>:-Werror>)

# Standard, warnings and visibility of one of our own targets.
function(ferry_own_target target)
    target_compile_features(${target} PUBLIC cxx_std_23)
    # Copied instead of linked: a private link of a static library would have to be exported with it.
    target_compile_options(${target} PRIVATE $<TARGET_PROPERTY:ferry_warnings,INTERFACE_COMPILE_OPTIONS>)
    set_target_properties(${target} PROPERTIES
        CXX_EXTENSIONS OFF
        CXX_VISIBILITY_PRESET hidden
        VISIBILITY_INLINES_HIDDEN ON)
endfunction()

# A program that uses ferry. Engines, ferry_fake as well, are loaded at run time: it depends on none.
function(ferry_add_program target)
    add_executable(${target} ${ARGN})
    ferry_own_target(${target})
    target_link_libraries(${target} PRIVATE ferry::ferry)
    if(FERRY_SANITIZER)
        target_sources(${target} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/keep_loaded.cpp)
        target_link_options(${target} PRIVATE -Wl,--export-dynamic-symbol=dlclose)
    endif()
endfunction()
