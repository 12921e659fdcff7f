# `ninja tidy`: clang-tidy over all of the project's own code, with .clang-tidy's checks, where each source is compiled
# for itself.
include_guard(GLOBAL)
find_program(CUDALABS_RUN_CLANG_TIDY NAMES run-clang-tidy-14 run-clang-tidy)
if(CUDALABS_RUN_CLANG_TIDY AND NOT CUDALABS_TOGETHER)
  add_custom_target(tidy
    COMMAND "${CUDALABS_RUN_CLANG_TIDY}" -quiet -p "${PROJECT_BINARY_DIR}" "${PROJECT_SOURCE_DIR}/(datasets|grader|slides)/"
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}"
    USES_TERMINAL
    VERBATIM)
endif()
