#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# The schema of the JSON: every verb has a definition, its output fits, nothing else does, and rxadm-json(5) has the same keys.
# Beyond this, all JSON that these tests see is compared with the schema; see setup_suite.bash.

load helper

SCHEMA=$BATS_TEST_DIRNAME/json-schema.py
PAGE=$BATS_TEST_DIRNAME/../../man/rxadm-json.5

verbs() { "$RXADM" __words | grep -v ^-; }

both() {
	replay <<-END
		>* rxdsk disk-get dump
		< name=rxd0 $DISK state=active queue-mode=mq used-nodes=0,4096 holder=rxc0
		>* rxcache cache-get dump
		< name=rxc0 id=5 $ACTIVE stats.reads=1000 shadow.rate=1 shadow.reads=2000 shadow.lost=0 shadow.point=1073741824,1000,as-is
		>* rxcache cache-get name=rxc0
		< name=rxc0 id=5 $ACTIVE latency-hit.sum=8400 latency-hit.buckets=0,0,0,0,0,0,4 recent-10s.read-hit=1
		>* rxdsk disk-get name=rxd0
		< name=rxd0 $DISK
		>* rxdsk disk-get name=rxd1
		< name=rxd1 $DISK
		$(printf '%s\n' "$@")
	END
}

@test "a dry run prints one object, with what would be asked for" {
	is '{"dry_run":true,"requests":[]}' "$(of_load-list >/dev/null; jq -c 'del(.rxadm)' <<<"$output")"
	both
	rx save-list rxc0 --json --dry-run
	is '[true,"cache-blocks"]' "$(jq -cs '.[] | [.dry_run, .requests[].request]' <<<"$output")"
}

# Each prints JSON of a verb.
of_attach() { both "> rxdsk disk-new size=1073741824" "< name=rxd0 $DISK" && rx attach 1G --json; }
of_detach() {
	both "> rxdsk join" "> rxdsk disk-del name=rxd0" "@ rxdsk disk-del-ntf name=rxd0"
	rx detach rxd0 --json
}
of_resize() { both "> rxdsk disk-resize name=rxd0 size=1073741824" "< name=rxd0 $DISK" && rx resize rxd0 1G --json; }
of_map() {
	both "> rxcache join" "> rxcache cache-new disk=rxd0 origin=/dev/sdb" "< name=rxc0 id=5 $STARTING" "@ rxcache cache-new-ntf name=rxc0 id=5 $ACTIVE"
	rx map rxd0 sdb --json
}
of_unmap() {
	both "> rxcache join" "> rxcache cache-del name=rxc0" "@ rxcache cache-del-ntf name=rxc0 id=5 $ACTIVE"
	rx unmap rxc0 --json
}
of_set() { both "> rxcache cache-set name=rxc0 mode=bypass" "< name=rxc0 id=5 $ACTIVE mode=bypass" && rx set rxc0 --mode bypass --json; }
of_save-list() {
	sysroot
	mkdir -p "$RXADM_SYSROOT/var/lib" "$RXADM_SYSROOT/run"
	both "> rxcache cache-blocks name=rxc0" "< name=rxc0 block-size=4096 id=5 blocks=40"
	rx save-list rxc0 --json
}
of_save() {
	sysroot
	truncate -s 16M "$RXADM_SYSROOT/dev/rxd2"
	both ">* rxdsk disk-get name=rxd2" "< name=rxd2 id=3 $DISK size=16777216" ">* rxdsk disk-extents name=rxd2" "< id=3 extents=4096,8192"
	rx save rxd2 "$BATS_TEST_TMPDIR/image" --json
}
of_restore() {
	of_save
	rx restore "$BATS_TEST_TMPDIR/image" rxd2 --json
}
of_load-list() { both && rx load-list rxc0 --dry-run --json; }
of_erase() { both "> rxdsk join" "> rxdsk disk-erase name=rxd0" "< name=rxd0 $DISK" && rx erase rxd0 --json; }
of_drop() { both "> rxcache cache-drop name=rxc0" && rx drop rxc0 --json; }
of_verify() { both "> rxcache cache-verify name=rxc0 stop" && rx verify rxc0 --stop --json; }
of_bench() {
	sysroot
	mkdir -p "$RXADM_SYSROOT/usr/share/rxdsk"
	ln -sfn "$BATS_TEST_DIRNAME/../../conf/fio" "$RXADM_SYSROOT/usr/share/rxdsk/fio"
	both && rx bench rxc0 --dry-run --json
}
of_pin() { both "> rxcache cache-pin name=rxc0 offset=0 length=4096" "< name=rxc0 id=5 $ACTIVE" && rx pin rxc0 0+4K --json; }
of_unpin() { both "> rxcache cache-unpin name=rxc0" "< name=rxc0 id=5 $ACTIVE" && rx unpin rxc0 --all --json; }
of_export() {
	sysroot
	mkdir -p "$RXADM_SYSROOT/sys/kernel/config/nvmet/subsystems" "$RXADM_SYSROOT"/sys/module/{nvmet,nvmet_tcp}
	both && rx export rxd1 --nqn nqn.2024-01.com.example:a --any-host --dry-run --json
}
of_unexport() {
	mkdir -p "$RXADM_SYSROOT/run/rxadm"
	printf 'stage making\nnqn nqn.2024-01.com.example:a\n' >"$RXADM_SYSROOT/run/rxadm/export-rxd1"
	both && rx unexport rxd1 --json
}
of_list() { both && rx list --json; }
of_stat() { both && rx stat --json; }
of_advise() { both && rx advise --json; }
of_top() { rx 1 top --json; }
of_monitor() {
	both "> rxdsk join" "> rxcache join" "@ rxdsk disk-new-ntf name=rxd0 $DISK" "@ rxcache cache-new-ntf name=rxc0 id=5 $ACTIVE" \
		"@ overrun" "@ interrupt"
	rx monitor --json
}
tab() { echo "rxd0 disk size=1G" >"$BATS_TEST_TMPDIR/tab"; }
of_up() { tab && both && rx up --tab "$BATS_TEST_TMPDIR/tab" --json; }
of_down() { tab && both && rx down --tab "$BATS_TEST_TMPDIR/tab" --dry-run --json; }
of_check-tab() { echo "rxd0 disk size=1" >"$BATS_TEST_TMPDIR/tab" && rx 1 check-tab --tab "$BATS_TEST_TMPDIR/tab" --json; }
of_help() { rx help --json; }
of_version() { rx version --json; }
of_metrics() { rx 1 metrics --json; }

