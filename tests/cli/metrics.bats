#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# metrics: names, units and values, what parsers say of them, the file, and the dashboard.

load helper

TREE=$BATS_TEST_DIRNAME/../..

# The keys of a group of the cache in JSON, as the kernel names them.
kernel_names() { "$BATS_TEST_DIRNAME/json-schema.py" keys cache | sed -n "s/^$1\.//p" | tr _ -; }

# A disk and a cache of which everything is known.
everything() {
	local n=0 name stats=
	for name in $(kernel_names stats); do
		n=$((n + 1))
		stats+=" stats.$name=$n"
	done
	sysroot
	sys_disk rxd0 259:0
	sys_disk rxc0 259:7
	echo "10 0 80 3 20 0 160 5 1 0 8 4 0 32 1 0 0" | tee "$RXADM_SYSROOT/sys/block/rxd0/stat" >"$RXADM_SYSROOT/sys/block/rxc0/stat"
	replay <<-END
		>* rxdsk disk-get dump
		< name=rxd0 $DISK state=active queue-mode=mq
		>* rxcache cache-get dump
		< name=rxc0 id=5 ${ACTIVE%%stats.*} slack=4096 compressed=65536 compressed-memory=12288 incompressible=8192 compress-tried=20 compress-done=16 compress-ns=2500000000 pinned=8192 pinned-cached=4096 stats-age=90500000000$stats latency-hit.sum=8400 latency-hit.buckets=1,0,0,0,0,0,3 latency-miss.sum=0 latency-miss.buckets=0 latency-write.sum=0 latency-write.buckets=0 latency-origin.sum=0 latency-origin.buckets=0 verify.running=no verify.sample=1 verify.compared=7 verify.skipped=0 verify.mismatches=2 verify.errors=0 verify.stopped=no
	END
}

# The names of the samples in $output.
names() { grep -v '^#' <<<"$output" | sed 's/[{ ].*//' | sort -u; }

# parsed PARSER: "NAME TYPE UNIT" of each family, as a Python parser understands $output.
parsed() {
	"$PYTHON" -c "import sys
from prometheus_client.$1 import text_string_to_metric_families as parse
for m in parse(sys.stdin.read()): print(m.name, m.type, m.unit) if m.samples else None" <<<"$output"
}

# Debian's own Python has the module wherever the package is.
parser_or_skip() {
	for PYTHON in python3 /usr/bin/python3; do
		! "$PYTHON" -c 'import prometheus_client' 2>/dev/null || return 0
	done
	skip "no python3-prometheus-client"
}

promtool_or_skip() {
	PROMTOOL=$(command -v promtool || command -v "${RX_CACHE:-$HOME/.cache/rxdsk}/promtool/files/usr/bin/promtool") || skip "no promtool"
}

@test "values: bytes, seconds, counters, states" {
	everything
	rx metrics
	for line in 'rxdsk_size_bytes{disk="rxd0"} 1073741824' 'rxdsk_io_reads_total{disk="rxd0"} 10' \
		'rxdsk_io_read_bytes_total{disk="rxd0"} 40960' 'rxdsk_io_read_seconds_total{disk="rxd0"} 0.003000000' \
		'rxdsk_io_in_flight{disk="rxd0"} 1' 'rxdsk_state{disk="rxd0",state="active"} 1' 'rxdsk_state{disk="rxd0",state="preparing"} 0' \
		'rxcache_cached_bytes{cache="rxc0"} 4096' 'rxcache_compressed_memory_bytes{cache="rxc0"} 12288' \
		'rxcache_compressor_tried_total{cache="rxc0"} 20' 'rxcache_compressor_seconds_total{cache="rxc0"} 2.500000000' 'rxcache_counters_age_seconds{cache="rxc0"} 90.500000000' \
		'rxcache_verify_mismatches{cache="rxc0"} 2' 'rxcache_state{cache="rxc0",state="active"} 1' \
		'rxcache_info{cache="rxc0",disk="rxd0",origin="/dev/sdb",mode="write-through"} 1' \
		'rxadm_module_loaded{module="rxcache"} 1' '# EOF'; do
		grep -qxF "$line" <<<"$output" || { echo "no $line" && return 1; }
	done
	is "$(kernel_names stats | grep -nx ahead-saved | cut -d: -f1)" "$(sed -n 's/^rxcache_ahead_saved_seconds_total{.*} 0\.00000*//p' <<<"$output")"
	is "$(kernel_names stats | wc -l)" "$(grep -cE "^rxcache_($(kernel_names stats | sed s/decompress-ns/decompress/ | tr -- '-\n' '_|')none)(_seconds)?_total" <<<"$output")"
}

