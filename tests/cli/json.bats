#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# What --json does for all verbs: modules that are absent, errors, help; and where --output and --quiet are refused.

load helper

verbs() { "$RXADM" __words | grep -v ^-; }

absent() {
	replay <<-END
		$(printf 'absent %s\n' "$@")
		>* rxdsk disk-get dump
		< name=rxd0 $DISK
		>* rxcache cache-get dump
	END
}

@test "an absent module has the same status with --json, and JSON that names it" {
	absent rxdsk rxcache
	for command in list stat "stat -o NAME" "stat -i 10ms" advise "list --disks" "list --caches"; do
		# shellcheck disable=SC2086
		rx 3 $command
		is "" "$output"
		before=$stderr
		# shellcheck disable=SC2086
		rx 3 $command --json
		is "$before" "$stderr"
		has rx "$(json '.absent[0]')"
		has "is not loaded" "$(json '.messages[0].text')"
	done
	rx 3 list --json
	is '{"absent":["rxdsk","rxcache"],"disks":[],"caches":[]}' "$(json 'del(.rxadm, .messages) | tojson')"
	absent rxcache
	for command in list stat; do
		# shellcheck disable=SC2086
		rx $command
		# shellcheck disable=SC2086
		rx $command --json
		is '["rxcache"] 1 0' "$(json '"\(.absent | tojson) \(.disks | length) \(.caches | length)"')"
	done
}

@test "what is named is missing without its module, and people are told what to run" {
	absent rxdsk rxcache
	rx 3 list rxd0 --json
	is "rxdsk is not loaded; run: modprobe rxdsk" "$(json '.messages[0].text')"
	rx 3 list
	is "rxadm: rxdsk is not loaded; run: modprobe rxdsk" "$stderr"
	rx 3 attach 1G --json
	rx 3 advise rxc0 --json
	is "rxcache is not loaded; run: modprobe rxcache" "$(json '.messages[0].text')"
	rx 3 monitor --json
	is "rxdsk is not loaded; run: modprobe rxdsk" "$(json '.messages[0].text')"
}

@test "a sandbox without netlink is an error with an object, whichever socket is missed first" {
	cd "$BATS_TEST_TMPDIR"
	cat >nosock.c <<-'END'
		#include <errno.h>
		int socket(int a, int b, int c) { (void)a, (void)b, (void)c; errno = EPERM; return -1; }
	END
	cc -shared -fPIC -o nosock.so nosock.c || skip "no compiler"
	unset RXADM_REPLAY
	sysroot
	for line in list stat "attach 1G" "detach rxd0" "unmap rxc0" "save rxd0 image" monitor "verify rxc0"; do
		LD_PRELOAD=$PWD/nosock.so rx 2 $line --json
		has "no netlink socket: Operation not permitted; a sandbox forbids it: allow AF_NETLINK" "$(json '.messages[-1].text')"
		has "$(json '.messages[-1].text')" "$stderr"
	done
	mkdir -p "$RXADM_SYSROOT/sys/module/rxdsk"
	echo "rxd0 disk size=1G" >tab
	LD_PRELOAD=$PWD/nosock.so rx check-tab --tab tab --json
	is false "$(json .asked)"
}

@test "an error is no absence: a module of another version" {
	replay <<-END
		> rxdsk disk-get dump
		! EOPNOTSUPP
	END
	rx 3 list --json
	is null "$(json '.absent')"
	has "older than this rxadm" "$(json '.messages[0].text')"
}

@test "errors: an object of messages, which standard error has too" {
	replay <<-END
		> rxcache cache-set name=rxc0 mode=bypass
		! ENODEV no such cache
	END
	rx 2 set rxc0 --mode bypass --json
	is '{"rxadm":1,"messages":[{"verb":"set","object":"rxc0","text":"kernel: no such cache; see: rxadm list"}]}' "$output"
	is "rxadm: set rxc0: kernel: no such cache; see: rxadm list" "$stderr"
}

@test "errors: beside the objects that were changed" {
	replay <<-END
		> rxcache cache-reset-stats name=rxc0
		< name=rxc0 id=1 state=active
		> rxcache cache-reset-stats name=rxc1
		! ENODEV no such cache
	END
	rx 4 stat --reset rxc0 rxc1 --json
	is "rxc0 1 rxc1" "$(json '"\(.caches[0].name) \(.messages | length) \(.messages[0].object)"')"
	is 1 "${#lines[@]}"
}

@test "errors: of the command line, wherever --json stands" {
	replay </dev/null
	for line in "lst --json" "list --jsn -j" "-j list --jsn" "list --disks --caches --pretty" "attach 1 -j" "attach 1G 2G --json" \
		"resize -j" "stat -i x -j"; do
		# shellcheck disable=SC2086
		rx 1 $line
		is "$(sed 's/^rxadm: //' <<<"$stderr")" "$(json '.messages[0].text')"
	done
	rx 1 list --jsn
	is "" "$output"
}

@test "errors: of a table, and of one that is not there" {
	echo "rxd0 disk size=1" >"$BATS_TEST_TMPDIR/tab"
	replay </dev/null
	rx 1 up --tab "$BATS_TEST_TMPDIR/tab" --json
	has "tab:1: size '1' has no unit" "$(json '.messages[0].text')"
	rx 1 check-tab --tab "$BATS_TEST_TMPDIR/none" --json
	has "No such file" "$(json '.messages[0].text')"
}

