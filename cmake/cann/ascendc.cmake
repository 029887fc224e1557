# Projects of kernels in the older style: include(.../ascendc.cmake), then ascendc_library(...).
list(APPEND CMAKE_MODULE_PATH "${CMAKE_CURRENT_LIST_DIR}/asc_modules")
include("${CMAKE_CURRENT_LIST_DIR}/asc_modules/FindASC.cmake")

if(NOT RUN_MODE)
  set(RUN_MODE npu)
endif()
if(NOT RUN_MODE MATCHES "^(npu|sim|cpu)$")
  message(FATAL_ERROR "RUN_MODE is \"${RUN_MODE}\"; legal: npu, sim, cpu.")
endif()
execute_process(COMMAND "${ASCENDC_VINCI_TREE}/bin/vinci" env --chips OUTPUT_VARIABLE _asc_chips
                OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
string(REGEX REPLACE " [^\n]*" "" _asc_chips "${_asc_chips}")
string(REPLACE "\n" ";" _asc_chips "${_asc_chips}")
string(TOLOWER "${SOC_VERSION}" _asc_soc)
string(TOLOWER "${_asc_chips}" _asc_lower)
if(NOT _asc_soc IN_LIST _asc_lower)
  string(REPLACE ";" " " _asc_chips "${_asc_chips}")
  message(FATAL_ERROR "SOC_VERSION is \"${SOC_VERSION}\"; vinci has ${_asc_chips}.")
endif()

if(NOT RUN_MODE STREQUAL "cpu")
  set(CMAKE_ASC_RUN_MODE "${RUN_MODE}")
  enable_language(ASC)
endif()

# What programs link that call the host runtime themselves.
foreach(_asc_name intf_pub host_intf_pub)
  if(NOT TARGET ${_asc_name})
    add_library(${_asc_name} INTERFACE)
    target_include_directories(${_asc_name} SYSTEM INTERFACE ${ASCENDC_VINCI_INCLUDES})
    target_link_libraries(${_asc_name} INTERFACE "${ASCENDC_VINCI_LIBRARY}")
    # Names such as tiling_api and platform stand beside it.
    target_link_directories(${_asc_name} INTERFACE "${ASCENDC_VINCI_TREE}/lib64")
  endif()
endforeach()
