# find_package(tikicpulib): a target tikicpulib::<SoC> for each chip, in each of its spellings, for
# programs that start kernels by ICPU_RUN_KF.
get_filename_component(_tikicpulib_tree "${CMAKE_CURRENT_LIST_FILE}" REALPATH)
get_filename_component(_tikicpulib_tree "${_tikicpulib_tree}/../../../../.." ABSOLUTE)
get_filename_component(_tikicpulib_library "${_tikicpulib_tree}/../../../lib/libvinci.so" ABSOLUTE)
# A line for each spelling of each chip: the name, and the compiler's options.
execute_process(COMMAND "${_tikicpulib_tree}/bin/vinci" env --chips OUTPUT_VARIABLE _tikicpulib_chips
                OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE "\n" ";" _tikicpulib_chips "${_tikicpulib_chips}")
foreach(_tikicpulib_line ${_tikicpulib_chips})
  string(REPLACE " " ";" _tikicpulib_line "${_tikicpulib_line}")
  list(POP_FRONT _tikicpulib_line _tikicpulib_soc)
  # Projects write Ascend310P3, as the chip is called, or ascend310p3.
  string(TOLOWER "${_tikicpulib_soc}" _tikicpulib_lower)
  foreach(_tikicpulib_name "${_tikicpulib_soc}" "${_tikicpulib_lower}")
    if(NOT TARGET tikicpulib::${_tikicpulib_name})
      add_library(tikicpulib::${_tikicpulib_name} INTERFACE IMPORTED GLOBAL)
      set_target_properties(tikicpulib::${_tikicpulib_name} PROPERTIES
        INTERFACE_INCLUDE_DIRECTORIES
        "${_tikicpulib_tree}/include;${_tikicpulib_tree}/include/toolkit"
        INTERFACE_COMPILE_OPTIONS "${_tikicpulib_line}"
        # Projects also name the toolkit's other libraries, and say nowhere where they lie.
        INTERFACE_LINK_DIRECTORIES "${_tikicpulib_tree}/lib64"
        INTERFACE_LINK_LIBRARIES "${_tikicpulib_library}")
    endif()
  endforeach()
endforeach()
set(tikicpulib_FOUND TRUE)
