#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# The benches' options, and what the lab makes of samples; nothing is measured here.

load ../cli/helper

setup() { cd "$BATS_TEST_DIRNAME/../.."; }

@test "options: each is in the help of its bench, and no other" {
	for bench in run native lab cost smp price database; do
		is "$(sed -n 's/^\t\t\(--[a-z]*\)).*/\1/p' tests/bench/$bench | sort)" \
			"$(tests/bench/$bench --help | sed -n 's/^  \(--[a-z]*\) .*/\1/p' | sort)"
		[ $bench = database ] || [ -n "$(tests/bench/$bench --list)" ]
	done
}

@test "numbers and kernels: what says nothing is refused" {
	for bench in run lab smp price; do
		run tests/bench/$bench --rounds 0
		is 1 "$status"
		has "--rounds is a number from 1" "$output"
		run tests/bench/$bench --kernel 6.12-debug
		is 1 "$status"
		has "6.12-debug checks itself" "$output"
	done
	run tests/bench/price --ram 256M
	is 1 "$status"
	has "--ram is a number from 1" "$output"
	run tests/bench/native --ms 1s
	is 1 "$status"
	has "--ms is a number from 1" "$output"
}

@test "goals of the lab: each is of a row that is measured" {
	rows=$(tests/bench/lab --list | sed 's|.*/||')
	while read -r row _ _ other; do
		for name in "$row" "${other%%/*}"; do
			[[ $name = "$row" || $other = */* ]] || continue
			while read -r r; do [[ $name- != "$r"-* ]] || echo "$r"; done <<<"$rows" | grep -q . ||
				{ echo "no row $name" && return 1; }
		done
	done < <(grep -v '^#' tests/bench/goals-lab)
}

@test "goals of the costs: each is of a row that is measured, and of a device" {
	list=$(tests/bench/cost --list)
	while read -r row device _ other; do
		grep -qx "$row" <<<"$list" || { echo "no row $row" && return 1; }
		grep -q "^devices:.* $device\( \|$\)" <<<"$list" || { echo "no device $device" && return 1; }
		grep -q "^devices:.* $other\( \|$\)" <<<"$list" || { echo "no device $other" && return 1; }
	done < <(grep -v '^#' tests/bench/goals-cost)
}

@test "baseline of the costs: it has every row, in the order of the alphabet" {
	is "$(tests/bench/cost --list | grep -v '^devices:' | LC_ALL=C sort)" "$(grep -v '^#' tests/bench/cost-baseline-6.12 | cut -d' ' -f1)"
}

@test "baseline of the bench: one line a row, as the bench writes it" {
	PYTHONPATH=tests/bench python3 -B -c 'import figures, sys; figures.write_json(figures.read_json(sys.argv[1]), sys.argv[2])' \
		tests/bench/baseline-6.12.json "$BATS_TEST_TMPDIR/again"
	cmp tests/bench/baseline-6.12.json "$BATS_TEST_TMPDIR/again"
	is "$(jq '.rows | length' "$BATS_TEST_TMPDIR/again")" "$(grep -c '^{"row"' "$BATS_TEST_TMPDIR/again")"
}

@test "goals of the bench: each is of a row that is measured" {
	rows=$(tests/bench/run --list)
	while read -r row _ _ other floor; do
		for name in "$row" ${other//+/ } ${floor//+/ }; do
			[[ $name = "$row" || $name = */* ]] || continue
			grep -qx "${name%%/*}" <<<"$rows" || { echo "no row $name" && return 1; }
		done
	done < <(grep -v '^#' tests/bench/goals)
}

@test "goals of the counts: each is of a row and a device that are counted" {
	rows=$(tests/bench/smp --list)
	while read -r pattern device what _; do
		[[ " rxdsk rxdsk_bio rxcache rxcache-lz4 " = *" $device "* && " ours tags handed " = *" $what "* ]]
		found=
		while read -r row; do
			# shellcheck disable=SC2053
			[[ $row != $pattern ]] || found=1
		done <<<"$rows"
		[ -n "$found" ] || { echo "no row $pattern" && return 1; }
	done < <(grep -v '^#' tests/bench/goals-smp)
}