@test "every verb has a definition, and every definition is of a verb" {
	is "$(verbs | sort)" "$("$SCHEMA" verbs)"
}

# put VERB [JSON]: a record as rx makes it, for json-schema.py check; $output by default.
put() { printf '0\x1f%s\n%s\n\x1e\n' "$1" "${2-$output}" >>"$BATS_TEST_TMPDIR/records"; }

@test "the output of every verb fits" {
	for verb in $(verbs); do
		"of_$verb" || { echo "$verb" && return 1; }
		[[ $output = "{"* ]] || { echo "$verb: $output" && return 1; }
		put "$verb"
	done
	"$SCHEMA" check "$BATS_TEST_TMPDIR/records"
}

@test "a key that the schema lacks does not fit, in any object, and no value of another type" {
	of_stat
	for path in . .disks[0] .caches[0] .caches[0].stats .caches[0].io .caches[0].latency_hit .caches[0].recent_1h \
		.caches[0].verify .caches[0].resize .caches[0].warm; do
		put stat "$(jq -c "$path += {frob: 1}" <<<"$output")"
	done
	put stat "$(jq -c '.caches[0].state = "frob"' <<<"$output")"
	put stat "$(jq -c '.disks[0].size = "1G"' <<<"$output")"
	put list "$output"
	put list '{"rxadm":2,"absent":[],"disks":[]}'
	run "$SCHEMA" check "$BATS_TEST_TMPDIR/records"
	is 1 "$status"
	is "10 2" "$(grep -c "^rxadm stat: .*Additional properties" <<<"$output") $(grep -c "^rxadm list: " <<<"$output")"
	grep -q "^rxadm stat: caches.0.state: " <<<"$output"
	grep -q "^rxadm stat: disks.0.size: " <<<"$output"
}

@test "the schema in jq, which the kernel tests have, finds the same" {
	of_stat
	good=$output changes=()
	wrong() { jq -r --slurpfile schema "$BATS_TEST_DIRNAME/../../conf/rxadm.schema.json" --arg verb "$1" -f "$BATS_TEST_DIRNAME/../kernel/helpers/schema.jq"; }
	is "" "$(wrong stat <<<"$good")"
	for change in '.frob = 1' '.caches[0].stats.frob = 1' '.caches[0].state = "frob"' '.disks[0].size = "1G"' '.disks[0].size = -1' '.disks[0].size = 1.5' \
		'.caches[0].hit_ratio = 1.1' '.rxadm = 2' 'del(.rxadm)' '.caches[0].warm = []' '.time = "today"' '.disks = [1]'; do
		bad=$(jq -c "$change" <<<"$good")
		put stat$'\x1f'"$change" "$bad"
		[ -n "$(wrong stat <<<"$bad")" ] || { echo "jq takes $change" && return 1; }
		changes+=("$change")
	done
	run "$SCHEMA" check "$BATS_TEST_TMPDIR/records"
	for change in "${changes[@]}"; do
		[[ $output = *"rxadm stat $change: "* ]] || { echo "the library takes $change" && return 1; }
	done
	for verb in $(verbs); do
		"of_$verb"
		is "" "$(wrong "$verb" <<<"$output")"
	done
	# All words of the schema are known to it.
	is "" "$(jq -r '[paths(type != "null") as $p | select($p[-2:-1] != ["properties"] and $p[-2:-1] != ["$defs"]) | $p[-1] | strings] | unique[]' \
		"$BATS_TEST_DIRNAME/../../conf/rxadm.schema.json" | grep -vxE '\$(comment|defs|id|ref|schema)|additionalProperties|anyOf|const|description|enum|items|maximum|minItems|minimum|minProperties|pattern|properties|required|title|type')"
}

