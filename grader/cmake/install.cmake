# What belongs to the programs at run time, and where `cmake --install` puts it: <prefix>/bin, <prefix>/lib/cudalabs (helper
# programs, libraries and headers), <prefix>/share. There are two installations. The component `instructor` is everything.
# The component `student` has no solutions, no hidden cases and no `grade class`. Where there are solutions, a plain
# `cmake --install` installs the first.
include_guard(GLOBAL)
include(GNUInstallDirs)

# cudalabs_install(ARGUMENTS...): install(), for both.
function(cudalabs_install)
  if(whole)
    install(${ARGN} COMPONENT instructor)
    install(${ARGN} COMPONENT student EXCLUDE_FROM_ALL)
  else()
    install(${ARGN} COMPONENT student)
  endif()
endfunction()

# cudalabs_install_program(TARGET NAME): a program, under another name.
function(cudalabs_install_program target name)
  cudalabs_install(PROGRAMS "$<TARGET_FILE:${target}>" DESTINATION "${CMAKE_INSTALL_BINDIR}" RENAME ${name})
endfunction()

# cudalabs_own_file(NAME TARGET target | DIRECTORY folder | PROGRAM_OF_INSTRUCTORS target): what the programs look for under
# this name, see grader/sandbox/own_files.h. The file's own name is the last part of NAME. Every grading may need it, but
# for a program of instructors, which students do not get.
set(cudalabs_own_files_folder "lib/cudalabs")
function(cudalabs_own_file name kind what)
  cmake_path(GET name PARENT_PATH folder)
  set(folder "${cudalabs_own_files_folder}/${folder}")
  if(kind STREQUAL PROGRAM_OF_INSTRUCTORS)
    set(path "$<TARGET_FILE:${what}>")
    install(PROGRAMS "${path}" DESTINATION "${folder}" COMPONENT instructor)
  elseif(kind STREQUAL TARGET)
    set(path "$<TARGET_FILE:${what}>")
    set_property(GLOBAL APPEND PROPERTY cudalabs_needed_targets ${what})
    get_target_property(type ${what} TYPE)
    if(type STREQUAL EXECUTABLE)
      cudalabs_install(PROGRAMS "${path}" DESTINATION "${folder}")
    else()
      cudalabs_install(FILES "${path}" DESTINATION "${folder}")
    endif()
  else()
    set(path "${what}")
    cudalabs_install(DIRECTORY "${what}/" DESTINATION "${cudalabs_own_files_folder}/${name}")
  endif()
  set_property(GLOBAL APPEND_STRING PROPERTY cudalabs_own_files "${name}\t${path}\n")
endfunction()

# Writes the list that programs in the build folder find these files by. The target `grader` is `grade` with all that a
# grading needs, and nothing else.
function(cudalabs_write_own_files)
  get_property(needed GLOBAL PROPERTY cudalabs_needed_targets)
  add_custom_target(grader DEPENDS grade ${needed})
  get_property(files GLOBAL PROPERTY cudalabs_own_files)
  file(GENERATE OUTPUT "${PROJECT_BINARY_DIR}/cudalabs-paths.txt" CONTENT "root\t${PROJECT_SOURCE_DIR}\n${files}")
endfunction()

# The data.
set(cudalabs_data "${CMAKE_INSTALL_DATADIR}/cudalabs")
cudalabs_install(DIRECTORY "${PROJECT_SOURCE_DIR}/labs" DESTINATION "${cudalabs_data}")
# Of the figures those that handouts show: one for the slides may have an answer.
file(GLOB handouts CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/labs/*/README.md")
set(handout_figures)
foreach(handout IN LISTS handouts)
  set_property(DIRECTORY "${PROJECT_SOURCE_DIR}" APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${handout}")
  file(READ "${handout}" handout_text)
  string(REGEX MATCHALL "slides/figures/[a-z0-9_]+[.]svg" shown "${handout_text}")
  list(APPEND handout_figures ${shown})
endforeach()
list(REMOVE_DUPLICATES handout_figures)
list(TRANSFORM handout_figures PREPEND "${PROJECT_SOURCE_DIR}/")
cudalabs_install(FILES ${handout_figures} DESTINATION "${cudalabs_data}/slides/figures")
if(whole)
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/solutions" DESTINATION "${cudalabs_data}" COMPONENT instructor)
endif()
