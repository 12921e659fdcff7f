# find_package(cudalabs-vgpu) for projects that test their CUDA programs on the virtual GPU: docs/SANITIZER.md.
#
#   cudalabs_vgpu_test(NAME <name> COMMAND <target or program> [argument...] [OPTIONS <option of `cudalabs-vgpu run`>...])
#
# adds a CTest test that runs the program under `cudalabs-vgpu run`. The test fails where the program does, where an error
# is found, and where the program, or a part of it, was not checked. It needs no GPU.
cmake_minimum_required(VERSION 3.19)

get_filename_component(cudalabs_vgpu_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
if(NOT TARGET cudalabs::vgpu)
  add_executable(cudalabs::vgpu IMPORTED GLOBAL)
  set_target_properties(cudalabs::vgpu PROPERTIES IMPORTED_LOCATION "${cudalabs_vgpu_prefix}/bin/cudalabs-vgpu")
endif()
if(NOT EXISTS "${cudalabs_vgpu_prefix}/bin/cudalabs-vgpu")
  set(cudalabs-vgpu_FOUND FALSE)
  set(cudalabs-vgpu_NOT_FOUND_MESSAGE "${cudalabs_vgpu_prefix}/bin/cudalabs-vgpu is missing: install CUDA Labs again")
endif()

function(cudalabs_vgpu_test)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME" "COMMAND;OPTIONS")
  if(NOT arg_NAME OR NOT arg_COMMAND)
    message(FATAL_ERROR "cudalabs_vgpu_test: NAME and COMMAND are needed")
  endif()
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "cudalabs_vgpu_test: what is `${arg_UNPARSED_ARGUMENTS}`?")
  endif()
  list(POP_FRONT arg_COMMAND program)
  if(TARGET "${program}")
    set(program "$<TARGET_FILE:${program}>")
  endif()
  add_test(NAME "${arg_NAME}"
    COMMAND cudalabs::vgpu run --error-exitcode 1 ${arg_OPTIONS} "${program}" ${arg_COMMAND})
endfunction()
