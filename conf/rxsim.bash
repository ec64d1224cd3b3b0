# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# bash completion for rxsim: its options, which --help lists, and files.

_rxsim()
{
	local cur=${COMP_WORDS[COMP_CWORD]}

	COMPREPLY=()
	[[ $cur != -* ]] || mapfile -t COMPREPLY < <(compgen -W "$(rxsim --help | sed -n 's/^  \(-., \|    \)\(--[a-z-]*\) .*/\2/p')" -- "$cur")
}
complete -o default -F _rxsim rxsim
