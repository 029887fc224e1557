# Packages of operators: definitions, tiling functions and kernels become libcust_opapi.so (or an
# archive) with the functions aclnn<Type> and their headers. Kernels are compiled when a program first
# calls them, from their sources where they lie. What each function takes: docs/guide/aclnn.md.
cmake_policy(PUSH)
cmake_policy(SET CMP0079 NEW)  # the package, a target of one folder, gets objects of others

set(_asc_package_scripts "${CMAKE_CURRENT_LIST_DIR}")

# What functions of several folders say of a package, or of the target of its kernels.
function(_asc_note name key)
  set_property(GLOBAL APPEND PROPERTY "_asc_${name}_${key}" ${ARGN})
endfunction()
function(_asc_noted result name key)
  get_property(noted GLOBAL PROPERTY "_asc_${name}_${key}")
  set(${result} "${noted}" PARENT_SCOPE)
endfunction()

# npu_op_package(<package> TYPE RUN|SHARED|STATIC [CONFIG <name> <value>...])
function(npu_op_package package)
  cmake_parse_arguments(arg "" "TYPE" "CONFIG" ${ARGN})
  cmake_parse_arguments(config "" "INSTALL_PATH;ENABLE_CPACK" "" ${arg_CONFIG})
  if(NOT arg_TYPE MATCHES "^(RUN|SHARED|STATIC)$")
    message(FATAL_ERROR "npu_op_package(${package} TYPE ${arg_TYPE}): legal: RUN, SHARED, STATIC.")
  endif()
  if(NOT DEFINED config_INSTALL_PATH)
    set(config_INSTALL_PATH "${CMAKE_BINARY_DIR}")
    if(NOT CMAKE_INSTALL_PREFIX_INITIALIZED_TO_DEFAULT)
      set(config_INSTALL_PATH "${CMAKE_INSTALL_PREFIX}")
    endif()
  endif()
  if(NOT DEFINED config_ENABLE_CPACK)
    set(config_ENABLE_CPACK TRUE)
  endif()
  set(ASCEND_AUTOGEN_PATH "${CMAKE_BINARY_DIR}/autogen" CACHE PATH "Where code is generated")
  set(kernels "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${package}.kernels.cpp")
  if(arg_TYPE STREQUAL "STATIC")
    add_library(${package} STATIC "${kernels}")
  else()
    add_library(${package} SHARED "${kernels}")
    set_target_properties(${package} PROPERTIES OUTPUT_NAME cust_opapi)
    target_link_options(${package} PRIVATE -Wl,-Bsymbolic)  # packages use the same names
  endif()
  set_source_files_properties("${kernels}" PROPERTIES GENERATED TRUE)
  _asc_host_code(${package})
  target_link_libraries(${package} PRIVATE "${ASCENDC_VINCI_LIBRARY}")
  get_filename_component(library "${ASCENDC_VINCI_LIBRARY}" DIRECTORY)
  set_target_properties(${package} PROPERTIES INSTALL_RPATH "${library}")
  if(NOT TARGET binary)
    add_custom_target(binary)
  endif()
  add_dependencies(binary ${package})
  cmake_language(EVAL CODE "cmake_language(DEFER DIRECTORY [[${CMAKE_SOURCE_DIR}]] CALL
    _asc_finish_package [[${package}]] ${arg_TYPE} [[${config_INSTALL_PATH}]] ${config_ENABLE_CPACK}
    [[${kernels}]])")
endfunction()

# npu_op_package_add(<package> LIBRARY <target>...)
# npu_op_package_add(<package> FILES <file>... [TYPE ACLNN|GRAPH | PACKAGE_PATH <path>])
function(npu_op_package_add package)
  cmake_parse_arguments(arg "" "TYPE;PACKAGE_PATH" "LIBRARY;FILES" ${ARGN})
  _asc_note(${package} LIBRARIES ${arg_LIBRARY})
  set(path "${arg_PACKAGE_PATH}")
  if(arg_TYPE STREQUAL "ACLNN")
    set(path op_api/include)
  elseif(arg_TYPE STREQUAL "GRAPH")
    set(path op_proto/inc)
  endif()
  foreach(file ${arg_FILES})
    get_filename_component(file "${file}" ABSOLUTE)
    _asc_note(${package} FILES "${path}" "${file}")
  endforeach()
