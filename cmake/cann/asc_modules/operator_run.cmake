# cmake -DPACKAGE= -DLIBRARY= -DHEADERS= -DFILES= -DOUTPUT= -DPACKS= -DSTAGE= -P operator_run.cmake
#
# Lays out vendors/<package> in STAGE and packs it into OUTPUT/custom_opp_<os>_<processor>.run, a
# shell script with an archive behind it. PACKS false: the folder alone, in OUTPUT. FILES are pairs
# of a folder in the package and a file for it.
set(vendor "${STAGE}/vendors/${PACKAGE}")
file(REMOVE_RECURSE "${STAGE}")
file(MAKE_DIRECTORY "${vendor}/op_api/lib" "${vendor}/op_api/include" "${vendor}/op_proto/inc")
file(COPY "${LIBRARY}" DESTINATION "${vendor}/op_api/lib" FOLLOW_SYMLINK_CHAIN)
foreach(folder ${HEADERS})
  file(GLOB headers "${folder}/aclnn*.h")
  file(COPY ${headers} DESTINATION "${vendor}/op_api/include")
  file(GLOB headers "${folder}/*.h")
  list(FILTER headers EXCLUDE REGEX "/aclnn[^/]*$")
  file(COPY ${headers} DESTINATION "${vendor}/op_proto/inc")
endforeach()
while(FILES)
  list(POP_FRONT FILES folder file)
  file(COPY "${file}" DESTINATION "${vendor}/${folder}")
endwhile()
file(WRITE "${vendor}/bin/set_env.bash" [[
# To be sourced: the operators of this folder before those of others.
_here="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
export ASCEND_CUSTOM_OPP_PATH="$_here${ASCEND_CUSTOM_OPP_PATH:+:$ASCEND_CUSTOM_OPP_PATH}"
export LD_LIBRARY_PATH="$_here/op_api/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
unset _here
]])
file(WRITE "${vendor}/scripts/uninstall.sh" [[
#!/bin/sh
exec rm -rf "$(cd "$(dirname "$0")/.." && pwd)"
]])
if(NOT PACKS)
  file(COPY "${STAGE}/vendors" DESTINATION "${OUTPUT}")
  return()
endif()

set(script [[
#!/bin/sh
# Installs the operators of a package into vendors/ below --install-path, or $ASCEND_OPP_PATH.
path="$ASCEND_OPP_PATH"
for word in "$@"; do
  case "$word" in
    --install-path=*) path="${word#--install-path=}" ;;
    --help) sed -n 2p "$0"; exit 0 ;;
  esac
done
if [ -z "$path" ]; then
  echo "$0: neither --install-path=PATH nor ASCEND_OPP_PATH says where to install" >&2
  exit 1
fi
begin=$(($(grep -an '^__ARCHIVE__$' "$0" | head -n 1 | cut -d: -f1) + 1))
mkdir -p "$path" && tail -n +"$begin" "$0" | tar xzf - -C "$path" || exit 1
echo SUCCESS
exit 0
__ARCHIVE__
]])
cmake_host_system_information(RESULT system QUERY DISTRIB_ID)
execute_process(COMMAND uname -m OUTPUT_VARIABLE processor OUTPUT_STRIP_TRAILING_WHITESPACE)
set(run "${OUTPUT}/custom_opp_${system}_${processor}.run")
file(MAKE_DIRECTORY "${OUTPUT}")
file(WRITE "${STAGE}/head" "${script}")
execute_process(COMMAND tar czf "${STAGE}/archive" -C "${STAGE}" vendors COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND cat "${STAGE}/head" "${STAGE}/archive" OUTPUT_FILE "${run}"
                COMMAND_ERROR_IS_FATAL ANY)
file(CHMOD "${run}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
     WORLD_READ WORLD_EXECUTE)
message(STATUS "Made ${run}")
