# SPDX-License-Identifier: GPL-2.0-only
# fish completion for rxsim: its options, which --help lists, and files.

complete -c rxsim -n 'string match -q -- "-*" (commandline -ct)' -f \
    -a '(rxsim --help | string replace -fr "^  (?:-., |    )(--[a-z-]*).*? {2,}(.*)" "\$1\t\$2")'
