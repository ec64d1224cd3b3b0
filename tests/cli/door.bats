#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# What newcomers meet first: the README and its picture, and the demo.

load helper

setup() {
	TREE=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
	cd "$TREE"
	demo=tests/demo
}

@test "picture: it is what the script makes of the cast" {
	$demo/svg.py $demo/session.cast >"$BATS_TEST_TMPDIR/svg"
	diff -u $demo/session.svg "$BATS_TEST_TMPDIR/svg"
	python3 -c 'import sys, xml.dom.minidom as x; x.parse(sys.argv[1])' $demo/session.svg
}

# Everything that a recording shows, without what moves the cursor.
shown() { jq -r 'select(type == "array") | .[2]' --join-output "$1" | tr -d '\r' | sed 's/\x1b\[[0-9;?]*[a-zA-Z]//g'; }

@test "cast: asciinema's version 2, of the commands of the session, in their order" {
	is "2 106 26" "$(head -n 1 $demo/session.cast | jq -r '"\(.version) \(.width) \(.height)"')"
	is "" "$(jq -sc '.[1:] | . as $e | range(1; length) | select($e[.][0] < $e[. - 1][0] or $e[.][1] != "o") | $e[.]' $demo/session.cast)"
	is "$(grep -v '^#' $demo/session)" "$(shown $demo/session.cast | sed -n 's/^# \(..*\)/\1/p')"
	has "rxadm: unmap rxc0: mounted on /srv; run: umount /srv" "$(shown $demo/session.cast)"
	[ "$(tail -n 1 $demo/session.cast | jq '.[0] | floor')" -lt 60 ]
}

@test "picture: what a still picture can't show is refused" {
	printf '%s\n' '{"version":2,"width":9,"height":2,"title":"t"}' '[0,"o","a\r\nb\r\nc"]' >"$BATS_TEST_TMPDIR/long"
	run -1 $demo/svg.py "$BATS_TEST_TMPDIR/long"
	has "longer than a screen" "$output"
	printf '%s\n' '{"version":2,"width":9,"height":2,"title":"t"}' '[0,"o","a\rb"]' >"$BATS_TEST_TMPDIR/over"
	run -1 $demo/svg.py "$BATS_TEST_TMPDIR/over"
	has "written over" "$output"
	printf '%s\n' '{"version":2,"width":9,"height":2,"title":"t"}' '[0,"o","a<"]' '[1.5,"o","bc"]' '[1.6,"o","  d"]' >"$BATS_TEST_TMPDIR/good"
	run -0 $demo/svg.py "$BATS_TEST_TMPDIR/good"
	has 'style="animation-delay:0.00s">a&lt;</text>' "$output"
	has 'style="animation-delay:1.50s">bc  d</text>' "$output"
}

@test "demo: one page of counters, of the warm pass alone, and the table is the last that it prints" {
	is 1 "$(grep -cx 'run rxadm stat rxc0' $demo/guest)"
	is "run rxadm stat rxc0 --reset
reads warm \$slow/table.dat
run rxadm stat rxc0" "$(grep -B 2 -x 'run rxadm stat rxc0' $demo/guest)"
	is "" "$(sed -n '/^chapter "Before and after"/,$p' $demo/guest | grep -E '^(run|reads) ')"
}

# part NAME: a section of the README.
part() { awk -v name="## $1" '/^## /{ on = $0 == name } on' README.md; }

# block NAME: the command lines in a section's first block, without comments and sudo.
block() { awk '/^```/{ n++; next } n == 1' <<<"$(part "$1")"; }

@test "README: its order, its picture, and lines that are no longer than a screen" {
	is "Is it for you?;Thirty seconds;Try it: two commands;Compared;Install on a real machine;Machines;Figures;What holds, and what does not;More" \
		"$(sed -n 's/^## //p' README.md | paste -sd ';')"
	part "Thirty seconds" | grep -qF "($demo/session.svg)"
	is "" "$(awk '/^```/{ code = !code } !code && !/^\|/ && length > 132 { print FNR ": " length }' README.md)"
}

@test "README: what it names is there" {
	while read -r file; do
		[ -e "$file" ] || { echo "no $file" && return 1; }
	done < <(grep -oE '(\(|`)(tests|conf|man|module)/[^)` ]*' README.md | cut -c 2- | sed 's/=.*//')
	while read -r page; do
		[ -e "man/${page%(*}.${page: -2:1}" ] || { echo "no page $page" && return 1; }
	done < <(grep -oE '\brx[a-z-]*\([1-8]\)' README.md | sort -u)
	while read -r target; do
		grep -qE "^([a-z ./-]* )?$target( [a-z -]+)?:" Makefile tests/rules.mk conf/install.mk || { echo "no make $target" && return 1; }
	done < <(grep -oE '\bmake [a-z][a-z-]*' README.md | sed 's/make //' | sort -u)
	is "CHANGELOG.md CONTRIBUTING.md SECURITY.md" "$(part More | grep -oE '[A-Z]+\.md' | xargs)"
	ls CHANGELOG.md CONTRIBUTING.md SECURITY.md
}

@test "README: its lines from a clone to a cached disk are those of rx-install(7)" {
	is "$(block "Install on a real machine" | sed 's/  *# .*//; s/^sudo //; s/\([&|]\) sudo /\1 /g')" \
		"$(sed -n '/^\.Sh EXAMPLES/,/^\.Ed/p' man/rx-install.7 | sed -e ':a' -e '/\\e$/{N;s/ *\\e\n */ /;ba' -e '}' |
			sed -n 's/^\$ //p' | sed 's/^sudo //; s/\([&|]\) sudo /\1 /g' | grep -vx 'rxadm list')"
}

@test "README: the instructions that it compares are those of the baseline, within the limit of bench-cost" {
	# cells ROW: the numbers of the first four columns; the others were measured by hand.
	cells() { part Compared | grep -F "| $1," | tr -d , | cut -d'|' -f3-6 | grep -oE '[0-9]{4,}' | xargs; }
	costs() { local row=$1 device && shift && for device; do sed -n "s/^$row .*\b$device=\([0-9]*\).*/\1/p" tests/bench/cost-baseline-6.12; done | xargs; }
	near() {
		[ -n "$1" ] && [ "$(wc -w <<<"$1")" = "$(wc -w <<<"$2")" ] || { echo "other numbers: $1; $2" && return 1; }
		paste <(tr ' ' '\n' <<<"$1") <(tr ' ' '\n' <<<"$2") | awk '$1 < $2 * 0.97 || $1 > $2 * 1.03 { print; bad = 1 } END { exit bad }'
	}
	near "$(cells "a hit of 512 bytes")" "$(costs hit-512 rxcache page-cache dm-cache bcache)"
	near "$(cells "a hit of 4 KiB")" "$(costs hit-4k rxcache page-cache dm-cache bcache)"
	near "$(cells "a hit of 1 MiB")" "$(costs hit-1m rxcache page-cache dm-cache bcache)"
	near "$(cells "a miss of 4 KiB")" "$(costs miss-4k rxcache page-cache dm-cache bcache)"
	near "$(cells "a write of 4 KiB")" "$(costs write-4k rxcache page-cache dm-cache bcache)"
	near "$(cells "a read of 4 KiB")" "$(costs ram-4k-read rxdsk_bio rxdsk brd zram) 3872"
	near "$(cells "a first write of 1 MiB")" "$(costs first-1m rxdsk_bio rxdsk brd zram) 739021"
}
