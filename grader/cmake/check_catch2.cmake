# Headers of one Catch2 beside the package files of another compile, and fail to link with a page of missing symbols: say
# so now. grader/catch/catch.h takes 3.x's headers where there are any, so these must be of the package's version.
get_target_property(catch2_folders Catch2::Catch2 INTERFACE_INCLUDE_DIRECTORIES)
set(catch2_searched ${catch2_folders} ${CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES} /usr/local/include /usr/include)
set(catch2_header "")
foreach(folder IN LISTS catch2_searched)
  string(REGEX REPLACE "^\\$<(BUILD|INSTALL)_INTERFACE:(.*)>$" "\\2" folder "${folder}")
  if(NOT catch2_header AND EXISTS "${folder}/catch2/catch_all.hpp")
    set(catch2_header "${folder}/catch2/catch_all.hpp")
  endif()
endforeach()
if(Catch2_VERSION VERSION_LESS 3 AND catch2_header)
  message(FATAL_ERROR "two versions of Catch2 are mixed: CMake found the package of ${Catch2_VERSION} in ${Catch2_DIR}, "
    "but the compiler would read the headers of 3.x, ${catch2_header}. Remove one of them, or name the folder of the "
    "3.x package: cmake -DCatch2_DIR=FOLDER")
endif()
if(Catch2_VERSION VERSION_GREATER_EQUAL 3 AND NOT catch2_header)
  message(FATAL_ERROR "two versions of Catch2 are mixed: CMake found the package of ${Catch2_VERSION} in ${Catch2_DIR}, "
    "but there is no catch2/catch_all.hpp among its headers (${catch2_searched}). Install the development files of the "
    "same version, or name the folder of another package: cmake -DCatch2_DIR=FOLDER")
endif()
