# The next cmake of PATH. A project that is configured by a preset is told where the toolkit is.
preset=
for word in "$@"; do
  case $word in --preset*) preset=yes ;; esac
done
case ${1-} in --build | --install | --workflow | --list-presets* | -E) preset= ;; esac
[ -z "$preset" ] || set -- "$@" "-DASCEND_CANN_PACKAGE_PATH=$ASCEND_CANN_PACKAGE_PATH"
rest=$PATH:
while [ -n "$rest" ]; do
  program=${rest%%:*}/cmake
  rest=${rest#*:}
  [ -x "$program" ] && ! [ "$program" -ef "$0" ] && exec "$program" "$@"
done
echo "cmake: PATH has none" >&2
exit 127
