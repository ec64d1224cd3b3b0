# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# bash completion for rxadm: the tool itself knows the words, see rxadm/words.c.

_rxadm()
{
	local cur=${COMP_WORDS[COMP_CWORD]} pre='' how='' word objects=() options=()
	local before=("${COMP_WORDS[@]:1:COMP_CWORD-1}")

	COMPREPLY=()
	# Of "--name=value", "=" is a word.
	[ "$cur" != = ] || { before+=("=") && cur=''; }
	while IFS= read -r word; do
		case $word in
		:*) how=$word ;;
		-*) options+=("${word%%$'\t'*}") ;;
		*) objects+=("${word%%$'\t'*}") ;;
		esac
	done < <(rxadm __words --describe "${before[@]}" 2>/dev/null)
	if [ "$how" = :comma ]; then
		pre=${cur%"${cur##*[,+]}"} cur=${cur##*[,+]}
		compopt -o nospace 2>/dev/null
	fi
	# Options are many: unless asked for, only where nothing else fits.
	[[ $cur != -* && ($how || ${#objects[@]} -gt 0) ]] || objects+=("${options[@]}")
	for word in "${objects[@]}"; do
		[[ $word != "$cur"* ]] || COMPREPLY+=("$pre$word")
	done
	# A device by its name alone is one below /dev.
	if [[ $how = :device && $cur != */* && $cur != -* ]]; then
		compopt -o filenames 2>/dev/null
		for word in "/dev/$cur"*; do
			[ ! -b "$word" ] && [ ! -d "$word" ] || COMPREPLY+=("$word")
		done
	elif [[ $how = :device || $how = :file ]] && [ ${#COMPREPLY[@]} = 0 ]; then
		compopt -o default 2>/dev/null
	fi
}
complete -F _rxadm rxadm
