# `make coverage` (preset `coverage`): runs the quick tests and writes an lcov report of the grader's own code.
# What no test ran, not even its program, counts as well: the first capture has every line, run by nothing.
include_guard(GLOBAL)
if(NOT CUDALABS_COVERAGE)
  return()
endif()
find_program(CUDALABS_LCOV lcov REQUIRED)
find_program(CUDALABS_GENHTML genhtml REQUIRED)

set(coverage_folder "${PROJECT_BINARY_DIR}/coverage")
add_custom_target(coverage
  COMMAND "${CUDALABS_LCOV}" --quiet --directory "${PROJECT_BINARY_DIR}" --zerocounters
  COMMAND "${CMAKE_CTEST_COMMAND}" --test-dir "${PROJECT_BINARY_DIR}" --output-on-failure --no-tests=error -LE slow
  COMMAND "${CMAKE_COMMAND}" -E make_directory "${coverage_folder}"
  COMMAND "${CUDALABS_LCOV}" --quiet --directory "${PROJECT_BINARY_DIR}" --capture --initial --no-external
    --base-directory "${PROJECT_SOURCE_DIR}" --output-file "${coverage_folder}/none.info"
  COMMAND "${CUDALABS_LCOV}" --quiet --directory "${PROJECT_BINARY_DIR}" --capture --no-external
    --base-directory "${PROJECT_SOURCE_DIR}" --output-file "${coverage_folder}/run.info"
  COMMAND "${CUDALABS_LCOV}" --quiet --add-tracefile "${coverage_folder}/none.info"
    --add-tracefile "${coverage_folder}/run.info" --output-file "${coverage_folder}/all.info"
  COMMAND "${CUDALABS_LCOV}" --quiet --extract "${coverage_folder}/all.info"
    "${PROJECT_SOURCE_DIR}/grader/*" "${PROJECT_SOURCE_DIR}/datasets/*" --output-file "${coverage_folder}/unfiltered.info"
  COMMAND "${CUDALABS_LCOV}" --quiet --remove "${coverage_folder}/unfiltered.info"
    "${PROJECT_SOURCE_DIR}/grader/tests/*" "${PROJECT_SOURCE_DIR}/grader/bench/*" --output-file "${coverage_folder}/grader.info"
  COMMAND "${CUDALABS_GENHTML}" --quiet --legend --title "CUDA Labs" --prefix "${PROJECT_SOURCE_DIR}"
    --output-directory "${coverage_folder}/html" "${coverage_folder}/grader.info"
  COMMAND "${CUDALABS_LCOV}" --summary "${coverage_folder}/grader.info"
  COMMAND "${CMAKE_COMMAND}" -E echo "open ${coverage_folder}/html/index.html"
  WORKING_DIRECTORY "${PROJECT_BINARY_DIR}"
  USES_TERMINAL
  VERBATIM)
