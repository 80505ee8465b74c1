# Read by the launcher and by scripts/build.
# fresh ROOT BUILD TARGET: whether a build of this target, or of all, is newer than all sources.
fresh() {
  [ "$3" = all ] || [ -x "$2/bin/$3" ] || return 1
  lab=
  page=
  case $3 in nrs-lab | all) lab=$1/lab ;; esac # the other programs need nothing of it
  case $3 in nrs-serve | all) [ -e "$1/web/page" ] && page=$1/web/page ;; esac
  for stamp in "$2/built-$3" "$2/built-all"; do
    [ -e "$stamp" ] &&
      [ -z "$(find "$1/src" "$1/include" "$1/cmake" ${lab:+"$lab"} ${page:+"$page"} "$1/CMakeLists.txt" "$1/CMakePresets.json" \
        -newer "$stamp" -print -quit)" ] && return 0
  done
  return 1
}