@test "goals of the price: each is of a row that is measured, and of ways that are measured in it" {
	. tests/bench/price-rows.sh
	rows=$(tests/bench/price --list)
	while read -r row way _ other; do
		grep -qx "$row" <<<"$rows" || { echo "no row $row" && return 1; }
		[[ $other = */* ]] || other=$row/$other
		grep -qx "${other%%/*}" <<<"$rows" || { echo "no row ${other%%/*}" && return 1; }
		for w in "${row%x-*} $way" "${other%%x-*} ${other##*/}"; do
			[[ " $PRICE_WAYS " = *" ${w#* } "* ]] && price_fits "${w% *}" "${w#* }" || { echo "not measured: $w" && return 1; }
		done
	done < <(grep -v '^#' tests/bench/goals-price)
}

# What the kernel prints of stacks: a lock of ours that was met on two ways, one that a function of the kernel takes for us, and
# one that has another function for waiting.
stacks() {
	cat <<-'STACKS'
		# event histogram
		#
		# trigger info: hist:keys=common_stacktrace:vals=hitcount:sort=hitcount:size=16384 [active]
		#

		{ common_stacktrace:
		         kprobe_ftrace_handler+0x138/0x1d0
		         0xffffffffc06990de
		         native_queued_spin_lock_slowpath+0x9/0x2a0
		         _raw_spin_lock_irqsave+0x3d/0x50
		         rxc_busy_leave+0x1b/0x60 [rxcache]
		         rxc_part_free+0x12/0x40 [rxcache]
		} hitcount:          3
		{ common_stacktrace:
		         kprobe_ftrace_handler+0x138/0x1d0
		         0xffffffffc06990de
		         native_queued_spin_lock_slowpath+0x9/0x2a0
		         _raw_spin_lock_irqsave+0x3d/0x50
		         rxc_busy_leave+0x1b/0x60 [rxcache]
		         write_end+0x99/0xb0 [rxcache]
		} hitcount:         20
		{ common_stacktrace:
		         kprobe_ftrace_handler+0x138/0x1d0
		         native_queued_spin_lock_slowpath+0x9/0x2a0
		         _raw_spin_lock_irqsave+0x3d/0x50
		         try_to_wake_up+0x4e/0x6f0
		         rxd_reap_throttle+0x10/0x20 [rxdsk]
		} hitcount:          4

		Totals:
		    Hits: 27
		    Entries: 3
		    Dropped: 0
		# trigger info: hist:keys=common_stacktrace:vals=hitcount:sort=hitcount:size=16384 if flags != 1 [active]
		{ common_stacktrace:
		         trace_event_raw_event_contention_begin+0x80/0xc0
		         __traceiter_contention_begin+0x2d/0x50
		         __mutex_lock.constprop.0+0xa1/0x5e0
		         bdev_open+0x7a/0x3c0
		} hitcount:          1
	STACKS
}

@test "counts of locks: who waited, and which of them are ours" {
	stacks >"$BATS_TEST_TMPDIR/stacks"
	run bash -c '. tests/bench/contended.sh; locks_stacks "$1" | sort' bash "$BATS_TEST_TMPDIR/stacks"
	is 0 "$status"
	is $'bdev_open\t1\t-\nrxc_busy_leave\t23\trxcache\ntry_to_wake_up\t4\t-' "$output"
}

@test "smp.py: per thousand I/Os, by round, and which goals are missed" {
	{
		echo "# chatter"
		for round in 1 2; do
			printf 'count\t%s\tmiss\trxcache\t%s\t%s\n' $round ios 500 $round tags 0 $round handed $round
			printf 'lock\t%s\tmiss\trxcache\t%s\t%s\t%s\n' $round rxc_busy_leave $((round * 3)) rxcache $round rxc_busy_leave 30 - \
				$round rxc_busy_lock.isra.0 $((round * 2)) rxcache $round __schedule 1 -
			printf 'count\t%s\tmiss\tbare\t%s\t%s\n' $round ios 500 $round tags 2 $round handed 0
		done
	} >"$BATS_TEST_TMPDIR/counts"
	printf '%s\n' "mi* rxcache ours <15" "miss rxcache ours 15" "miss rxcache handed 3" "miss bare tags 0" "hit rxcache ours 0" \
		>"$BATS_TEST_TMPDIR/goals"
	run python3 -B tests/bench/smp.py --about here --goals "$BATS_TEST_TMPDIR/goals" "$BATS_TEST_TMPDIR/counts"
	is 0 "$status"
	has "here"$'\n' "$output"
	# A function of that name in another module is not ours.
	grep -qE '^miss +rxcache +1000 +15\.0 \(10\.0 to 20\.0\) +77\.0 +0 +3\.0  busy\.stripe 15\.0 +rxc_busy_leave 60\.0$' <<<"$output"
	grep -qE '^ +bare +1000 +0 +0 +4\.0 +0$' <<<"$output"
	has "missed: miss, rxcache: ours 15.0 in 1000 I/Os, wanted <15"$'\n' "$output"
	has "missed: miss, bare: tags 4.0 in 1000 I/Os, wanted 0"$'\n' "$output"
	has "goals: 2 held, 2 missed" "$output"
	: >"$BATS_TEST_TMPDIR/counts"
	run python3 -B tests/bench/smp.py "$BATS_TEST_TMPDIR/counts"
	is 1 "$status"
	has "smp: no counts" "$output"
}

# Two experiments, two rounds; the second has a device that is missing in one row.
samples() {
	printf '%s\n' "# chatter" $'experiment\tone\tThe first' $'says\tone\tA holds.' $'experiment\ttwo\tThe second'
	for round in 1 2; do
		printf 'experiment\tone\n'
		printf 'sample\t%s\t%s\t%s\t%s\t%s\n' $round slow fast IOPS 100 $round rxd fast IOPS $((round * 100 + 100)) \
			$round slow "fast reads" "for 100" 7
		printf 'against\tfast\tslow\n'
		printf 'experiment\ttwo\n'
		printf 'sample\t%s\t%s\t%s\t%s\t%s\n' $round slow away ms 5 $round rxd here ms 2.5
	done
}

@test "lab.py: tables, sentences, plots and JSON of each experiment, and which goals are missed" {
	samples >"$BATS_TEST_TMPDIR/samples"
	printf '%s\n' "fast rxd 2.0 slow" "fast slow 2.0 rxd slow+fast/rxd" "fast rxd 9.0 slow none" >"$BATS_TEST_TMPDIR/goals"
	run python3 -B tests/bench/lab.py --about here --goals "$BATS_TEST_TMPDIR/goals" --out "$BATS_TEST_TMPDIR" \
		"$BATS_TEST_TMPDIR/samples"
	is 0 "$status"
	has "The first"$'\n'"here" "$output"
	grep -qE '^fast +100 ±0% +250 ±20%$' <<<"$output"
	grep -qE '^fast +2\.50$' <<<"$output"
	grep -qE '^fast reads +7 ±0%$' <<<"$output"
	has "A holds." "$output"
	has "missed: fast, slow: 0.42 (0.33 to 0.50) of rxd, wanted 2.00; slow+fast/rxd alone has 0.29"$'\n' "$output"
	has "of slow, wanted 9.00"$'\n' "$output"
	has "goals: 1 held, 2 missed" "$output"
	output=$(cat "$BATS_TEST_TMPDIR/one.json")
	is "100 250" "$(json '.rows[0].devices | "\(.slow.median) \(.rxd.median)"')"
	is null "$(json '.rows[1].against')"
	output=$(cat "$BATS_TEST_TMPDIR/two.json")
	is "away here" "$(json '[.rows[].row] | join(" ")')"
	# The plot has the rows themselves only.
	grep -q '>fast<' "$BATS_TEST_TMPDIR/one.svg"
	run ! grep -q 'reads' "$BATS_TEST_TMPDIR/one.svg"
	python3 -c 'import sys, xml.dom.minidom as m; [m.parse(f) for f in sys.argv[1:]]' "$BATS_TEST_TMPDIR"/{one,two}.svg
}

# Two rounds of one working set.
prices() {
	printf 'experiment\tprice\tThe price\n'
	for round in 1 2; do
		printf 'sample\t%s\t%s\t%s\t%s\t%s\n' $round buffered 1x-quiet IOPS 1000 $round buffered "1x-quiet from memory" % 97 \
			$round buffered "1x-quiet in the page cache" MiB 256 $round buffered-rxc 1x-quiet IOPS 940 \
			$round buffered-rxc "1x-quiet in the page cache" MiB 120 $round buffered-rxc "1x-quiet in rxcache" MiB 128 \
			$round direct-rxc 1x-quiet IOPS 960 $round buffered "1x-backup takes" ms 7000 \
			$round buffered 1x-backup IOPS 100 $round direct-rxc 1x-backup IOPS $((round * 100))
		printf 'against\t1x-quiet\tbuffered\n'
	done
}

@test "price.py: figures, what memory served and what it holds, and the rows in which a cache loses are named" {
	prices >"$BATS_TEST_TMPDIR/samples"
	python3 -B tests/bench/lab.py --about here --out "$BATS_TEST_TMPDIR" "$BATS_TEST_TMPDIR/samples" >/dev/null
	run python3 -B tests/bench/price.py "$BATS_TEST_TMPDIR/price.json"
	is 0 "$status"
	has "here"$'\n' "$output"
	grep -qE '^1x-quiet +IOPS +1000 ±0% \(97%\) +940 ±0% +960 ±0%$' <<<"$output"
	grep -qE '^1x-backup +IOPS +100 ±0% +150 ±33%$' <<<"$output"
	grep -qE '^1x-backup takes +ms +7000 ±0%$' <<<"$output"
	grep -qE '^1x-quiet holds +MiB +256 +120 \+ 128$' <<<"$output"
	# Slower by less than a twentieth does not count.
	is "slower than the page cache alone: 1x-quiet, buffered-rxc: 0.94 of buffered" "$(grep slower <<<"$output")"
}

@test "lab.py: no samples is an error" {
	echo "# nothing" >"$BATS_TEST_TMPDIR/samples"
	run python3 -B tests/bench/lab.py --out "$BATS_TEST_TMPDIR" "$BATS_TEST_TMPDIR/samples"
	is 1 "$status"
	has "lab: no samples" "$output"
}

# A cache of which writes drop blocks, as one does that finds no memory; a reading of all brings half of them back at a time.
dropping_cache() {
	. tests/bench/bios.sh
	bytes_of() { echo $((${1%M} << 20)); }
	fail() { echo "FAIL: $*" && exit 1; }
	sleep() { :; }
	stat_of() { cat "$BATS_TEST_TMPDIR/missed"; }
	bio() {
		local cold missed
		read -r cold missed <"$BATS_TEST_TMPDIR/cache"
		case $1 in
		*rw=*write*) cold=100 ;;
		*) missed=$((missed + cold)) cold=$((cold / 2)) ;;
		esac
		echo "$cold $missed" >"$BATS_TEST_TMPDIR/cache"
		echo "$missed" >"$BATS_TEST_TMPDIR/missed"
		echo "bios=1 mean=1 min=1 p50=1 p90=1 per_second=1"
	}
	declare -gA device_path=([rxcache]=/dev/rxc0)
	made=(rxcache) rounds=2 ms=1 exact='' patterns="$1"
	cd "$BATS_TEST_TMPDIR"
	echo "0 0" >cache
	echo 0 >missed
	bios_rounds
}