@test "the histogram: its buckets contain those before, and its ends are seconds" {
	everything
	rx metrics
	histogram=$(grep -F 'kind="hit"' <<<"$output")
	is 34 "$(wc -l <<<"$histogram")"
	is 'rxcache_request_duration_seconds_bucket{cache="rxc0",kind="hit",le="6.4e-08"} 1' "$(sed -n 1p <<<"$histogram")"
	is 'rxcache_request_duration_seconds_bucket{cache="rxc0",kind="hit",le="2.048e-06"} 1' "$(sed -n 6p <<<"$histogram")"
	is 'rxcache_request_duration_seconds_bucket{cache="rxc0",kind="hit",le="4.096e-06"} 4' "$(sed -n 7p <<<"$histogram")"
	is 'rxcache_request_duration_seconds_bucket{cache="rxc0",kind="hit",le="68.719476736"} 4
rxcache_request_duration_seconds_bucket{cache="rxc0",kind="hit",le="+Inf"} 4
rxcache_request_duration_seconds_sum{cache="rxc0",kind="hit"} 0.000008400
rxcache_request_duration_seconds_count{cache="rxc0",kind="hit"} 4' "$(tail -n 4 <<<"$histogram")"
	is "hit miss origin write" "$(grep -o 'kind="[a-z]*"' <<<"$output" | sort -u | cut -d '"' -f 2 | paste -sd ' ')"
}

@test "what is not known has no sample, and what is absent says so" {
	replay <<-END
		absent rxdsk
		absent rxcache
	END
	rx metrics
	is '# HELP rxadm_build_info Version of the tool.
# TYPE rxadm_build_info gauge' "$(sed 2q <<<"$output")"
	is 'rxadm_module_loaded{module="rxdsk"} 0
rxadm_module_loaded{module="rxcache"} 0
# EOF' "$(tail -n 3 <<<"$output")"
	replay <<-END
		>* rxdsk disk-get dump
		>* rxcache cache-get dump
		< name=rxc0 id=1 state=starting
	END
	rx metrics
	[[ $output != *18446744073709551615* && $output != *nan* && $output != *rxcache_reads* && $output != *duration* ]]
	has 'rxcache_state{cache="rxc0",state="starting"} 1' "$output"
	replay <<-END
		> rxdsk disk-get dump
		! EPERM no
	END
	rx 2 metrics
	is "" "$output"
}

@test "no module is loaded for it" {
	sysroot
	unset RXADM_REPLAY
	rx metrics
	is 2 "$(grep -c '^rxadm_module_loaded{.*} 0$' <<<"$output")"
}

@test "labels: an origin with odd bytes" {
	replay <<-END
		>* rxdsk disk-get dump
		>* rxcache cache-get dump
		< name=rxc0 id=1 state=active origin="a\"b\\\\c$(printf '\377')d"
	END
	rx metrics
	has 'origin="/dev/a\"b\\c?d"' "$output"
}

@test "parsers: both forms, each with the parser of both formats" {
	parser_or_skip
	everything
	rx metrics
	open=$(parsed openmetrics.parser)
	is "$(names | wc -l)" "$(($(wc -l <<<"$open") + 2))"
	grep -qx "rxcache_read_bytes counter bytes" <<<"$open"
	grep -qx "rxcache_request_duration_seconds histogram seconds" <<<"$open"
	is "" "$(grep -E ' (unknown|untyped) ' <<<"$open")"
	# Every name with a unit says so, at its end.
	is "" "$(grep -E '_(bytes|seconds) [a-z]+ $' <<<"$open")"
	parsed parser >/dev/null
	rx metrics --format prometheus
	[[ $output != *EOF* && $output != *UNIT* ]]
	old=$(parsed parser)
	is "$(cut -d ' ' -f -2 <<<"$open")" "$(cut -d ' ' -f -2 <<<"$old")"
}

@test "promtool finds nothing to say, and reads the other form too" {
	promtool_or_skip
	everything
	rx metrics --format prometheus
	is "" "$("$PROMTOOL" check metrics <<<"$output" 2>&1)"
	rx metrics
	is "" "$("$PROMTOOL" check metrics <<<"$output" 2>&1 | grep -v ' no help text$')"
}

@test "the file: whole, for everybody to read, and the old one until then" {
	everything
	mkdir "$BATS_TEST_TMPDIR/out"
	file=$BATS_TEST_TMPDIR/out/rxadm.prom
	rx metrics --file "$file"
	is "" "$output$stderr"
	is "644 # EOF" "$(stat -c %a "$file") $(tail -n 1 "$file")"
	rx metrics
	is "$output" "$(cat "$file")"
	first=$(stat -c %i "$file")
	ln "$file" "$BATS_TEST_TMPDIR/out/old"
	rx metrics -q --file "$file" --format prometheus
	[ "$(stat -c %i "$file")" != "$first" ]
	is "# EOF" "$(tail -n 1 "$BATS_TEST_TMPDIR/out/old")"
	# No more than a kilobyte can be written.
	before=$(cksum <"$file")
	run bash -c 'trap "" XFSZ; ulimit -f 1; "$0" metrics --file "$1"' "$RXADM" "$file"
	is 5 "$status"
	has "the file from before stays" "$output"
	is "$before" "$(cksum <"$file")"
	is "old rxadm.prom" "$(ls "$BATS_TEST_TMPDIR/out" | paste -sd ' ')"
	rx 1 metrics --file "$BATS_TEST_TMPDIR/none/rxadm.prom"
	ln -s "$file" "$BATS_TEST_TMPDIR/link"
	rx 1 metrics --file "$BATS_TEST_TMPDIR/link"
	has "is no regular file" "$stderr"
	rm "$file"
	rx metrics --file "$file" --dry-run
	has "# EOF" "$output"
	[ ! -e "$file" ]
}

