# Packs what students get: cmake -D SOURCE=<project> -D VERSION=<x.y.z> -D OUT=<archive.tar.gz> [-D BUILD=<build folder>]
# -P pack.cmake
# Named is what goes in, so that a new folder stays out until it is named here. Out stay the solutions with
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
                                                                           PATTERN "tree" EXCLUDE
                                                                           PATTERN "course_cli" EXCLUDE)
# Of the figures those that handouts show: one for the slides has the answers of lab 2's quiz.
file(GLOB handouts "${SOURCE}/labs/*/README.md")
foreach(handout IN LISTS handouts)
  file(READ "${handout}" text)
  string(REGEX MATCHALL "slides/figures/[a-z0-9_]+[.]svg" shown "${text}")
  list(APPEND figures ${shown})
endforeach()
list(REMOVE_DUPLICATES figures)
list(TRANSFORM figures PREPEND "${SOURCE}/")
file(COPY ${figures} DESTINATION "${folder}/${top}/slides/figures")
file(COPY "${SOURCE}/docs/GLOSSARY.md" DESTINATION "${folder}/${top}/docs")  # the other pages are for those who teach or build
configure_file("${SOURCE}/grader/release/README.md" "${folder}/${top}/README.md" COPYONLY)
file(WRITE "${folder}/${top}/.gitignore" "/build*/\n")

# The grader as it was built here, which setup.sh uses where it runs: the program, and what the build's list says belongs
# to it, with a list whose paths start from its own folder.
if(BUILD)
  set(built "${folder}/${top}/prebuilt")
  file(COPY_FILE "${PROGRAM}" "${folder}/grade")
  file(COPY "${folder}/grade" DESTINATION "${built}")
  file(REMOVE "${folder}/grade")
  file(STRINGS "${BUILD}/cudalabs-paths.txt" lines)
  set(list "root\t..\n")
  foreach(line IN LISTS lines)
    if(NOT line MATCHES "^([^\t]+)\t(.+)$")
      message(FATAL_ERROR "${BUILD}/cudalabs-paths.txt: a line without a path: ${line}")
    endif()
    set(name "${CMAKE_MATCH_1}")
    set(path "${CMAKE_MATCH_2}")
    if(name STREQUAL root OR name STREQUAL grade-course)  # whole classes are for instructors
      continue()
    endif()
    if(IS_DIRECTORY "${path}")
      file(COPY "${path}/" DESTINATION "${built}/${name}")
    else()
      file(COPY "${path}" DESTINATION "${built}")
    endif()
    string(APPEND list "${name}\t${name}\n")
  endforeach()
  file(WRITE "${built}/cudalabs-paths.txt" "${list}")
endif()

execute_process(
  COMMAND "${CMAKE_COMMAND}" -E tar czf "${OUT}" "${top}"
  WORKING_DIRECTORY "${folder}"
  COMMAND_ERROR_IS_FATAL ANY)
file(REMOVE_RECURSE "${folder}")
message(STATUS "${OUT}")
