# The compiler of the language ASC: the bisheng of the tree that this file lies in.
get_filename_component(_asc_tree "${CMAKE_CURRENT_LIST_FILE}" REALPATH)
get_filename_component(_asc_tree "${_asc_tree}/../../../../.." ABSOLUTE)

if(NOT CMAKE_ASC_COMPILER)
  find_program(CMAKE_ASC_COMPILER NAMES bisheng
               HINTS "${_asc_tree}/bin" "$ENV{ASCEND_HOME_PATH}/bin" NO_CMAKE_FIND_ROOT_PATH
               DOC "Compiler of the language ASC")
endif()
if(NOT CMAKE_ASC_COMPILER)
  message(FATAL_ERROR "bisheng is neither in ${_asc_tree}/bin nor on PATH. "
                      "vinci's tree is incomplete: build or install vinci again.")
endif()
find_program(CMAKE_AR NAMES ar llvm-ar)
find_program(CMAKE_RANLIB NAMES ranlib llvm-ranlib)

if(CMAKE_ASC_SOURCE_FILE_EXTENSIONS STREQUAL "")
  unset(CMAKE_ASC_SOURCE_FILE_EXTENSIONS)
endif()
if(NOT DEFINED CMAKE_ASC_SOURCE_FILE_EXTENSIONS)
  set(CMAKE_ASC_SOURCE_FILE_EXTENSIONS asc)
endif()
set(CMAKE_ASC_COMPILER_ENV_VAR ASC)
set(CMAKE_ASC_COMPILER_ID vinci)
set(CMAKE_ASC_TREE "${_asc_tree}")
get_filename_component(CMAKE_ASC_LIBRARY "${_asc_tree}/../../../lib/libvinci.so" ABSOLUTE)
configure_file("${CMAKE_CURRENT_LIST_DIR}/CMakeASCCompiler.cmake.in"
               "${CMAKE_PLATFORM_INFO_DIR}/CMakeASCCompiler.cmake" @ONLY)
