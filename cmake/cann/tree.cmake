# Makes the drop-in tree: a folder laid out as projects for the vendor's toolkit expect it, which
# ASCEND_HOME_PATH names. Run by the build, as cmake -DTREE=... -DPROCESSOR=... -DLEVELS=... -P tree.cmake;
# LEVELS are those of the host, as x86-64-v3, for which there is a library beside the common one.
#
# TREE is share/vinci/cann below the folder that has bin, include and lib, in the build as in an
# installation. Everything inside is a copy of what lies beside this file, or a relative link, so
# that the whole may be copied and moved. What packages of operators have installed in opp stays.
cmake_minimum_required(VERSION 3.22)
set(HERE "${CMAKE_CURRENT_LIST_DIR}")
file(GLOB old "${TREE}/*")
list(REMOVE_ITEM old "${TREE}/opp")
if(old)
  file(REMOVE_RECURSE ${old})
endif()
file(MAKE_DIRECTORY "${TREE}/opp/vendors")

# link(<path in the tree> <what it means, from the tree's top>)
function(link path meaning)
  get_filename_component(directory "${TREE}/${path}" DIRECTORY)
  file(MAKE_DIRECTORY "${directory}")
  file(RELATIVE_PATH to "${directory}" "${TREE}/${meaning}")
  file(CREATE_LINK "${to}" "${TREE}/${path}" SYMBOLIC)
endfunction()

link(include ../../../include)

# Programs: vinci knows by its name which one it is.
foreach(name bisheng ccec atc opc msopgen)
  link(bin/${name} ../../../bin/vinci)
endforeach()
foreach(name opbuild op_build)
  link(tools/opbuild/${name} ../../../bin/vinci)
endforeach()
link(bin/vinci ../../../bin/vinci)
link(python/site-packages/bin/msopgen ../../../bin/vinci)
# script(<name> <its text>)
function(script name text)
  file(WRITE "${TREE}/bin/${name}" "#!/bin/sh\n${text}\n")
  file(CHMOD "${TREE}/bin/${name}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ
       GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
endfunction()
foreach(pair ld.lld=ld llvm-ar=ar llvm-objcopy=objcopy llvm-objdump=objdump llvm-nm=nm)
  string(REGEX MATCH "^[^=]+" name ${pair})
  string(REGEX REPLACE "^[^=]+=" "" tool ${pair})
  script(${name} "exec ${tool} \"$@\"")
endforeach()
# The presets of older projects say where the toolkit is installed, whatever the environment says.
file(READ "${HERE}/cmake.sh" text)
script(cmake "${text}")
link(ccec_compiler/bin bin)

# Libraries: whichever a project names, it gets vinci's. Those that are archives are empty.
foreach(name ascendcl acl_rt acl_rtc acl_mdl acl_op_compiler acl_op_executor acl_cblas acl_prof
        runtime register platform tiling_api graph_base graph exe_graph ge_runner unified_dlog
        ascendalog alog mmpa c_sec error_manager profapi ge_common_base ascend_dump nnopbase opapi
        ascendc_acl_stub msprofiler cpudebug cpudebug_cceprint cpudebug_npuchk cpudebug_stubreg
        tikicpulib_cceprint tikicpulib_npuchk tikicpulib_stubreg vinci)
  link(lib64/lib${name}.so ../../../lib/libvinci.so)
  link(lib64/stub/lib${name}.so lib64/lib${name}.so)
  # So that the loader takes the same one for this name as for libvinci.so.
  foreach(level ${LEVELS})
    link(lib64/glibc-hwcaps/${level}/lib${name}.so ../../../lib/glibc-hwcaps/${level}/libvinci.so)
  endforeach()
endforeach()
foreach(name tiling_api ascendc_runtime rt2_registry)
  file(WRITE "${TREE}/lib64/lib${name}.a" "!<arch>\n")
endforeach()

foreach(name asc aicpu)
  configure_file("${HERE}/${name}-config.cmake" "${TREE}/lib64/cmake/${name}-config.cmake" COPYONLY)
endforeach()
set(KERNEL_CMAKE tools/tikcpp/ascendc_kernel_cmake)
configure_file("${HERE}/ascendc.cmake" "${TREE}/${KERNEL_CMAKE}/ascendc.cmake" COPYONLY)
file(COPY "${HERE}/asc_modules" DESTINATION "${TREE}/${KERNEL_CMAKE}")
link(tools/tikcpp/tikcfw include)
link(tools/tikicpulib/lib/include include)
configure_file("${HERE}/tikicpulib-config.cmake"
               "${TREE}/tools/tikicpulib/lib/cmake/tikicpulib-config.cmake" COPYONLY)

configure_file("${HERE}/set_env.sh" "${TREE}/set_env.sh" COPYONLY)
link(../set_env.sh set_env.sh)
link(bin/setenv.bash set_env.sh)

# The same parts by the other names that they are looked for with.
foreach(part include lib64 bin ccec_compiler)
  foreach(top ${PROCESSOR}-linux compiler runtime acllib fwkacllib)
    link(${top}/${part} ${part})
  endforeach()
endforeach()
foreach(top "" ${PROCESSOR}-linux/)
  link(${top}devlib lib64)
endforeach()
link(${PROCESSOR}-linux/tikcpp tools/tikcpp)
link(${PROCESSOR}-linux/tools tools)
link(compiler/tikcpp tools/tikcpp)
link(toolkit/tools tools)
link(ascendc_devkit/tikcpp/samples/cmake ${KERNEL_CMAKE})
