# The program is asked for what may come next. Nothing of the command line is evaluated, and bash-completion is not needed.
_plant_store() {
  local IFS=$'\n' words=() word
  for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
    # bash makes a word of the = in --option=value.
    [[ $word == = ]] || words+=("$word")
  done
  word=${COMP_WORDS[COMP_CWORD]}
  if [[ $word == = ]]; then
    word=
    words+=('')
  fi
  COMPREPLY=($("$1" complete "${words[@]}" 2>/dev/null | cut -f 1))
  if [[ ${COMPREPLY[0]-} == :files ]]; then
    COMPREPLY=()
    # bash 3, as on macOS, has no compopt.
    compopt -o default 2>/dev/null || COMPREPLY=($(compgen -f -- "$word"))
  fi
}
complete -F _plant_store plant-store