@test "bios: blocks that a row of writes dropped are read in again before the next row of hits" {
	run dropping_cache "4k-write-64m 4k-read-64m 1m-read-1m"
	is 0 "$status"
	is 6 "$(grep -c ^sample "$BATS_TEST_TMPDIR/samples")"
}

@test "goal of the database: of a fifth of it, or of half if all rows are asked for alike, by the medians of the rounds" {
	figures=$BATS_TEST_TMPDIR/figures
	printf 'cell %s\n' "1 20 off 100 40 900 900 0 800" "1 20 lz4 160 60 700 900 99 800" "1 50 off 200 70 500 900 0 800" "1 50 lz4 310 99 9 5 50 800" \
		"2 50 off 200 70 500 900 0 800" "2 50 lz4 900 99 9 5 50 800" "3 50 off 100 70 500 900 0 800" "3 50 lz4 100 99 9 5 50 800" >"$figures"
	echo "# Zipf even" >>"$figures"
	run python3 -B tests/bench/database.py "$figures"
	is 0 "$status"
	has "at 50 % lz4 has 1.55 times the transactions of off; the goal is 1.5: met" "$output"
	has "1 passed, 0 failed" "$output"
	sed -i 's/lz4 310/lz4 290/' "$figures"
	run python3 -B tests/bench/database.py "$figures"
	is 1 "$status"
	has "MISSED" "$output"
	sed -i 's/even/1.05/' "$figures"
	run python3 -B tests/bench/database.py "$figures"
	is 0 "$status"
	has "at 20 % lz4 has 1.60 times the transactions of off; the goal is 1.5: met" "$output"
}
