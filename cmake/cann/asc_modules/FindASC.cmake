# Functions of projects with kernels: libraries of kernels that a program starts by
# aclrtlaunch_<kernel>, and what belongs to them.
get_filename_component(_asc_tree "${CMAKE_CURRENT_LIST_FILE}" REALPATH)
get_filename_component(_asc_tree "${_asc_tree}/../../../../.." ABSOLUTE)
set(ASCENDC_VINCI_TREE "${_asc_tree}")
set(ASCENDC_VINCI_INCLUDES "${_asc_tree}/include;${_asc_tree}/include/toolkit")
# Not the link in lib64: beside the library itself lie those for other levels of the host.
get_filename_component(ASCENDC_VINCI_LIBRARY "${_asc_tree}/../../../lib/libvinci.so" ABSOLUTE)

# The chip for bisheng, and what else all its compilations share.
function(_ascendc_chip result)
  if(SOC_VERSION)
    set(${result} "--npu-soc=${SOC_VERSION}" PARENT_SCOPE)
  elseif(CMAKE_ASC_ARCHITECTURES)
    set(${result} "--npu-arch=${CMAKE_ASC_ARCHITECTURES}" PARENT_SCOPE)
  else()
    message(FATAL_ERROR "ascendc_library: set SOC_VERSION, as Ascend910B1, or CMAKE_ASC_ARCHITECTURES.")
  endif()
endfunction()

# The header aclrtlaunch_<kernel>.h of each kernel, made before anything of `target`, or of what is
# linked with it, is compiled.
function(_ascendc_launch_headers target chip)
  set(directory "${CMAKE_BINARY_DIR}/include/${target}")
  file(MAKE_DIRECTORY "${directory}" "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.headers")
  set(includes "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>")
  set(definitions "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>")
  set(stamps "")
  foreach(source ${ARGN})
    get_filename_component(path "${source}" ABSOLUTE)
    string(MAKE_C_IDENTIFIER "${source}" name)
    set(stamp "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.headers/${name}.stamp")
    add_custom_command(
      OUTPUT "${stamp}"
      COMMAND "${ASCENDC_VINCI_TREE}/bin/bisheng" "--vinci-launch-header=${directory}" -x asc ${chip}
              "$<$<BOOL:${includes}>:-I$<JOIN:${includes},;-I>>"
              "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>" "${path}"
      COMMAND "${CMAKE_COMMAND}" -E touch "${stamp}"
      DEPENDS "${path}" COMMENT "Headers of the launches of ${source}"
      COMMAND_EXPAND_LISTS VERBATIM)
    list(APPEND stamps "${stamp}")
  endforeach()
  target_sources(${target} PRIVATE ${stamps})
  target_include_directories(${target} INTERFACE "$<BUILD_INTERFACE:${directory}>")
endfunction()

# ascendc_library(<target> STATIC|SHARED|OBJECT <source>...)
function(ascendc_library target type)
  if(NOT type MATCHES "^(STATIC|SHARED|OBJECT)$")
    message(FATAL_ERROR "ascendc_library(${target} ${type} ...): legal: STATIC, SHARED, OBJECT.")
  endif()
  add_library(${target} ${type} ${ARGN})
  if(NOT type STREQUAL "OBJECT")
    set_target_properties(${target} PROPERTIES
                          ARCHIVE_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib"
                          LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
    install(TARGETS ${target} DESTINATION lib)
  endif()
  target_include_directories(${target} SYSTEM INTERFACE ${ASCENDC_VINCI_INCLUDES})
  if(RUN_MODE STREQUAL "cpu")
    find_package(tikicpulib REQUIRED CONFIG PATHS "${ASCENDC_VINCI_TREE}/tools/tikicpulib/lib/cmake"
                 NO_DEFAULT_PATH)
    target_link_libraries(${target} PUBLIC tikicpulib::${SOC_VERSION})
    return()
  endif()
  _ascendc_chip(chip)
  set_source_files_properties(${ARGN} PROPERTIES LANGUAGE ASC)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:ASC>:${chip};--vinci-launch-functions>")
  target_link_libraries(${target} PUBLIC "${ASCENDC_VINCI_LIBRARY}")
  _ascendc_launch_headers(${target} ${chip} ${ARGN})
  install(DIRECTORY "${CMAKE_BINARY_DIR}/include/${target}" DESTINATION include)
endfunction()

# ascendc_fatbin_library(<target> <source>...): a file that programs load at run time.
function(ascendc_fatbin_library target)
  _ascendc_chip(chip)
  set_source_files_properties(${ARGN} PROPERTIES LANGUAGE ASC)
  add_library(${target} MODULE ${ARGN})
  set_target_properties(${target} PROPERTIES PREFIX "" SUFFIX ".o" POSITION_INDEPENDENT_CODE ON
                        LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/fatbin/${target}")
  target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:ASC>:${chip}>")
  install(TARGETS ${target} DESTINATION "fatbin/${target}")
endfunction()

# `scope` and `words` of what follows a target: PRIVATE may be left out.
macro(_ascendc_scope_and_words)
  set(scope PRIVATE)
  set(words ${ARGN})
  if("${ARGV0}" MATCHES "^(PRIVATE|PUBLIC|INTERFACE)$")
    set(scope "${ARGV0}")
    list(REMOVE_AT words 0)
  endif()
endmacro()

# HAVE_WORKSPACE and HAVE_TILING say what the last parameters of each kernel are, which the launch
# has to know.
function(ascendc_compile_definitions target)
  _ascendc_scope_and_words(${ARGN})
  foreach(definition ${words})
    string(REGEX REPLACE "^-D" "" definition "${definition}")
    target_compile_definitions(${target} ${scope} ${definition})
    if(definition MATCHES "^HAVE_(WORKSPACE|TILING)$" AND NOT RUN_MODE STREQUAL "cpu")
      string(TOLOWER "${CMAKE_MATCH_1}" what)
      target_compile_options(${target} ${scope} "$<$<COMPILE_LANGUAGE:ASC>:--vinci-have-${what}>")
    endif()
  endforeach()
endfunction()

# What stands behind -forward-options-to-host-compiler is the host compiler's, which here is the same.
function(ascendc_compile_options target)
  _ascendc_scope_and_words(${ARGN})
  set(options ${words})
  list(REMOVE_ITEM options -forward-options-to-host-compiler)
  if(RUN_MODE STREQUAL "cpu")
    list(FILTER options EXCLUDE REGEX "^(--cce|-mllvm|-cce)")
  endif()
  target_compile_options(${target} ${scope} ${options})
endfunction()

function(ascendc_include_directories target)
  _ascendc_scope_and_words(${ARGN})
  set(directories "")
  foreach(directory ${words})
    get_filename_component(directory "${directory}" ABSOLUTE)
    list(APPEND directories "${directory}")
  endforeach()
  target_include_directories(${target} ${scope} ${directories})
endfunction()

include("${CMAKE_CURRENT_LIST_DIR}/OperatorPackage.cmake")
