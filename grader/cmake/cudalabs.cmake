# How this project declares libraries and tests: one function each, so that flags live in one place.
include_guard(GLOBAL)
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)

# Test executables fail when a filter matches nothing: Catch2 3.x by itself, 2.13 when it is told.
find_package(Catch2 REQUIRED)
include(check_catch2)
set(cudalabs_catch_arguments)
if(Catch2_VERSION VERSION_LESS 3)
  set(cudalabs_catch_arguments -w NoTests)
endif()

# Flags for the project's own code; an INTERFACE target rather than global flags.
add_library(cudalabs_flags INTERFACE)
target_include_directories(cudalabs_flags INTERFACE "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/grader")
target_compile_options(cudalabs_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Werror)
target_link_libraries(cudalabs_flags INTERFACE Threads::Threads fmt::fmt)
# No path of the machine that compiles ends up in a program, and nothing that nobody calls.
target_compile_options(cudalabs_flags INTERFACE "-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=" -ffunction-sections -fdata-sections)
target_link_options(cudalabs_flags INTERFACE LINKER:--gc-sections)
# A changed library is linked into up to a hundred programs: lld needs a fifth of the time that GNU ld takes for each.
find_program(CUDALABS_LLD ld.lld)
mark_as_advanced(CUDALABS_LLD)
if(CUDALABS_LLD)
  include(CheckLinkerFlag)
  check_linker_flag(CXX -fuse-ld=lld CUDALABS_LLD_LINKS)
  if(CUDALABS_LLD_LINKS)
    target_link_options(cudalabs_flags INTERFACE $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-fuse-ld=lld>)
  endif()
endif()
# Results and datasets do not depend on what the processor offers: a multiplication and an addition are fused only where
# a program says so.
target_compile_options(cudalabs_flags INTERFACE -ffp-contract=off)
# The compiler keeps what it no longer needs until it holds 1 GiB: looking for it takes a tenth of its time. The largest
# sources then hold .9 GiB.
target_compile_options(cudalabs_flags INTERFACE $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=1048576>)
if(CUDALABS_SANITIZE)
  # g++ 12 sees uninitialised variables in instrumented code, the library's own among it, where there are none.
  target_compile_options(cudalabs_flags INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
                                                  -Wno-maybe-uninitialized)
  target_link_options(cudalabs_flags INTERFACE -fsanitize=address,undefined)
endif()
if(CUDALABS_SANITIZE_THREADS)
  # g++ knows no atomic fences under TSan, and says so as a warning.
  target_compile_options(cudalabs_flags INTERFACE -fsanitize=thread -fno-omit-frame-pointer -Wno-tsan -Wno-maybe-uninitialized)
  target_link_options(cudalabs_flags INTERFACE -fsanitize=thread)
endif()
if(CUDALABS_COVERAGE)
  target_compile_options(cudalabs_flags INTERFACE --coverage -fprofile-update=atomic)
  target_link_options(cudalabs_flags INTERFACE --coverage)
endif()

# cudalabs_runs_once(SOURCES...): sources that read arguments or write a report once a run. Optimising what they take from
# Catch2, CLI11 and the JSON library makes nothing faster and takes twice as long to compile; -Og is a fifth quicker than
# -O1, and no slower than -O0, which writes out more.
function(cudalabs_runs_once)
  set_source_files_properties(${ARGN} PROPERTIES CUDALABS_APART ON SKIP_PRECOMPILE_HEADERS ON
    COMPILE_OPTIONS "$<$<CONFIG:Release,RelWithDebInfo>:-Og>")
endfunction()

# cudalabs_rarely_runs(TARGET): the same for a whole library.
function(cudalabs_rarely_runs target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release,RelWithDebInfo>:-Og>)
  set_target_properties(${target} PROPERTIES CUDALABS_RARELY_RUNS ON)
endfunction()

# cudalabs_sources_rarely_run(SOURCES...): the same for sources of a library that is fast elsewhere: what runs once a module
# or once a finding, not for instructions. They are compiled together.
function(cudalabs_sources_rarely_run)
  set_source_files_properties(${ARGN} PROPERTIES CUDALABS_RARELY_RUNS ON SKIP_PRECOMPILE_HEADERS ON
    COMPILE_OPTIONS "$<$<CONFIG:Release,RelWithDebInfo>:-Og>")
endfunction()

# cudalabs_runs_for_each_element(SOURCES...): the sources of such a library that look at every element of an output.
function(cudalabs_runs_for_each_element)
  set_source_files_properties(${ARGN} PROPERTIES CUDALABS_APART ON SKIP_PRECOMPILE_HEADERS ON
    COMPILE_OPTIONS "$<$<CONFIG:Release,RelWithDebInfo>:-O3>")
endfunction()

# cudalabs_hot(TARGET): code that runs for every instruction of a kernel. It is optimised even where little else is, in
# the preset for development.
function(cudalabs_hot target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release,RelWithDebInfo>:-O3>)
endfunction()