endfunction()

# The sources of a target, from now on known by their paths.
function(_asc_note_sources target)
  foreach(source ${ARGN})
    get_filename_component(source "${source}" ABSOLUTE)
    _asc_note(${target} SOURCES "${source}")
  endforeach()
endfunction()

function(_asc_host_code target)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  # Reports tell lines, and layouts of structs are compared with those of kernels.
  target_compile_options(${target} PRIVATE -g)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -fno-gnu-unique)
  endif()
  target_include_directories(${target} SYSTEM PRIVATE ${ASCENDC_VINCI_INCLUDES})
endfunction()

# npu_op_library(<target> [TYPE] TILING|ACLNN|GRAPH|TF_PLUGIN|ONNX_PLUGIN <source>...)
#
# Their objects become part of the package. Parsers of other frameworks have nothing to plug into:
# they are targets that nothing builds. Neither is the library of a graph's operators, whose
# registrations the other one has.
function(npu_op_library target)
  set(words ${ARGN})
  list(POP_FRONT words type)
  if(type STREQUAL "TYPE")
    list(POP_FRONT words type)
  endif()
  if(NOT type MATCHES "^(TILING|ACLNN|GRAPH|TF_PLUGIN|ONNX_PLUGIN)$")
    message(FATAL_ERROR "npu_op_library(${target} ${type} ...): "
                        "legal: TILING, ACLNN, GRAPH, TF_PLUGIN, ONNX_PLUGIN.")
  endif()
  add_library(${target} OBJECT EXCLUDE_FROM_ALL ${words})
  _asc_host_code(${target})
  _asc_note(${target} TYPE ${type})
  _asc_note_sources(${target} ${words})
  if(type STREQUAL "ACLNN")
    target_include_directories(${target} PRIVATE "${ASCEND_AUTOGEN_PATH}")
  endif()
endfunction()

# npu_op_device_tiling_library(<target> SHARED|STATIC <source>...): a tiling function that the card
# runs is the host's as well; sources that the host's library has need no second turn.
function(npu_op_device_tiling_library target type)
  add_library(${target} OBJECT EXCLUDE_FROM_ALL ${ARGN})
  _asc_host_code(${target})
  _asc_note(${target} TYPE DEVICE_TILING)
  _asc_note_sources(${target} ${ARGN})
endfunction()

# npu_op_code_gen(SRC <source>... OUT_DIR <path> PACKAGE <package> [COMPILE_OPTIONS <option>...]
#                 [JOIN_OP_DEF <bool>])
#
# At once, as projects look for the files that come of it.
function(npu_op_code_gen)
  cmake_parse_arguments(arg "" "OUT_DIR;PACKAGE;JOIN_OP_DEF" "SRC;COMPILE_OPTIONS" ${ARGN})
  set(sources "")
  foreach(source ${arg_SRC})
    get_filename_component(source "${source}" ABSOLUTE)
    list(APPEND sources "${source}")
  endforeach()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${sources})
  if(arg_OUT_DIR STREQUAL "")
    set(arg_OUT_DIR "${ASCEND_AUTOGEN_PATH}")
  endif()
  file(MAKE_DIRECTORY "${arg_OUT_DIR}")
  set(library "${arg_OUT_DIR}/libascend_all_ops.so")
  string(REPLACE " " ";" flags "${CMAKE_CXX_FLAGS}")
  list(TRANSFORM ASCENDC_VINCI_INCLUDES PREPEND "-isystem" OUTPUT_VARIABLE includes)
  execute_process(
    COMMAND "${CMAKE_CXX_COMPILER}" ${flags} -shared -fPIC -g ${arg_COMPILE_OPTIONS} -o "${library}"
            ${includes} ${sources} "${ASCENDC_VINCI_LIBRARY}"
    RESULT_VARIABLE code)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "npu_op_code_gen: the definitions do not compile.")
  endif()
  execute_process(COMMAND "${CMAKE_COMMAND}" -E env "ASCEND_COMPUTE_UNIT=${ASCEND_COMPUTE_UNIT}"
                          "${ASCENDC_VINCI_TREE}/tools/opbuild/opbuild" "${library}" "${arg_OUT_DIR}"
                  RESULT_VARIABLE code)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "npu_op_code_gen: no functions could be made of the definitions.")
  endif()
  _asc_note("${arg_PACKAGE}" HEADERS "${arg_OUT_DIR}")
  if(TARGET "${arg_PACKAGE}")
    target_include_directories(${arg_PACKAGE} INTERFACE "$<BUILD_INTERFACE:${arg_OUT_DIR}>")
  endif()
