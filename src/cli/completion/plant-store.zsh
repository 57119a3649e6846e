#compdef plant-store
# The program is asked for what may come next.
_plant-store() {
  local -a lines
  lines=("${(@f)$("$words[1]" complete "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ $lines[1] == :files ]]; then
    _files
  elif [[ -n $lines[1] ]]; then
    # A colon separates a word from its description.
    lines=("${(@)lines//:/\\:}")
    lines=("${(@)lines/$'\t'/:}")
    _describe -V plant-store lines
  fi
}
# The file is either sourced, or loaded as the function itself.
if [[ $funcstack[1] == _plant-store ]]; then
  _plant-store "$@"
else
  compdef _plant-store plant-store
fi
