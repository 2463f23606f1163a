# SPDX-License-Identifier: MIT
# cmake -D source=FOLDER -D binary=FOLDER -P build_and_run.cmake -- CONFIGURE_ARGUMENT...
set(arguments)
set(seen OFF)
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(i RANGE ${last})
    if(seen)
        list(APPEND arguments "${CMAKE_ARGV${i}}")
    elseif(CMAKE_ARGV${i} STREQUAL "--")
        set(seen ON)
    endif()
endforeach()

execute_process(COMMAND ${CMAKE_COMMAND} -S ${source} -B ${binary} --fresh ${arguments} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${binary} --parallel 2 COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${binary}/consumer COMMAND_ERROR_IS_FATAL ANY)
