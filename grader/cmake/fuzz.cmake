# Fuzz targets: libFuzzer with ASan and UBSan. They need a clang with the fuzzer's runtime, beside whatever compiles the
# rest; where there is none, nothing is fuzzed. Nor is anything in builds with g++'s own instrumentation, whose objects
# do not link with clang's.
include_guard(GLOBAL)
include(CMakeDependentOption)
cmake_dependent_option(CUDALABS_FUZZ "Build and run the fuzz targets where a clang with libFuzzer is found" ON
  "CUDALABS_TESTS;NOT CUDALABS_SANITIZE;NOT CUDALABS_SANITIZE_THREADS;NOT CUDALABS_COVERAGE" OFF)

# Line tables are enough for a stack; whole debug information doubles the compile time.
# Without the check of dynamic types: it keeps a table by the addresses of virtual tables, and those of the C++ library are
# elsewhere in every run, so that the same input would count as new in one run and not in another.
set(cudalabs_fuzz_flags -std=c++20 -O1 -gline-tables-only -fsanitize=fuzzer,address,undefined -fno-sanitize=vptr
  -fno-sanitize-recover=all)

find_program(CUDALABS_FUZZ_CLANG NAMES clang++-14 clang++-16 clang++ clang++-19 clang++-18 clang++-17 clang++-15)
mark_as_advanced(CUDALABS_FUZZ_CLANG)
if(CUDALABS_FUZZ AND CUDALABS_FUZZ_CLANG AND NOT DEFINED CUDALABS_FUZZ_WORKS)
  set(probe "${CMAKE_BINARY_DIR}/CMakeFiles/fuzz-probe")
  file(WRITE "${probe}.cpp"
    "#include <string>\nextern \"C\" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }\n")
  execute_process(COMMAND "${CUDALABS_FUZZ_CLANG}" ${cudalabs_fuzz_flags} "${probe}.cpp" -o "${probe}"
    RESULT_VARIABLE probe_result OUTPUT_QUIET ERROR_QUIET)
  if(probe_result EQUAL 0)
    set(CUDALABS_FUZZ_WORKS ON CACHE INTERNAL "The clang found links with libFuzzer")
  else()
    set(CUDALABS_FUZZ_WORKS OFF CACHE INTERNAL "The clang found does not link with libFuzzer")
    message(STATUS "No clang with libFuzzer: nothing is fuzzed")
  endif()
endif()

# cudalabs_fuzz_test(NAME SOURCES... RUNS number TARGETS library... [INCLUDES folder...] [LINK target-or-flag...]
#                    [CORPUS folder...] [SEEDS file] [ARGUMENTS argument...])
# Builds the sources, and those of the libraries TARGETS once more with the fuzzer's instrumentation, links LINK as it is,
# and adds a CTest test of RUNS inputs; half a minute or so of a processor. The inputs are the same in every run of one
# program: nothing that libFuzzer asks may depend on addresses (no position-independent program, no compared values, which
# may be pointers to the stack) or on the clock (no reading of the corpus again), so that what passes once passes anywhere.
# `make soak` looks for new ones, with all that libFuzzer can do. The corpus is only read. SEEDS, in the place of a corpus,
# is a file that the build makes: the inputs' paths, with commas between.
function(cudalabs_fuzz_test name)
  cmake_parse_arguments(arg "" "RUNS;SEEDS" "TARGETS;INCLUDES;LINK;CORPUS;ARGUMENTS" ${ARGN})
  if(NOT CUDALABS_FUZZ OR NOT CUDALABS_FUZZ_WORKS)
    return()
  endif()
  set(sources)
  foreach(source IN LISTS arg_UNPARSED_ARGUMENTS)
    cmake_path(ABSOLUTE_PATH source NORMALIZE)
    list(APPEND sources "${source}")
  endforeach()
  foreach(library IN LISTS arg_TARGETS)
    get_target_property(folder ${library} SOURCE_DIR)
    get_target_property(own ${library} SOURCES)
    foreach(source IN LISTS own)
      cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${folder}")
      list(APPEND sources "${source}")
    endforeach()
  endforeach()
  set(includes -I "${PROJECT_SOURCE_DIR}" -I "${PROJECT_SOURCE_DIR}/grader")
  foreach(folder IN LISTS arg_INCLUDES)
    cmake_path(ABSOLUTE_PATH folder NORMALIZE)
    list(APPEND includes -I "${folder}")
  endforeach()
  set(libraries)
  set(linked)
  foreach(library IN LISTS arg_LINK)
    if(TARGET ${library})
      list(APPEND libraries "$<TARGET_FILE:${library}>")
      list(APPEND linked ${library})
    else()
      list(APPEND libraries ${library})
    endif()
  endforeach()

  # An object file each, so that they build side by side; the compiler says which headers each of them needs.
  set(objects)
  foreach(source IN LISTS sources)
    cmake_path(GET source STEM stem)
    set(object "${CMAKE_CURRENT_BINARY_DIR}/${stem}.o")
    add_custom_command(OUTPUT "${object}"
      COMMAND ${CMAKE_CXX_COMPILER_LAUNCHER} "${CUDALABS_FUZZ_CLANG}" ${cudalabs_fuzz_flags} ${includes} -MD -MF "${object}.d" -c "${source}" -o "${object}"
      DEPENDS "${source}" DEPFILE "${object}.d" VERBATIM)
    list(APPEND objects "${object}")
  endforeach()
  set(program "${CMAKE_CURRENT_BINARY_DIR}/${name}.bin")
  add_custom_command(OUTPUT "${program}"
    COMMAND "${CUDALABS_FUZZ_CLANG}" ${cudalabs_fuzz_flags} ${objects} ${libraries} -no-pie -o "${program}"
    DEPENDS ${objects} ${linked} VERBATIM)
  add_custom_target(${name} ALL DEPENDS "${program}" ${arg_SEEDS})
  cudalabs_tests_of_room()
  cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME room)
  add_dependencies(${room}_tests ${name})

  # As a list of files, for libFuzzer writes what it finds to the first folder that it is given.
  if(NOT arg_SEEDS)
    list(TRANSFORM arg_CORPUS APPEND "/*")
    file(GLOB seeds CONFIGURE_DEPENDS ${arg_CORPUS})
    list(JOIN seeds "," seeds)
    set(arg_SEEDS "${CMAKE_CURRENT_BINARY_DIR}/${name}.seeds")
    file(GENERATE OUTPUT "${arg_SEEDS}" CONTENT "${seeds}")
  endif()
  file(MAKE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/found" "${CMAKE_CURRENT_BINARY_DIR}/crashes")
  add_test(NAME ${name}
    COMMAND "${program}" -runs=${arg_RUNS} -seed=1 -shuffle=0 -use_cmp=0 -reload=0 -timeout=60 -rss_limit_mb=2048
      -print_final_stats=1 ${arg_ARGUMENTS} "-artifact_prefix=${CMAKE_CURRENT_BINARY_DIR}/crashes/"
      "-seed_inputs=@${arg_SEEDS}"
    WORKING_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}")
  set_tests_properties(${name} PROPERTIES LABELS "vgpu;slow" TIMEOUT 900)
endfunction()
