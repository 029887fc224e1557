# Definitions, as a library that op_build reads while CMake configures.
function(opbuild)
  cmake_parse_arguments(arg "" "OUT_DIR" "OPS_SRC" ${ARGN})
  set(library ${arg_OUT_DIR}/libascend_all_ops.so)
  execute_process(
    COMMAND ${CMAKE_CXX_COMPILER} -g -fPIC -shared -std=c++11 -D_GLIBCXX_USE_CXX11_ABI=0 ${arg_OPS_SRC}
            -I${ASCEND_CANN_PACKAGE_PATH}/include -L${ASCEND_CANN_PACKAGE_PATH}/lib64 -lexe_graph -lregister
            -ltiling_api -o ${library}
    RESULT_VARIABLE code)
  if(code)
    message(FATAL_ERROR "the definitions do not compile")
  endif()
  execute_process(
    COMMAND ${ASCEND_CANN_PACKAGE_PATH}/toolkit/tools/opbuild/op_build ${library} ${arg_OUT_DIR}
    RESULT_VARIABLE code)
  if(code)
    message(FATAL_ERROR "op_build failed")
  endif()
endfunction()

function(add_ops_compile_options type)
  cmake_parse_arguments(arg "" "" "OPTIONS;COMPUTE_UNIT" ${ARGN})
  file(APPEND ${ASCEND_AUTOGEN_PATH}/custom_compile_options.ini "${type},${arg_COMPUTE_UNIT},${arg_OPTIONS}\n")
endfunction()

# For each chip the list of operators, and the binaries of their kernels.
function(add_kernels_compile)
  set(util ${CMAKE_SOURCE_DIR}/cmake)
  foreach(unit ${ASCEND_COMPUTE_UNIT})
    set(ini ${ASCEND_AUTOGEN_PATH}/aic-${unit}-ops-info.ini)
    set(list ${CMAKE_CURRENT_BINARY_DIR}/${unit}/aic-${unit}-ops-info.json)
    add_custom_command(OUTPUT ${list} DEPENDS ${ini}
      COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_CURRENT_BINARY_DIR}/${unit}
      COMMAND ${ASCEND_PYTHON_EXECUTABLE} ${util}/ini_to_json.py ${ini} ${list})
    add_custom_target(ops_info_${unit} ALL DEPENDS ${list})
    install(FILES ${list} DESTINATION ${vendor_folder}/op_impl/ai_core/tbe/config/${unit})
    if(ENABLE_BINARY_PACKAGE)
      set(binaries ${CMAKE_CURRENT_BINARY_DIR}/${unit}/kernels)
      add_custom_target(binary_${unit} ALL
        COMMAND ${ASCEND_PYTHON_EXECUTABLE} ${util}/compile_binaries.py ${list} ${unit} ${binaries}
        DEPENDS ${list})
      install(DIRECTORY ${binaries} DESTINATION ${vendor_folder}/op_impl/ai_core/tbe/kernel/${unit})
    endif()
  endforeach()
endfunction()
