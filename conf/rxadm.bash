# SPDX-License-Identifier: GPL-2.0-only
# bash completion for rxadm: the tool itself knows the words.

_rxadm()
{
	mapfile -t COMPREPLY < <(compgen -W "$(rxadm __words "${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null)" -- "${COMP_WORDS[COMP_CWORD]}")
}
complete -o default -F _rxadm rxadm
