# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# bash completion for rxadm: the tool itself knows the words, see rxadm/words.c.

_rxadm()
{
	local cur pre='' how='' word before=() objects=() options=()

	COMPREPLY=()
	# Of "nqn.a:b", ":" is a word.
	for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
		if [[ ${#before[@]} -gt 0 && ($word = :* || ${before[-1]} = *:) ]]; then
			before[-1]+=$word
		else
			before+=("$word")
		fi
	done
	cur=${before[-1]}
	unset 'before[-1]'
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
	# readline puts what is chosen after the last colon.
	word=$pre$cur
	[[ $COMP_WORDBREAKS != *:* ]] || COMPREPLY=("${COMPREPLY[@]#"${word%"${word##*:}"}"}")
}
complete -F _rxadm rxadm