endfunction()

# npu_op_kernel_library(<target> SRC_BASE <path> TILING_LIBRARY <target>)
function(npu_op_kernel_library target)
  cmake_parse_arguments(arg "" "SRC_BASE;TILING_LIBRARY" "" ${ARGN})
  get_filename_component(base "${arg_SRC_BASE}" ABSOLUTE)
  add_custom_target(${target})
  _asc_note(${target} TYPE KERNELS)
  _asc_note(${target} BASE "${base}")
endfunction()

# npu_op_kernel_sources(<target> [OP_TYPE <type>] [KERNEL_DIR <path>] [COMPUTE_UNIT <chip>...]
#                       [KERNEL_FILE <file>])
function(npu_op_kernel_sources target)
  cmake_parse_arguments(arg "" "OP_TYPE;KERNEL_DIR;KERNEL_FILE" "COMPUTE_UNIT" ${ARGN})
  string(REPLACE ";" " " chips "${arg_COMPUTE_UNIT}")
  _asc_note(${target} SOURCES "${arg_OP_TYPE}|${chips}|${arg_KERNEL_DIR}|${arg_KERNEL_FILE}")
endfunction()

# npu_op_kernel_options(<target> ALL|<type> [COMPUTE_UNIT <chip>...] OPTIONS <option>...)
function(npu_op_kernel_options target type)
  cmake_parse_arguments(arg "" "" "COMPUTE_UNIT;OPTIONS" ${ARGN})
  if(type STREQUAL "ALL" OR type STREQUAL "OP_TYPE")
    set(type "")
  endif()
  string(REPLACE ";" " " chips "${arg_COMPUTE_UNIT}")
  list(FILTER arg_OPTIONS INCLUDE REGEX "^(-[DUIOg]|--cce-auto-sync)")  # what means anything here
  foreach(option ${arg_OPTIONS})
    _asc_note(${target} OPTIONS "${type}|${chips}|${option}")
  endforeach()
endfunction()

# Lines of C++ for what is known of the kernels of a target.
function(_asc_kernel_lines result target)
  _asc_noted(base ${target} BASE)
  _asc_noted(sources ${target} SOURCES)
  _asc_noted(options ${target} OPTIONS)
  set(lines "")
  foreach(source ${sources})
    string(REGEX MATCH "^([^|]*)[|]([^|]*)[|]([^|]*)[|](.*)$" all "${source}")
    set(type "${CMAKE_MATCH_1}")
    set(chips "${CMAKE_MATCH_2}")
    get_filename_component(path "${base}/${CMAKE_MATCH_3}/${CMAKE_MATCH_4}" ABSOLUTE)
    if(NOT EXISTS "${path}")
      message(FATAL_ERROR "npu_op_kernel_sources(${target} ...): there is no ${path}.")
    endif()
    string(APPEND lines "  vinci_op_kernel_source(R\"v(${type})v\", R\"v(${chips})v\", R\"v(${path})v\");\n")
  endforeach()
  string(APPEND lines "  vinci_op_kernel_source(\"\", \"\", R\"v(${base})v\");\n")
  foreach(option ${options})
    string(REGEX MATCH "^([^|]*)[|]([^|]*)[|](.*)$" all "${option}")
    string(APPEND lines "  vinci_op_kernel_option(R\"v(${CMAKE_MATCH_1})v\", R\"v(${CMAKE_MATCH_2})v\", R\"v(${CMAKE_MATCH_3})v\");\n")
  endforeach()
  set(${result} "${lines}" PARENT_SCOPE)
