# SPDX-License-Identifier: MIT
# How tests are registered: on which engine, on which Vulkan driver, with which environment.

# --- engines and drivers ------------------------------------------------------------------------------------------

file(GLOB ferry_lavapipe /usr/share/vulkan/icd.d/lvp_icd*.json)
list(APPEND ferry_lavapipe "")
list(GET ferry_lavapipe 0 ferry_lavapipe)
# wgpu-native runs on Mesa's lavapipe. Dawn refuses an old one, such as Debian 12's, and then runs on SwiftShader.
set(ferry_dawn_driver ${FERRY_DEPS_DIR}/drivers/swiftshader/vk_swiftshader_icd.json)
if(NOT EXISTS ${ferry_dawn_driver} AND EXISTS ${FERRY_DEPS_DIR}/drivers/lavapipe_serves_dawn)
    set(ferry_dawn_driver "${ferry_lavapipe}")
endif()
_ferry_path(FERRY_TEST_DRIVER_WGPU "${ferry_lavapipe}" "Vulkan driver file for the tests on wgpu-native")
_ferry_path(FERRY_TEST_DRIVER_DAWN "${ferry_dawn_driver}" "Vulkan driver file for the tests on Dawn")

set(ferry_test_engines wgpu dawn)
if(TARGET ferry_fake)
    list(APPEND ferry_test_engines fake)
endif()
set(FERRY_TEST_ENGINES ${ferry_test_engines} CACHE STRING "Engines that the tests run on: wgpu, dawn and fake")
foreach(variable FERRY_ENGINE_WGPU FERRY_ENGINE_DAWN FERRY_TEST_DRIVER_WGPU FERRY_TEST_DRIVER_DAWN)
    if(NOT EXISTS "${${variable}}")
        message(FATAL_ERROR "The tests run on real engines, and ${variable} (\"${${variable}}\") does not exist.\n"
            "Run tools/setup, which brings engines and drivers, or point ${variable} at yours, "
            "or configure with -DFERRY_BUILD_TESTS=OFF.")
    endif()
endforeach()

# The interpreter that has numpy; with several Pythons on a machine that is often the system's.
if(NOT FERRY_PYTHON)
    foreach(candidate python3 /usr/bin/python3)
        execute_process(COMMAND ${candidate} -c "import numpy, sys; print(sys.executable)"
            OUTPUT_VARIABLE ferry_python RESULT_VARIABLE failed OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
        if(failed EQUAL 0)
            set(FERRY_PYTHON ${ferry_python} CACHE STRING "Python 3 with numpy, for the tests")
            break()
        endif()
    endforeach()
    if(NOT FERRY_PYTHON)
        message(FATAL_ERROR "The tests need a Python 3 with numpy. Run tools/setup, or set FERRY_PYTHON.")
    endif()
endif()

# --- environment --------------------------------------------------------------------------------------------------

set(ferry_runtime_dir ${PROJECT_BINARY_DIR}/runtime)
file(MAKE_DIRECTORY ${ferry_runtime_dir})
file(CHMOD ${ferry_runtime_dir} DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)

# Seconds after which a test has failed. Sanitizers are slow and the machine may be shared.
set(ferry_timeout 180)
set(ferry_environment XDG_RUNTIME_DIR=${ferry_runtime_dir} PYTHONDONTWRITEBYTECODE=1)
if(FERRY_SANITIZER)
    set(ferry_timeout 600)
    list(APPEND ferry_environment
        ASAN_OPTIONS=detect_leaks=1:strict_string_checks=1:detect_stack_use_after_return=1
        LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/cmake/lsan.supp:print_suppressions=0
        UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1
        TSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/cmake/tsan.supp:halt_on_error=1)
endif()

# An engine and the driver that it runs on. Without an engine: both drivers are there, as on a user's machine.
function(_ferry_engine_environment out engine)
    set(environment ${ferry_environment})
    if(engine)
        string(TOUPPER ${engine} upper)
        list(APPEND environment FERRY_TEST_ENGINE=${engine} FERRY_ENGINE=${engine})
        if(engine STREQUAL fake)
            list(APPEND environment FERRY_FAKE_PATH=$<TARGET_FILE:ferry_fake>)
        elseif(FERRY_TEST_DRIVER_${upper})
            list(APPEND environment VK_DRIVER_FILES=${FERRY_TEST_DRIVER_${upper}})
        endif()
    else()
        set(drivers ${FERRY_TEST_DRIVER_WGPU} ${FERRY_TEST_DRIVER_DAWN})
        list(REMOVE_DUPLICATES drivers)
        list(JOIN drivers ":" drivers)
        list(APPEND environment VK_DRIVER_FILES=${drivers})
    endif()
    set(${out} ${environment} PARENT_SCOPE)
endfunction()

# --- kinds of tests -----------------------------------------------------------------------------------------------

function(ferry_see_private_parts target)
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests)
    target_include_directories(${target} SYSTEM PRIVATE ${FERRY_WEBGPU_INCLUDE_DIR})
    target_compile_definitions(${target} PRIVATE WGPU_SKIP_DECLARATIONS)
    target_link_libraries(${target} PRIVATE ${CMAKE_DL_LIBS})