# Several sources of a library are compiled as one, since most of what a source costs are the headers that all of them
# read. A name in an unnamed namespace is therefore to be the only one of its library. In the preset for development each
# source is compiled for itself: so it is seen when one counts on what another one includes.
option(CUDALABS_TOGETHER "Compile the sources of a library together" ON)
if(CUDALABS_TOGETHER)
  # Without a meaning where a source is included in another.
  target_compile_options(cudalabs_flags INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
endif()

set(cudalabs_pch_options)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  list(APPEND cudalabs_pch_options -fpch-preprocess)  # so that ccache knows which precompiled header was used
endif()

# The headers that most sources read are read once for the libraries that are optimised, and once for those that rarely
# run: a precompiled header serves one set of flags. That saves a source .3 to .6 s of the compiler's time.
if(CUDALABS_TOGETHER)
  file(CONFIGURE OUTPUT nothing.cpp CONTENT "")
  foreach(name IN ITEMS cudalabs_headers cudalabs_headers_rarely_run)
    add_library(${name} STATIC EXCLUDE_FROM_ALL "${CMAKE_CURRENT_BINARY_DIR}/nothing.cpp")
    target_link_libraries(${name} PRIVATE cudalabs_flags)
    target_compile_options(${name} PRIVATE ${cudalabs_pch_options})
    target_precompile_headers(${name} PRIVATE "${CMAKE_CURRENT_LIST_DIR}/common_headers.h")
  endforeach()
  cudalabs_rarely_runs(cudalabs_headers_rarely_run)
endif()

# Called at the end of a library's folder, where it is known how the library is optimised.
function(cudalabs_use_precompiled_headers target)
  get_target_property(rarely ${target} CUDALABS_RARELY_RUNS)
  set(headers cudalabs_headers)
  if(rarely)
    set(headers cudalabs_headers_rarely_run)
  endif()
  target_compile_options(${target} PRIVATE ${cudalabs_pch_options})
  target_precompile_headers(${target} REUSE_FROM ${headers})
endfunction()

# cudalabs_built_when_asked(TARGETS...): tools of authors. Tests need them; nobody else waits for them.
function(cudalabs_built_when_asked)
  if(NOT CUDALABS_TESTS)
    set_target_properties(${ARGN} PROPERTIES EXCLUDE_FROM_ALL ON)
  endif()
endfunction()

# cudalabs_compile_apart(SOURCES...): sources that are compiled alone in any case: long ones, or such that define the same
# names as others of their library.
function(cudalabs_compile_apart)
  set_source_files_properties(${ARGN} PROPERTIES CUDALABS_APART ON)
endfunction()

# Writes the next batch of a target's sources, and appends its name to the list `result`.
function(cudalabs_write_batch result name includes)
  list(LENGTH ${result} number)
  set(file "${CMAKE_CURRENT_BINARY_DIR}/${name}_${number}.cpp")
  list(JOIN includes "" content)
  file(CONFIGURE OUTPUT "${file}" CONTENT "${content}" @ONLY)
  set(${result} ${${result}} "${file}" PARENT_SCOPE)
endfunction()

# The same for sources that rarely run.
function(cudalabs_write_rare_batch result name includes)
  cudalabs_write_batch(${result} ${name} "${includes}")
  list(GET ${result} -1 file)
  cudalabs_sources_rarely_run("${file}")
  set(${result} ${${result}} PARENT_SCOPE)
endfunction()

# cudalabs_together(RESULT NAME SOURCES...): the sources to compile for the target NAME: files that include up to 24
# of SOURCES each, of tests, whose names meet more often, 12. Unlike those of CMake's unity builds, they name what they include from the project's folder, so that
# ccache finds again what another clone has compiled.
function(cudalabs_together result name)
  if(NOT CUDALABS_TOGETHER)
    set(${result} ${ARGN} PARENT_SCOPE)
    return()
  endif()
  set(most 24)
  if(name MATCHES "^test_")
    set(most 12)
  endif()
  set(sources)
  set(batch)
  set(rare_batch)
  foreach(source IN LISTS ARGN)
    get_source_file_property(apart "${source}" CUDALABS_APART)
    get_source_file_property(rarely "${source}" CUDALABS_RARELY_RUNS)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" OUTPUT_VARIABLE path)
    cmake_path(IS_PREFIX PROJECT_SOURCE_DIR "${path}" ours)
    cmake_path(IS_PREFIX PROJECT_BINARY_DIR "${path}" generated)
    if(apart OR NOT ours OR generated)
      list(APPEND sources "${source}")
      continue()
    endif()
    cmake_path(RELATIVE_PATH path BASE_DIRECTORY "${PROJECT_SOURCE_DIR}")
    if(rarely)
      list(APPEND rare_batch "#include \"${path}\"\n")
      list(LENGTH rare_batch length)
      if(length EQUAL most)
        cudalabs_write_rare_batch(sources ${name} "${rare_batch}")
        set(rare_batch)
      endif()
      continue()
    endif()
    list(APPEND batch "#include \"${path}\"\n")
    list(LENGTH batch length)
    if(length EQUAL most)
      cudalabs_write_batch(sources ${name} "${batch}")
      set(batch)
    endif()
  endforeach()
  if(batch)
    cudalabs_write_batch(sources ${name} "${batch}")
  endif()
  if(rare_batch)
    cudalabs_write_rare_batch(sources ${name} "${rare_batch}")
  endif()
  set(${result} ${sources} PARENT_SCOPE)
endfunction()

# cudalabs_library(NAME SOURCES... [LIBRARIES ...]): a static library of one room.
function(cudalabs_library name)
  cmake_parse_arguments(arg "" "" "LIBRARIES" ${ARGN})
  cudalabs_together(sources ${name} ${arg_UNPARSED_ARGUMENTS})
  add_library(${name} STATIC ${sources})
  target_link_libraries(${name} PUBLIC cudalabs_flags ${arg_LIBRARIES})
  if(CUDALABS_TOGETHER)
    cmake_language(EVAL CODE "cmake_language(DEFER CALL cudalabs_use_precompiled_headers ${name})")
  endif()
endfunction()

# Optimising Catch2's macros doubles the time a test takes to compile; what is tested keeps its own flags.
set(cudalabs_test_options $<$<CONFIG:Release,Debug>:-O0> ${cudalabs_pch_options})

# cudalabs_tests_of_room(): a folder of tests is called like its room. At the folder's end each of its tests gets the
# room as a label, and the target ROOM_tests, which may be named from now on, builds its programs.
function(cudalabs_tests_of_room)
  cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME room)
  if(NOT TARGET ${room}_tests)
    add_custom_target(${room}_tests)
    cmake_language(DEFER CALL cudalabs_finish_tests_of_room)
  endif()
