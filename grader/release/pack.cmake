# Packs what students get: cmake -D SOURCE=<project> -D VERSION=<x.y.z> -D OUT=<archive.tar.gz> -P pack.cmake
# Named is what goes in, so that a new folder stays out until somebody decides otherwise. Out stay the solutions with
# their hidden cases, the slides and benchmarks that quote them, and the grader's tests, whose kernels do the exercises;
# and the grading of whole classes, whose libraries no student needs.
cmake_minimum_required(VERSION 3.25)
foreach(name IN ITEMS SOURCE VERSION OUT)
  if(NOT ${name})
    message(FATAL_ERROR "pack.cmake: -D ${name}=... is missing")
  endif()
endforeach()

set(top "cudalabs-${VERSION}")
set(folder "${OUT}.folder")
file(REMOVE_RECURSE "${folder}")
file(COPY "${SOURCE}/CMakeLists.txt" "${SOURCE}/CMakePresets.json" "${SOURCE}/setup.sh" "${SOURCE}/LICENSE"
          "${SOURCE}/labs" "${SOURCE}/datasets"
     DESTINATION "${folder}/${top}")
file(COPY "${SOURCE}/grader" DESTINATION "${folder}/${top}" PATTERN "tests" EXCLUDE PATTERN "bench" EXCLUDE
                                                                           PATTERN "release" EXCLUDE
                                                                           PATTERN "course" EXCLUDE
                                                                           PATTERN "cli/class*" EXCLUDE)
file(GLOB figures "${SOURCE}/slides/figures/*.svg")  # that handouts show
file(COPY ${figures} DESTINATION "${folder}/${top}/slides/figures")
file(COPY "${SOURCE}/docs/GLOSSARY.md" DESTINATION "${folder}/${top}/docs")  # the other pages are for those who teach or build
configure_file("${SOURCE}/grader/release/README.md" "${folder}/${top}/README.md" COPYONLY)
file(WRITE "${folder}/${top}/.gitignore" "/build*/\n")
execute_process(
  COMMAND "${CMAKE_COMMAND}" -E tar czf "${OUT}" "${top}"
  WORKING_DIRECTORY "${folder}"
  COMMAND_ERROR_IS_FATAL ANY)
file(REMOVE_RECURSE "${folder}")
message(STATUS "${OUT}")