@test "wrong words" {
	replay </dev/null
	rx 1 metrics rxd0
	rx 1 metrics --format xml
	rx 1 metrics -q
	rx 1 metrics --json
	is "rxadm: metrics: prints no JSON; say: rxadm stat --json" "$stderr"
}

@test "the manual has every name, and no other" {
	everything
	rx metrics
	counters=$(kernel_names stats | tr - _ | sed 's/^/rxcache_/; s/ahead_saved$/&_seconds/; s/decompress_ns$/decompress_seconds/; s/$/_total/')
	diff -u --label there --label documented <(names | sed -E 's/_(bucket|sum|count)$//' | sort -u | grep -vxF "$counters") \
		<(sed -n '/^\.Ss metrics$/,/^\.S[sh] /s/^\.It Va //p' "${VERB_PAGES[@]}" | sed 's/ , /\n/g' | sort)
}

@test "the dashboard asks for metrics and labels that there are" {
	everything
	rx metrics
	dashboard=$TREE/conf/grafana-dashboard.json
	jq -r '.. | .expr? // empty, .definition? // empty' "$dashboard" >"$BATS_TEST_TMPDIR/asked"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/asked")" -gt 20 ]
	asked=$(grep -ohE '\brx(adm|dsk|cache)_[a-z0-9_]+' "$BATS_TEST_TMPDIR/asked" | sort -u)
	[ "$(wc -l <<<"$asked")" -gt 20 ]
	is "" "$(names | grep -vxFf - <<<"$asked")"
	# node_exporter adds the instance.
	is "" "$(grep -ohE '\{[^}]*\}' "$BATS_TEST_TMPDIR/asked" | grep -oE '[a-z]+(=|!=|=~)' | sort -u | grep -vE '^(instance|cache|state|file)[!=]')"
	jq -r '.. | .legendFormat? // empty' "$dashboard" | grep -oE '\{\{[a-z]+\}\}' | tr -d '{}' | sort -u | while read -r label; do
		[ "$label" = instance ] || grep -q "[{,]$label=" <<<"$output" || { echo "no label $label" && exit 1; }
	done
	# Panels have ids and places of their own.
	is "$(jq '.panels | length' "$dashboard")" "$(jq '[.panels[].id] | unique | length' "$dashboard")"
	is "$(jq '.panels | length' "$dashboard")" "$(jq '[.panels[].gridPos | [.x, .y]] | unique | length' "$dashboard")"
}

@test "the dashboard's questions are PromQL" {
	promtool_or_skip
	jq '{groups: [{name: "dashboard", rules: [.. | .expr? // empty | gsub("\\$__rate_interval"; "5m") | {record: "a:b", expr: .}] |
		[to_entries[] | .value + {record: "r:\(.key)"}]}]}' "$TREE/conf/grafana-dashboard.json" >"$BATS_TEST_TMPDIR/rules.json"
	"$PROMTOOL" check rules "$BATS_TEST_TMPDIR/rules.json"
}

@test "the units: one writes what the other's timer asks for, and the command is right" {
	command=$(sed -n 's/^ExecStart=//p' "$TREE/conf/rxadm-metrics.service")
	is "/usr/sbin/rxadm metrics --format prometheus --file /var/lib/prometheus/node-exporter/rxadm.prom" "$command"
	# node_exporter reads no other names.
	[[ $command = *.prom ]]
	grep -qx "ConditionPathIsDirectory=/var/lib/prometheus/node-exporter" "$TREE/conf/rxadm-metrics.service"
	everything
	# shellcheck disable=SC2086
	rx ${command#* } --dry-run
	command -v systemd-analyze >/dev/null || skip "no systemd-analyze"
	mkdir "$BATS_TEST_TMPDIR/units"
	sed "s|/usr/sbin/rxadm|$(command -v true)|" "$TREE/conf/rxadm-metrics.service" >"$BATS_TEST_TMPDIR/units/rxadm-metrics.service"
	cp "$TREE/conf/rxadm-metrics.timer" "$BATS_TEST_TMPDIR/units"
	is "" "$(cd "$BATS_TEST_TMPDIR/units" && SYSTEMD_UNIT_PATH=$PWD: systemd-analyze verify --man=no ./rxadm-metrics.service ./rxadm-metrics.timer 2>&1 | grep -F rxadm-metrics)"
}