endfunction()

function(cudalabs_finish_tests_of_room)
  cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME room)
  get_property(tests DIRECTORY PROPERTY TESTS)
  foreach(test IN LISTS tests)
    set_property(TEST ${test} APPEND PROPERTY LABELS ${room})
  endforeach()
  get_property(built DIRECTORY PROPERTY CUDALABS_TEST_SOURCES)
  get_property(targets DIRECTORY PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS targets)
    get_target_property(sources ${target} SOURCES)
    list(APPEND built ${sources})
    get_target_property(type ${target} TYPE)
    get_target_property(excluded ${target} EXCLUDE_FROM_ALL)
    if(type STREQUAL EXECUTABLE AND NOT excluded)
      add_dependencies(${room}_tests ${target})
    endif()
  endforeach()
  file(GLOB written CONFIGURE_DEPENDS RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}" "${CMAKE_CURRENT_SOURCE_DIR}/*_test.cpp")
  list(REMOVE_ITEM written ${built})
  if(written)
    message(FATAL_ERROR "grader/tests/${room}: no test is made of ${written}: name it in CMakeLists.txt.")
  endif()
endfunction()

# cudalabs_test(NAME SOURCES... [LIBRARIES ...] [LABELS ...] [TIMEOUT seconds]): a Catch2 executable, one CTest test.
# The test runs in the build's top folder; a filter that matches nothing fails. TIMEOUT is for one that hangs: what takes
# a minute on an idle machine may take many on a busy one. Such a test begins before the short ones, which fill what the
# long ones leave of the processors: in a new build folder CTest knows no times.
function(cudalabs_test name)
  cmake_parse_arguments(arg "" "TIMEOUT" "LIBRARIES;LABELS" ${ARGN})
  if(NOT CUDALABS_TESTS)
    return()
  endif()
  cudalabs_tests_of_room()
  string(REPLACE "." "_" target "test_${name}")
  set_property(DIRECTORY APPEND PROPERTY CUDALABS_TEST_SOURCES ${arg_UNPARSED_ARGUMENTS})
  cudalabs_together(sources ${target} ${arg_UNPARSED_ARGUMENTS})
  add_executable(${target} ${sources})
  target_link_libraries(${target} PRIVATE cudalabs_flags cudalabs_catch_main ${arg_LIBRARIES} cudalabs_tree)
  target_compile_options(${target} PRIVATE ${cudalabs_test_options})
  target_precompile_headers(${target} REUSE_FROM cudalabs_test_header)
  add_test(NAME ${name} COMMAND ${target} ${cudalabs_catch_arguments} WORKING_DIRECTORY "${PROJECT_BINARY_DIR}")
  set(cost 0)
  if(arg_TIMEOUT)
    set(cost 50)
  else()
    set(arg_TIMEOUT 900)
  endif()
  if(CUDALABS_SANITIZE OR CUDALABS_SANITIZE_THREADS)
    math(EXPR arg_TIMEOUT "4 * ${arg_TIMEOUT}")  # instrumented code is that much slower
  endif()
  set_tests_properties(${name} PROPERTIES TIMEOUT ${arg_TIMEOUT} COST ${cost} LABELS "${arg_LABELS}")
endfunction()