endfunction()

# When everything of the project has been said.
function(_asc_finish_package package type path packs kernels)
  _asc_noted(libraries ${package} LIBRARIES)
  list(REMOVE_DUPLICATES libraries)
  set(lines "")
  set(host_sources "")
  foreach(library ${libraries})
    _asc_noted(kind ${library} TYPE)
    if(kind STREQUAL "KERNELS")
      _asc_kernel_lines(more ${library})
      string(APPEND lines "${more}")
      add_dependencies(${package} ${library})
    elseif(kind STREQUAL "TILING")
      _asc_noted(sources ${library} SOURCES)
      list(APPEND host_sources ${sources})
    endif()
  endforeach()
  foreach(library ${libraries})
    _asc_noted(kind ${library} TYPE)
    _asc_noted(sources ${library} SOURCES)
    if(kind STREQUAL "DEVICE_TILING")
      list(REMOVE_ITEM sources ${host_sources})
    endif()
    if(kind MATCHES "^(TILING|ACLNN|DEVICE_TILING)$" AND NOT "${sources}" STREQUAL "")
      target_link_libraries(${package} PRIVATE ${library})
    endif()
  endforeach()
  file(CONFIGURE OUTPUT "${kernels}" @ONLY CONTENT
"// Where the kernels of the package ${package} lie.
#include \"vinci/op/kernel_files.h\"

__attribute__((constructor)) static void say_kernels() {
@lines@}
")
  if(type STREQUAL "RUN")
    _asc_run_package(${package} "${path}" ${packs})
  else()
    _asc_library_package(${package} ${type} "${path}")
  endif()
endfunction()

# The target `package`: the folder vendors/<package>, in a file that installs it.
function(_asc_run_package package path packs)
  _asc_noted(headers ${package} HEADERS)
  _asc_noted(files ${package} FILES)
  if(NOT TARGET package)
    add_custom_target(package)
  endif()
  add_custom_target(${package}_run
    COMMAND "${CMAKE_COMMAND}" "-DPACKAGE=${package}" "-DLIBRARY=$<TARGET_FILE:${package}>"
            "-DHEADERS=${headers}" "-DFILES=${files}" "-DOUTPUT=${path}" "-DPACKS=${packs}"
            "-DSTAGE=${CMAKE_BINARY_DIR}/${package}.package"
            -P "${_asc_package_scripts}/operator_run.cmake"
    COMMENT "Package ${package}" VERBATIM)
  add_dependencies(${package}_run ${package})
  add_dependencies(package ${package}_run)
endfunction()

# What `install` copies: the library, its headers, and what find_package(<package>) needs.
function(_asc_library_package package type path)
  _asc_noted(headers ${package} HEADERS)
  install(TARGETS ${package} ARCHIVE DESTINATION "${path}/lib" LIBRARY DESTINATION "${path}/lib")
  foreach(folder ${headers})
    install(DIRECTORY "${folder}/" DESTINATION "${path}/include" FILES_MATCHING PATTERN "*.h")
  endforeach()
  set(config "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${package}-config.cmake")
  set(file_name "$<TARGET_FILE_NAME:${package}>")
  file(READ "${_asc_package_scripts}/package-config.cmake.in" text)
  string(CONFIGURE "${text}" text @ONLY)
  file(GENERATE OUTPUT "${config}" CONTENT "${text}")
  install(FILES "${config}" DESTINATION "${path}/lib/cmake/${package}")
endfunction()

cmake_policy(POP)
