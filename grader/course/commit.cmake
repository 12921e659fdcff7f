# Writes which commit is being built: cmake -D SOURCE=<project> -D OUT=<header> -P commit.cmake
# The header is written only when it changes, so that nothing is compiled anew for nothing.
cmake_minimum_required(VERSION 3.25)
execute_process(COMMAND git -C "${SOURCE}" describe --always --dirty --abbrev=40 --exclude=*
  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT commit)
  set(commit "unknown")  # no git, or a copy without its history
endif()
file(CONFIGURE OUTPUT "${OUT}" CONTENT "#define CUDALABS_COMMIT \"@commit@\"\n" @ONLY)
