# SPDX-License-Identifier: GPL-2.0-only
# fish completion for rxadm: the tool itself knows the words, see rxadm/words.c.

function __rxadm_complete
    set -l before (commandline -opc)[2..-1]
    set -l current (commandline -ct)
    set -l prefix ''
    set -l how ''
    set -l objects
    set -l options

    # "--name=value" is one word here.
    if string match -qr -- '^--[^=]*=' $current
        set prefix (string replace -r '=.*' '=' -- $current)
        set -a before (string trim -rc = -- $prefix)
    end
    for line in (rxadm __words --describe $before 2>/dev/null)
        switch $line
            case ':*'
                set how $line
            case '-*'
                set -a options $line
            case '*'
                set -a objects $line
        end
    end
    if test "$how" = :comma
        set prefix (string replace -r '[^,+=]*$' '' -- $current)
    end
    # A device by its name alone is one below /dev. The name matches anywhere in a word of fish's.
    if test "$how" = :device; and not string match -q -- '*/*' $current
        for device in /dev/*
            if test -b $device -o -d $device
                set -a objects $device
            end
        end
    else if test "$how" = :device -o "$how" = :file
        set -a objects (__fish_complete_path (string replace -r '^--[^=]*=' '' -- $current))
    end
    # Options are many: unless asked for, only where nothing else fits.
    if string match -q -- '-*' $current; or test -z "$how" -a (count $objects) = 0
        set -a objects $options
    end
    for object in $objects
        printf '%s%s\n' $prefix $object
    end
end

complete -c rxadm -f -a '(__rxadm_complete)'
