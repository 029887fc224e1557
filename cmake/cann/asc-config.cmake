# find_package(ASC): the language ASC for project(), and the functions that come with it. Called
# before project(), so it may only set variables and define functions.
get_filename_component(_asc_tree "${CMAKE_CURRENT_LIST_FILE}" REALPATH)
get_filename_component(_asc_tree "${_asc_tree}/../../.." ABSOLUTE)
set(_asc_modules "${_asc_tree}/tools/tikcpp/ascendc_kernel_cmake/asc_modules")
list(APPEND CMAKE_MODULE_PATH "${_asc_modules}")
include("${_asc_modules}/FindASC.cmake")
set(ASC_FOUND TRUE)
