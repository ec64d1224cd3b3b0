#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# What Tab offers in bash, in zsh and in fish; all ask "rxadm __words", see words.bats.

load helper

setup() {
	CONF=$BATS_TEST_DIRNAME/../../conf
	PATH=$(dirname "$RXADM"):$PATH
	replay <<-END
		>* rxdsk disk-get dump
		< name=rxd0 $DISK
		< name=rxd1 $DISK
		>* rxcache cache-get dump
		< name=rxc0 id=5 $ACTIVE
	END
}

# words WORD…: the words after these, on one line, without options.
words() {
	"$RXADM" __words --describe "$@" | cut -f 1 | grep -v -e ^-- | paste -sd' '
}

# bash_tab LINE: what it offers, one each line; the line as bash takes it apart, where "=" and ":" are words.
bash_tab() {
	(
		# shellcheck source=/dev/null
		. "$CONF/rxadm.bash"
		local line=${1//=/ = }
		[[ $COMP_WORDBREAKS != *:* ]] || line=${line//:/ : }
		read -ra COMP_WORDS <<<"$line"
		[[ $line != *' ' || $line = *[=:]' ' ]] || COMP_WORDS+=('')
		COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
		_rxadm rxadm
		printf '%s\n' "${COMPREPLY[@]}"
	)
}

@test "words: what may stand where the next object does" {
	is "rxd0 rxd1" "$(words resize)"
	is "" "$(words resize rxd0)"
	is "rxd0 rxd1 :device" "$(words map)"
	is ":device" "$(words map rxd0)"
	is ":device" "$(words map rxd0 --mode around)"
	is "" "$(words map rxd0 sdb)"
	is "rxd1" "$(words detach --wait 3 rxd0)"
	is "rxd0" "$(words detach -w3 rxd1)"
	is "rxd0" "$(words detach /dev/rxd1)"
	is "rxc0 rxd0 rxd1" "$(words list rxd7 | tr ' ' '\n' | sort | paste -sd' ')"
	is "" "$(words monitor disk)"
	is "" "$(words attach)"
	is ":file" "$(words save rxd0)"
	is ":file" "$(words restore)"
	is "rxd0 rxd1" "$(words restore image)"
	is "" "$(words restore image rxd0)"
	is "rxd0 rxd1 rxc0" "$(words list --exports)"
	is "" "$(words frob)"
	is "rxc0" "$(words unmap --)"
	"$RXADM" __words map | grep -qx -e --mode
	# Words alone without --describe.
	run -1 grep -e : -e $'\t' < <("$RXADM" __words map)
	run -1 grep -e ^- < <("$RXADM" __words unmap --)
}

@test "words: values of options, also in the form --name=value" {
	is "through around bypass" "$(words map --mode)"
	is "through around bypass" "$(words map --mode =)"
	is "rxd0 rxd1 :device" "$(words map --mode = around)"
	is "rxd0 rxd1 :device" "$(words map --mode=around)"
	is "4K 8K 16K 32K 64K" "$(words map --block)"
	is "" "$(words map --name)"
	is "rxc0" "$(words advise)"
	is ":file" "$(words advise --trace)"
	is ":file" "$(words metrics --file)"
	is "openmetrics prometheus" "$(words metrics --format)"
	is "" "$(words verify --sample)"
	has "MAJ:MIN" "$(words list -jo)"
	has ":comma" "$(words list -jo)"
}

@test "words: an option that was given does not fit again" {
	"$RXADM" __words map --mode around -j >"$BATS_TEST_TMPDIR/words"
	run -1 grep -x -e --mode -e --json "$BATS_TEST_TMPDIR/words"
	grep -qx -e --erase "$BATS_TEST_TMPDIR/words"
	grep -qx -e --bytes "$BATS_TEST_TMPDIR/words"
	"$RXADM" __words list | grep -qx -e --exports
	"$RXADM" __words list --exports >"$BATS_TEST_TMPDIR/words"
	run -1 grep -x -e --exports "$BATS_TEST_TMPDIR/words"
}

@test "words: --describe says what each means" {
	run -0 "$RXADM" __words --describe
	has $'attach\tmake a RAM disk and print its name' "$output"
	has $'--bytes\tprint sizes in bytes' "$output"
	run -0 "$RXADM" __words --describe stat
	has $'rxd0\tRAM disk of 1G' "$output"
	has $'rxc0\tcache of /dev/sdb in rxd0' "$output"
	run -0 "$RXADM" __words --describe -o
	has $'USED\tmemory that holds data now' "$output"
	# All that has a meaning has words for it.
	for verb in $("$RXADM" __words | grep -v ^-); do
		run -1 grep -v -e $'\t' -e ^: < <("$RXADM" __words --describe "$verb" | grep -e ^-)
	done
}

@test "bash: verbs, names, values, columns" {
	is "detach" "$(bash_tab "rxadm det")"
	is "rxd0 rxd1" "$(bash_tab "rxadm detach " | paste -sd' ')"
	is "rxd1" "$(bash_tab "rxadm -j detach rxd0 rx")"
	is "around" "$(bash_tab "rxadm map --mode ar")"
	is "around" "$(bash_tab "rxadm map --mode=ar")"
	is "through around bypass" "$(bash_tab "rxadm set rxc0 --mode=" | paste -sd' ')"
	is "NAME,SIZE" "$(bash_tab "rxadm list -o NAME,SIZ")"
	is "+METADATA" "$(bash_tab "rxadm list --output +MET")"
	is "" "$(bash_tab "rxadm frob ")"
}

@test "bash: after a colon, of what follows it" {
	local nqn=nqn.2014-08.org.nvmexpress:uuid:1b4e28ba-2fa1-41d2-883f-0016d3cca42
	sysroot
	mkdir -p "$RXADM_SYSROOT/run/rxadm"
	for n in 0 1; do
		printf 'stage made\nnqn %s\nany-host yes\nport 1 own tcp ipv4 127.0.0.1 4420\n' $nqn$n >"$RXADM_SYSROOT/run/rxadm/export-rxd$n"
	done
	is "${nqn}0 ${nqn}1" "$(bash_tab "rxadm unexport nqn" | paste -sd' ')"
	is "uuid:${nqn##*:}0 uuid:${nqn##*:}1" "$(bash_tab "rxadm unexport ${nqn%%:*}:" | paste -sd' ')"
	is "${nqn##*:}0 ${nqn##*:}1" "$(bash_tab "rxadm unexport ${nqn}" | paste -sd' ')"
	is "rxd1" "$(COMP_WORDBREAKS=' ='; bash_tab "rxadm unexport ${nqn}0 rxd1")"
	is "${nqn}1" "$(COMP_WORDBREAKS=' ='; bash_tab "rxadm unexport ${nqn}1")"
	is "--host" "$(bash_tab "rxadm export rxd0 --addr [fe80::1]:4420 --nqn=${nqn}0 --ho")"
	is "MIN,NAME" "$(bash_tab "rxadm list -o MAJ:MIN,NAM")"
	is "MIN" "$(bash_tab "rxadm list -o NAME,MAJ:M")"
}

@test "bash: options where they are asked for, or nothing else fits" {
	is "--wait" "$(bash_tab "rxadm detach --w")"
	has "--queues" "$(bash_tab "rxadm attach ")"
	[[ $(bash_tab "rxadm detach ") != *--* ]]
	[[ $(bash_tab "rxadm map rxd0 ") != *--* ]]
	has "--floor" "$(bash_tab "rxadm map rxd0 -")"
}

@test "bash: devices below /dev, no files for sizes" {
	[ -d /dev/shm ] || skip "no /dev/shm"
	is "/dev/shm" "$(bash_tab "rxadm map rxd0 sh")"
	# Neither a block device nor a folder.
	is "" "$(bash_tab "rxadm map rxd0 nul")"
	cd "$BATS_TEST_TMPDIR"
	: >1G-file
	is "" "$(bash_tab "rxadm attach 1G-f")"
	# With a "/" bash itself completes the name, and so it does that of a file.
	run -0 bash -c '. "$1"; compopt() { echo "$*"; }; COMP_WORDS=(rxadm map rxd0 /dev/sh) COMP_CWORD=3; _rxadm' _ "$CONF/rxadm.bash"
	is "-o default" "$output"
	run -0 bash -c '. "$1"; compopt() { echo "$*"; }; COMP_WORDS=(rxadm save rxd0 1G-f) COMP_CWORD=3; _rxadm' _ "$CONF/rxadm.bash"
	is "-o default" "$output"
	run -0 bash -c '. "$1"; compopt() { echo "$*"; }; COMP_WORDS=(rxadm attach 1G-f) COMP_CWORD=2; _rxadm' _ "$CONF/rxadm.bash"
	is "" "$output"
}

@test "zsh: verbs, names, values, columns, devices, and what they mean" {
	command -v zsh >/dev/null || skip "no zsh"
	[ -d /dev/shm ] || skip "no /dev/shm"
	cd "$BATS_TEST_TMPDIR"
	: >1G-file
	run -0 timeout 60 "$BATS_TEST_DIRNAME/zsh-tab" "$CONF" "rxadm det" "rxadm " "rxadm stat rx" "rxadm map --mode=ar" \
		"rxadm set rxc0 --mode thr" "rxadm map rxd0 --mod" "rxadm list -o NAM" "rxadm list -o +HIT%,MAJ" "rxadm detach --" \
		"rxadm map rxd0 sh" "rxadm map rxd0 /dev/sh" "rxadm attach 1G-f" "rxadm frob " \
		"rxadm detach rxd1 r" "rxadm unmap r"
	for line in "rxadm detach " "rxadm map --mode=around " "rxadm set rxc0 --mode through " "rxadm map rxd0 --mode " \
		"rxadm list -o NAME," "rxadm list -o +HIT%,MAJ:MIN," "rxadm map rxd0 /dev/shm/" \
		"rxadm attach 1G-f" "rxadm frob " "rxadm detach rxd1 rxd0 " "rxadm unmap rxc0 "; do
		has "<LINE>$line</LINE>" "$output"
	done
	is 2 "$(grep -cF "<LINE>rxadm map rxd0 /dev/shm/</LINE>" <<<"$output")"
	grep -qE "^detach +-- remove disks and give their memory back" <<<"$output"
	has "-- cache of /dev/sdb in rxd0" "$output"
	has "-- RAM disk of 1G" "$output"
	has "--wait " "$output"
	has "-- wait up to SEC seconds for users" "$output"
}

# fish_tab LINE: what it offers, one each line, with what it means after a tab.
fish_tab() {
	HOME=$BATS_TEST_TMPDIR fish --no-config -c 'source $argv[1]; complete -C $argv[2]' "$CONF/${1%% *}.fish" "$1"
}

@test "fish: verbs, names, values, columns, devices, and what they mean" {
	command -v fish >/dev/null || skip "no fish"
	[ -d /dev/shm ] || skip "no /dev/shm"
	cd "$BATS_TEST_TMPDIR"
	: >1G-file
	is $'detach\tremove disks and give their memory back' "$(fish_tab "rxadm det")"
	is $'rxd0\tRAM disk of 1G\nrxd1\tRAM disk of 1G' "$(fish_tab "rxadm detach ")"
	is $'rxd1\tRAM disk of 1G' "$(fish_tab "rxadm -j detach rxd0 rx")"
	is around "$(fish_tab "rxadm map --mode ar")"
	is --mode=around "$(fish_tab "rxadm map --mode=ar")"
	is "around bypass through" "$(fish_tab "rxadm set rxc0 --mode " | sort | xargs)"
	is $'NAME,SIZE\tcapacity' "$(fish_tab "rxadm list -o NAME,SIZ")"
	is $'+METADATA\tmemory that the index takes' "$(fish_tab "rxadm list --output +MET")"
	is /dev/shm "$(fish_tab "rxadm map rxd0 sh")"
	is /dev/shm/ "$(fish_tab "rxadm map rxd0 /dev/sh")"
	is "" "$(fish_tab "rxadm attach 1G-f")"
	is 1G-file "$(fish_tab "rxadm restore 1G-f")"
	is "" "$(fish_tab "rxadm frob ")"
}

@test "fish: options where they are asked for, or nothing else fits" {
	command -v fish >/dev/null || skip "no fish"
	is $'--wait\twait up to SEC seconds for users, default 2' "$(fish_tab "rxadm detach --w")"
	has "--queues" "$(fish_tab "rxadm attach ")"
	[[ $(fish_tab "rxadm detach ") != *--* ]]
	[[ $(fish_tab "rxadm map rxd0 ") != *--* ]]
	has "--floor" "$(fish_tab "rxadm map rxd0 -")"
}

@test "rxsim: its options and files, in bash, in zsh and in fish" {
	run -0 bash -c '. "$1"; COMP_WORDS=(rxsim --m) COMP_CWORD=1; _rxsim; echo "${COMPREPLY[@]}"; COMP_WORDS=(rxsim lo); _rxsim; echo "${#COMPREPLY[@]}"' _ "$CONF/rxsim.bash"
	is "--mode --memory
0" "$output"
	cd "$BATS_TEST_TMPDIR"
	: >loop.rxt
	if command -v fish >/dev/null; then
		has $'--policy\t' "$(fish_tab "rxsim --pol")"
		is loop.rxt "$(fish_tab "rxsim lo")"
	fi
	command -v zsh >/dev/null || skip "no zsh"
	run -0 timeout 60 "$BATS_TEST_DIRNAME/zsh-tab" "$CONF" "rxsim --pol" "rxsim lo" "rxsim --json lo"
	has "<LINE>rxsim --policy" "$output"
	has "<LINE>rxsim loop.rxt </LINE>" "$output"
	has "<LINE>rxsim --json loop.rxt </LINE>" "$output"
}