@test "errors: a stream ends with them" {
	replay <<-END
		> rxcache cache-get name=rxc0
		< name=rxc0 id=1 state=active
		> rxcache cache-get name=rxc0
		! ENODEV no such cache
	END
	rx 2 stat rxc0 -i 10ms --json
	is 2 "${#lines[@]}"
	is "null kernel: no such cache; see: rxadm list" "$(jq -rs '"\(.[0].messages) \(.[1].messages[0].text)"' <<<"$output")"
}

@test "help and version obey, also as options" {
	rx help --json
	is "$(verbs)" "$(json '.verbs[].name')"
	is "$("$RXADM" __words help | sed -n 's/^--//p')" "$(json '.options[].name')"
	local all=$output
	rx --help -j
	is "$all" "$output"
	rx help stat --json
	is "stat interval i TIME" "$(json '.verbs[] | "\(.name) \(.options[0] | "\(.name) \(.letter) \(.argument)")"')"
	is "verify.compared" "$(json '.verbs[0].columns[] | select(.name == "VERIFIED").key')"
	local one=$output
	rx stat --help --json
	is "$one" "$output"
	rx --version --json
	is 1 "$(json .protocol.rxdsk)"
}

@test "drop, and verify --stop, show the cache" {
	replay <<-END
		> rxcache cache-verify name=rxc0 stop
		> rxcache cache-get name=rxc0
		< name=rxc0 id=5 $ACTIVE
	END
	rx verify rxc0 --stop --json
	is rxc0 "$(json '.caches[0].name')"
	replay <<-END
		> rxcache cache-drop name=rxc0
		> rxcache cache-get name=rxc0
		< name=rxc0 id=5 $ACTIVE
	END
	rx drop rxc0 --json
	is rxc0 "$(json '.caches[0].name')"
}

@test "--output: refused where no columns are, and its words are checked where some are" {
	replay </dev/null
	for verb in $(verbs); do
		case $verb in
		list | stat) rx 1 "$verb" -o frob ;;
		bench) rx 1 "$verb" rxd0 -o frob ;;
		attach) rx 1 "$verb" 1G -o NAME ;;
		resize) rx 1 "$verb" rxd0 1G -o NAME ;;
		detach | export | unexport) rx 1 "$verb" rxd0 -o NAME ;;
		map) rx 1 "$verb" rxd0 /dev/null -o NAME ;;
		restore) rx 1 "$verb" FILE rxd0 -o NAME ;;
		pin) rx 1 "$verb" rxc0 FILE -o NAME ;;
		erase) rx 1 "$verb" rxd0 -o NAME ;;
		save) rx 1 "$verb" rxd0 FILE -o NAME ;;
		unmap | set | save-list | load-list | drop | verify | unpin) rx 1 "$verb" rxc0 -o NAME ;;
		*) rx 1 "$verb" -o NAME ;;
		esac
		[[ $stderr = *"no column 'FROB'"* || $stderr = *"$verb: --output chooses columns"* ]] ||
			{ echo "$verb: $stderr" && return 1; }
	done
	rx 1 detach rxd0 -j -o frob
	has "no column 'FROB'" "$stderr"
	rx 1 stat --reset rxc0 -o NAME
	is "rxadm: stat: --reset shows no columns; leave --output out, or add --json" "$stderr"
	replay <<-END
		> rxcache cache-reset-stats name=rxc0
		< name=rxc0 id=1 state=active
	END
	rx stat --reset rxc0 --json -o NAME
	is '{"rxadm":1,"caches":[{"name":"rxc0"}]}' "$output"
}

@test "--quiet: only errors, and refused where nothing would be left" {
	replay </dev/null
	for verb in stat top monitor advise help version; do
		rx 1 "$verb" --quiet
		is "rxadm: $verb: --quiet leaves nothing to show; leave it out" "$stderr"
	done
	replay <<-END
		>* rxdsk disk-get dump
		>* rxcache cache-get dump
		>* rxcache cache-get name=rxc0
		< name=rxc0 id=1 state=active
		>* rxcache cache-get name=rxc1
		! ENODEV no such cache
		>* rxcache cache-reset-stats name=rxc0
		< name=rxc0 id=1 state=active
	END
	for line in "list" "list -j" "list rxc0" "stat --reset rxc0"; do
		# shellcheck disable=SC2086
		rx $line -q
		is "" "$output$stderr"
	done
	rx 2 list -q rxc1
	has "no such cache" "$stderr"
}

@test "messages: what is no UTF-8 is replaced, and old spellings are told too" {
	for word in $'\xe0\x80\x80' $'\xf0\x80\x80\x80' $'\xf4\x90\x80\x80' $'\xed\xa0\x80' $'\xc0\x80' $'\xe2\x82'; do
		"$RXADM" "$word" --json 2>/dev/null >"$BATS_TEST_TMPDIR/out" || true
		iconv -f UTF-8 -t UTF-32 "$BATS_TEST_TMPDIR/out" >/dev/null
		grep -q '???*' "$BATS_TEST_TMPDIR/out"
	done
	"$RXADM" $'\xe2\x82\xac\xf0\x9f\x98\x80' --json 2>/dev/null | grep -q '€😀'
	rx 1 --attach x y --json
	has "an old spelling" "$(json '.messages[0].text')"
}