@test "what was recorded in a file of tests is refused if it does not fit" {
	printf '0\x1flist\x1f-j\n{"rxadm":1,"absent":[],"frob":1}\n\x1e\n' >"$BATS_TEST_TMPDIR/json"
	run "$SCHEMA" check "$BATS_TEST_TMPDIR/json"
	is 1 "$status"
	has "rxadm list -j: the object: Additional properties" "$output"
	# An error that nothing tells.
	printf '2\x1fset\x1frxc0\x1f--json\n\n\x1e\n' >"$BATS_TEST_TMPDIR/json"
	run "$SCHEMA" check "$BATS_TEST_TMPDIR/json"
	is 1 "$status"
	printf '0\x1flist\nNAME\n\x1e\n0\x1flist\x1f-nj\n{"rxadm":1,"absent":[],"disks":[]}\n\x1e\n' >"$BATS_TEST_TMPDIR/json"
	"$SCHEMA" check "$BATS_TEST_TMPDIR/json"
}

@test "disks and caches have all keys of the schema" {
	of_stat
	for kind in disk cache; do
		is "$("$SCHEMA" keys $kind)" "$(json ".${kind}s[0] | paths as \$p | select(getpath(\$p) | type != \"object\") | \$p | map(strings) | join(\".\")" | sort -u)"
	done
}

@test "every column is a key of the schema" {
	rx help --json
	"$SCHEMA" keys disk >"$BATS_TEST_TMPDIR/disks"
	"$SCHEMA" keys cache >"$BATS_TEST_TMPDIR/caches"
	for kind in disks caches; do
		keys=$(json ".verbs[].columns[] | select(.of == \"$kind\").key | strings")
		[ "$(wc -l <<<"$keys")" -gt 15 ]
		is "" "$(grep -vxFf "$BATS_TEST_TMPDIR/$kind" <<<"$keys")"
	done
	is "" "$(json '[.verbs[].columns[] | select(.key == null).name] | join(" ")')"
}

# The keys of a part of the page.
items() { sed 's/^\.It Va //; t; d' | sed 's/ , /\n/g' | sort; }

@test "rxadm-json(5) names the verb that has no JSON" {
	of_metrics
	has "metrics: prints no JSON" "$stderr"
	awk '/^\.S[hs] /{ on = $0 == ".Ss Verbs without JSON" } on' "$PAGE" | grep -qx '.Cm metrics'
}

@test "rxadm-json(5) has the keys of the schema, and no other" {
	subsection() { awk -v name=".Ss Keys of $1" '/^\.S[hs] /{ on = $0 == name } on' "$PAGE"; }
	for kind in disks:disk caches:cache advice:advice trace:trace jobs:job exports:export images:image; do
		diff -u --label schema --label "rxadm-json(5), ${kind%:*}" <("$SCHEMA" keys "${kind#*:}") <(subsection "${kind%:*}" | items)
	done
	diff -u --label schema --label "rxadm-json(5), up" <({
		printf '%s\n' dry_run lines tab asked notes
		"$SCHEMA" keys line | sed 's/^/lines./'
		"$SCHEMA" keys note | sed 's/^/notes./'
	} | sort) <(subsection "up, down and check-tab" | items)
	diff -u --label schema --label "rxadm-json(5), --dry-run" <({
		printf '%s\n' dry_run requests steps commands
		"$SCHEMA" keys request | sed 's/^/requests./'
	} | sort) <(subsection --dry-run | items)
	diff -u --label schema --label "rxadm-json(5), KEYS" <("$SCHEMA" answers | grep -vxE 'dry_run|requests|steps|commands|lines|tab|asked|notes|image[.].*') \
		<(awk '/^\.S[hs] /{ on = $0 == ".Sh KEYS" } on' "$PAGE" | items)
}
