# The program is asked for what may come next.
function __plant_store_complete
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    set -l lines ($words[1] complete $words[2..-1] "$word" 2>/dev/null)
    if test "$lines[1]" = ':files'
        __fish_complete_path "$word"
    else if set -q lines[1]
        printf '%s\n' $lines
    end
end
complete -c plant-store -f -k -a '(__plant_store_complete)'
