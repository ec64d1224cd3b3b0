#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# help, completion words and the manual say the same.

load helper

verbs() { "$RXADM" __words | grep -v ^-; }

# Long options that the manual has in the section of a verb.
man_options() {
	sed -n "/^\.Ss $1\$/,/^\.S[sh] /p" "${VERB_PAGES[@]}" | sed -n 's/^\.It .*Fl -\([a-z-]*\).*/\1/p' | sort -u
}

own_options() {
	"$RXADM" help "$1" --json | jq -r '.verbs[0].options[].name' | sort
}

@test "every verb is in help, in the manual's synopsis and has a section" {
	rx help
	for verb in $(verbs); do
		has "  $verb " "$output"
		[[ $verb = help || $verb = version ]] || grep -qx "\.Ss $verb" "${VERB_PAGES[@]}"
		sed -n '/^\.Sh VERBS/,/^\.Ss/p' "$MAN" | grep -qE "^\.Cm (.* , )?$verb( |\$)"
	done
	is "$(verbs | sort)" "$({ sed -n '/^\.Sh VERBS/,/^\.Sh /s/^\.Ss //p' "${VERB_PAGES[@]}" && printf '%s\n' help version; } | sort -u)"
}

@test "every option of every verb is in the manual, and no other" {
	for verb in $(verbs); do
		is "$(own_options "$verb")" "$(man_options "$verb")"
	done
}

@test "the options of every verb are in the manual, and no other" {
	is "$("$RXADM" __words help | sed -n 's/^--//p' | sort)" \
		"$(sed -n '/^\.Sh OPTIONS/,/^\.Sh ENV/p' "$MAN" | sed -n 's/^\.It .*Fl -\([a-z-]*\).*/\1/p' | sort)"
}

@test "options with a letter have it in the manual" {
	for verb in $(verbs); do
		"$RXADM" help "$verb" | sed -n 's/^  -\([a-zA-Z]\), --\([a-z-]*\).*/\1 \2/p' | while read -r letter name; do
			grep -qE "^\.It Fl $letter , Fl -$name( |\$)" "$MAN" "${VERB_PAGES[@]}" || { echo "$verb: -$letter --$name"; exit 1; }
		done
	done
}

@test "a letter stands for one option, whatever the verb" {
	letters=$(for verb in $(verbs); do "$RXADM" help "$verb" --json; done |
		jq -r '.verbs[0].options[], .options[] | select(.letter) | "\(.letter) \(.name)"' | sort -u)
	is "" "$(cut -d ' ' -f 1 <<<"$letters" | uniq -d)"
	has "w wait" "$letters"
	names=$("$RXADM" help --json | jq -r '[.options[].name] as $all | .verbs[] | .options[].name | select(IN($all[]))')
	is "" "$names"
}

@test "every column is in the manual, and no other; defaults are marked" {
	"$RXADM" list -o help >"$BATS_TEST_TMPDIR/help"
	for kind in disks caches; do
		sed -n "/^Columns of $kind/,/^\$/s/^  \([* ]\) \([A-Z0-9%:-]*\) .*/\2\1/p" "$BATS_TEST_TMPDIR/help" | tr -d ' ' | sort >"$BATS_TEST_TMPDIR/tool"
		sed -n "/^\.Ss Columns of $kind/,/^\.S[sh] /s/^\.It Cm //p" "${VERB_PAGES[@]}" | sed 's/ \*$/*/; s/ , /\n/g' | sort >"$BATS_TEST_TMPDIR/man"
		diff -u "$BATS_TEST_TMPDIR/tool" "$BATS_TEST_TMPDIR/man"
	done
}

@test "every exit status of help is in the manual" {
	for status in 0 1 2 3 4 5; do
		sed -n '/^\.Sh EXIT STATUS/,/^\.Sh DIAG/p' "$MAN" | grep -qx "\.It $status"
	done
}

@test "the manual has no warnings, and the overview stays one" {
	command -v man >/dev/null || skip "no man"
	is "" "$(LC_ALL=C.UTF-8 MANWIDTH=80 man --warnings -l "$MAN" "${VERB_PAGES[@]}" 2>&1 >/dev/null)"
	[ "$(wc -l <"$MAN")" -le 250 ]
}

@test "help of each verb, by help, -h and --help" {
	for verb in $(verbs); do
		rx help "$verb"
		text=$output
		has "rxadm $verb" "$text"
		rx "$verb" --help
		is "$text" "$output"
		rx "$verb" -h
		is "$text" "$output"
	done
	[ "$("$RXADM" list --help | wc -l)" -lt 15 ]
	for option in -h --color -o; do has " $option" "$("$RXADM" list --help | tail -n 1)"; done
	rx --help
	text=$output
	rx help
	is "$text" "$output"
	rx 1 help frob
}

@test "version" {
	rx version
	has "rxdsk 1 rxcache 1" "$output"
	text=$output
	rx -V
	is "$text" "$output"
	rx version --json
	is "1 1" "$(json '"\(.rxadm) \(.protocol.rxdsk)"')"
}

@test "completion: verbs, options, names, choices" {
	replay <<-END
		>* rxdsk disk-get dump
		< name=rxd0 $DISK
		< name=rxd1 $DISK
		>* rxcache cache-get dump
		< name=rxc0 id=5 $ACTIVE
	END
	rx __words --json
	has "attach" "$output"
	rx __words detach
	has "rxd1" "$output"
	[[ $output != *rxc0* ]]
	rx __words -j unmap
	has "rxc0" "$output"
	[[ $output != *rxd* ]]
	rx __words stat
	has "rxd0" "$output"
	has "rxc0" "$output"
	rx __words map rxd0 --mode
	is "through
around
bypass" "$output"
	rx __words set rxc0 --read-ahead
	is "auto
off" "$output"
	rx __words map --size
	is "" "$output"
	rx __words list -o
	has "HIT%" "$output"
	rx __words monitor
	has "cache" "$output"
	rx __words help
	has "attach" "$output"
	rx __words frob --bad ''
}

@test "completion says nothing when the modules are absent" {
	replay <<-END
		absent rxdsk
		absent rxcache
	END
	rx __words detach
	is "" "$stderr"
}