endfunction()

# ferry_discover_tests(TARGET ENGINE LABEL...): each suite of TARGET becomes the test LABEL.Suite or ENGINE.Suite. A suite
# is one process: its tests share a device, and an engine that ends the process takes no other suite with it.
function(ferry_discover_tests target engine)
    set(prefix ${ARGV2})
    if(engine)
        set(prefix ${engine})
    endif()
    _ferry_engine_environment(environment "${engine}")
    set(program $<TARGET_FILE:${target}>)
    set(timeout ${ferry_timeout})
    set(labels "${ARGN}")
    set(script ${CMAKE_CURRENT_BINARY_DIR}/${target}.${prefix}.cmake)
    configure_file(${PROJECT_SOURCE_DIR}/cmake/discover_suites.cmake.in ${script}.in @ONLY)
    file(GENERATE OUTPUT ${script} INPUT ${script}.in)
    set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${script})
endfunction()

# ferry_add_script_test(NAME LABEL SCRIPT ARG...): a Python script; it has failed when it exits with anything but 0.
function(ferry_add_script_test name label script)
    add_test(NAME ${name} COMMAND ${FERRY_PYTHON} ${script} ${ARGN})
    _ferry_engine_environment(environment "")
    list(APPEND environment
        FERRY_SOURCE_DIR=${PROJECT_SOURCE_DIR}
        FERRY_PROGRAM=${PROJECT_BINARY_DIR}/ferry
        FERRY_TEST_DRIVER_WGPU=${FERRY_TEST_DRIVER_WGPU}
        FERRY_TEST_DRIVER_DAWN=${FERRY_TEST_DRIVER_DAWN})
    set_tests_properties(${name} PROPERTIES
        TIMEOUT ${ferry_timeout} LABELS ${label} ENVIRONMENT "${environment}")
endfunction()

# The example's output is exactly examples/expected/NAME.txt, on each engine. On the fake the examples are run by
# tests/sweep, which has host functions for their shaders.
function(ferry_add_example_test name)
    set(engines ${FERRY_TEST_ENGINES})
    list(REMOVE_ITEM engines fake)
    foreach(engine IN LISTS engines)
        add_test(NAME example.${name}.${engine}
            COMMAND ${FERRY_PYTHON} ${PROJECT_SOURCE_DIR}/tests/run_example.py
                $<TARGET_FILE:example_${name}> ${PROJECT_SOURCE_DIR}/examples/expected/${name}.txt
            WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}/examples)
        _ferry_engine_environment(environment ${engine})
        set_tests_properties(example.${name}.${engine} PROPERTIES
            TIMEOUT ${ferry_timeout} LABELS "examples;${engine}" ENVIRONMENT "${environment}")
    endforeach()
endfunction()

# The source compiles as it is, and does not with FERRY_MISUSE defined.
function(ferry_add_misuse_test name source)
    set(definitions "$<TARGET_PROPERTY:ferry,INTERFACE_COMPILE_DEFINITIONS>")
    add_test(NAME misuse.${name}
        COMMAND ${FERRY_PYTHON} ${PROJECT_SOURCE_DIR}/tests/misuse/check.py ${source}
            ${CMAKE_CXX_COMPILER} -std=c++23 -fsyntax-only -Wall -Werror=unused-result
            "-I$<JOIN:$<TARGET_PROPERTY:ferry,INTERFACE_INCLUDE_DIRECTORIES>,;-I>"
            "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>"
        COMMAND_EXPAND_LISTS)
    set_tests_properties(misuse.${name} PROPERTIES TIMEOUT ${ferry_timeout} LABELS misuse)
endfunction()
