# To be sourced by bash or zsh: what `vinci env` prints, for the tree that this file lies in.
if [ -n "$BASH_VERSION" ]; then
  _vinci_file="${BASH_SOURCE[0]}"
elif [ -n "$ZSH_VERSION" ]; then
  _vinci_file="$(eval 'print -r -- "${(%):-%x}"')"
else
  _vinci_file=
  echo 'set_env.sh: only bash and zsh tell a file where it lies; use eval "$(vinci env)".' >&2
fi
if [ -n "$_vinci_file" ]; then
  eval "$("$(dirname "$(readlink -f "$_vinci_file")")/bin/vinci" env)"
fi
unset _vinci_file
