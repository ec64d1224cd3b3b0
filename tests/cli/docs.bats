#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# What is there is documented, and what is documented is there. Verbs, options and columns of the manual are in words.bats.

load helper

# What the tool says of each verb is asked for once: its options, its help with that of all verbs, which has the options that all have,
# the options that take a value, and its columns.
setup_file() {
	cd "$BATS_FILE_TMPDIR"
	"$RXADM" __words | grep -v ^- >verbs
	"$RXADM" help >help
	while read -r verb; do
		"$RXADM" __words "$verb" | sed -n 's/^--//p' | sort >"options.$verb"
		{ "$RXADM" help "$verb" && cat help; } >"help.$verb"
		sed -nE 's/^  (-., |    )--([a-z-]+)( |\[=)[^ ].*/\2/p' "help.$verb" | sort >"valued.$verb"
		"$RXADM" "$verb" -o help >"columns.$verb" 2>/dev/null || true
	done <verbs
}

setup() {
	TREE=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
	cd "$TREE"
}

verbs() { cat "$BATS_FILE_TMPDIR/verbs"; }
options() { cat "$BATS_FILE_TMPDIR/options.$1"; }

# one_of WORD LIST: a list of lines.
one_of() { [[ $'\n'$2$'\n' = *$'\n'"$1"$'\n'* ]]; }

# section PAGE NAME: the source of a section.
section() { awk -v name=".Sh $2" '/^\.Sh /{ on = $0 == name } on' "$TREE/man/$1"; }

# subsection NAME [PAGE]: of the pages of the verbs or of another page.
subsection() {
	local pages=("${VERB_PAGES[@]}")
	[ $# = 1 ] || pages=("$TREE/man/$2")
	awk -v name=".Ss $1" '/^\.S[hs] /{ on = $0 == name } on' "${pages[@]}"
}

synopses() { for page in "${VERB_PAGES[@]}"; do section "${page##*/}" SYNOPSIS; done; }

# columns_of VERB [KIND]: as help has them, defaults with a "*".
columns_of() {
	sed -n "/^Columns of ${2:-}/,/^\$/s/^  \([* ]\) \([^ ]*\) .*/\2\1/p" "$BATS_FILE_TMPDIR/columns.$1" | tr -d ' '
}

# items PREFIX: the heads of a list, one name a line: ".It Va a , b" with the prefix ".It Va".
items() { sed -n "s/^$1 //p" | sed 's/ , /\n/g' | sort; }

# same WHAT WANTED GOT: two lists.
same() {
	diff -u --label "$1: there" --label "$1: documented" <(echo "$2") <(echo "$3")
}

# All C of these folders, with each string in one piece.
strings_of() { (cd "$TREE" && cat "$@") | perl -0pe 's/"\s*\n\s*"//g'; }

@test "help: every option of a verb is a word for completion, and every column" {
	for verb in $(verbs); do
		sed -n 's/^  \(-., \|    \)--\([a-z-]*\)[ [].*/\2/p' "$BATS_FILE_TMPDIR/help.$verb" | sort >"$BATS_TEST_TMPDIR/help"
		[ -s "$BATS_TEST_TMPDIR/help" ]
		same "$verb" "$(cat "$BATS_TEST_TMPDIR/help")" "$(options "$verb")"
		columns=$(columns_of "$verb" | tr -d '*' | sort -u)
		[ -z "$columns" ] || same "columns of $verb" "$columns" "$("$RXADM" __words "$verb" -o | sort -u)"
	done
	[ "$(columns_of list | wc -l)" -gt 50 ]
}

@test "manual: every column of every verb with its mark, and no other" {
	for verb in $(verbs); do
		sed -n 's/^Columns of \([a-z]*\) .*/\1/p' "$BATS_FILE_TMPDIR/columns.$verb" | while read -r kind; do
			same "columns of $kind" "$(columns_of "$verb" "$kind" | sort)" \
				"$(subsection "Columns of $kind" | items '\.It Cm' | sed 's/ \*$/*/')" || exit 1
		done
	done
	same kinds "$(sed -n 's/^Columns of \([a-z]*\) .*/\1/p' "$BATS_FILE_TMPDIR"/columns.* | sort -u)" \
		"$(sed -n 's/^\.Ss Columns of //p' "${VERB_PAGES[@]}" | sort)"
}

@test "manual: options take a value where the tool wants one" {
	for verb in $(verbs); do
		# The first head that has an option counts.
		same "$verb" "$(options "$verb" | awk 'FILENAME != "-" { valued[$1] = 1; next } { print $1 ($1 in valued ? " value" : "") }' \
			"$BATS_FILE_TMPDIR/valued.$verb" -)" \
			"$({ subsection "$verb" && section rxadm.8 OPTIONS; } | awk 'FILENAME != "-" { wanted[$1] = 1; next }
				/^\.It / { for (i = 2; i < NF; i++) {
					name = substr($(i + 1), 2)
					if ($i != "Fl" || $(i + 1) !~ /^-/ || !(name in wanted) || seen[name]++) continue
					after = $(i + 2) == "Ns" ? $(i + 2) " " $(i + 3) : $(i + 2)
					print name (after ~ /^(Ar|Cm|Ns Oo)$/ ? " value" : after == "" ? "" : " " after)
				} }' "$BATS_FILE_TMPDIR/options.$verb" - | sort)"
	done
}

@test "manual: every word that is a value of an option" {
	count=0
	for verb in $(verbs); do
		while read -r option; do "$RXADM" __words "$verb" "--$option" =; done <"$BATS_FILE_TMPDIR/valued.$verb" |
			grep -xE '[a-z][a-z-]*' | sort -u >"$BATS_TEST_TMPDIR/words" || true
		count=$((count + $(wc -l <"$BATS_TEST_TMPDIR/words")))
		{ subsection "$verb" && section rxadm.8 OPTIONS; } | grep -oE '(Cm|Sq) [a-z-]+( |$)' | cut -d' ' -f2 | sort -u >"$BATS_TEST_TMPDIR/text"
		is "" "$(comm -23 "$BATS_TEST_TMPDIR/words" "$BATS_TEST_TMPDIR/text" | sed "s/.*/$verb: & is not in the manual/")"
	done
	[ $count -gt 20 ]
}

@test "manual: the synopsis names each option of a verb, and no other" {
	same synopsis "$(verbs | grep -vxE 'help|version' | sort)" \
		"$(synopses | grep -E '^\.Cm |^\.Op Cm list$' | grep -oE 'Cm [a-z-]+' | sed 's/^Cm //' | sort -u)"
	named=$(synopses | awk '/^\.Cm |^\.Op Cm list$/ { verb = $1 == ".Op" ? $3 : $2 }
		{ for (i = 1; i < NF; i++) if ($i == "Fl" || $i == ".Fl") print verb, $(i + 1) }
		/\|/ { for (i = 1; i <= NF; i++) if ($i ~ /^-[a-z]/ && $(i - 1) != "Fl" && $(i - 1) != ".Fl") print verb, $i }')
	while read -r verb option; do
		options "$verb" | grep -qx -e "${option#-}" || { echo "rxadm $verb -$option" && exit 1; }
	done <<<"$named"
	# Those of map are too many.
	for verb in $(verbs | grep -vxE 'help|version|map'); do
		for option in $(options "$verb" | grep -vxFf <(sed -nE 's/^  (-., |    )--([a-z-]+).*/\2/p' "$BATS_FILE_TMPDIR/help")); do
			one_of "$verb -$option" "$named" || { echo "no rxadm $verb --$option" && exit 1; }
		done
	done
}

@test "events: every name is in the manual, and no other" {
	same events "$(grep -ohE '"(disk|cache)-(new|del|change|full)"' rxadm/kernel/model_gen.c | tr -d '"' | sort -u)" \
		"$(subsection monitor | grep -oE '(disk|cache)-[a-z]+' | sort -u)"
}

@test "exit statuses: the code, help and the manual have the same" {
	code=$(sed -n '/^enum rx_exit/,/^}/s/.*= \([0-9]*\),.*/\1/p' rxadm/base/global.h)
	[ -n "$code" ]
	same manual "$code" "$(section rxadm.8 "EXIT STATUS" | sed -n 's/^\.It \([0-9]*\).*/\1/p')"
	same help "$code" "$("$RXADM" help | sed -n '/^Exit:/,/^More:/p' | grep -oE '(^|[ :,])[0-9] ' | tr -dc '0-9\n')"
}

@test "environment: every variable is in the manual, and no other" {
	same environment "$(grep -ohE 'getenv\("[A-Z_a-z0-9]+"\)' rxadm/*.c rxadm/*/*.c | sed 's/.*"\(.*\)".*/\1/' | sort -u)" \
		"$(for page in man/rxadm*.8; do section "${page#*/}" ENVIRONMENT; done | items '\.It Ev')"
}

@test "module parameters: each is in its page, and no other, and says its default" {
	for module in rxdsk rxcache; do
		names=$(grep -ohE '^module_param(_[a-z]+)?\([a-z_]+' $(find $module -name '*.c') | sed 's/.*(//' | sort)
		same "$module" "$names" "$(section $module.4 "MODULE PARAMETERS" | items '\.It Cm')"
		for name in $names; do
			strings_of $(find $module -name '*.c') | tr '\n' ' ' | grep -oE "MODULE_PARM_DESC\($name,[^;]*;" | grep -q default
			section $module.4 "MODULE PARAMETERS" | grep -qiw default
		done
	done
}

@test "tracepoints: each is in its page with its reasons, and no other" {
	for module in rxdsk rxcache; do
		[ -e $module/trace.h ] || { is "" "$(section $module.4 TRACEPOINTS)" && continue; }
		same $module "$(perl -0ne 'print "$1\n" while /\n(?:DEFINE_EVENT|DEFINE_EVENT_PRINT|TRACE_EVENT)\((?:\w+,\s*)?(\w+),/g' $module/trace.h | sort)" \
			"$(section $module.4 TRACEPOINTS | items '\.It Va')"
		for reason in $(grep -oE '\{ [A-Z_]+, "[a-z_]+" \}' $module/trace.h | sed 's/.*"\(.*\)".*/\1/' | sort -u); do
			section $module.4 TRACEPOINTS | grep -qw "$reason" || { echo "reason $reason is not in $module(4)" && return 1; }
		done
	done
}

@test "tracepoints: bpftrace's script uses those that there are, and fields that they have" {
	events=$(perl -0ne 'print "$1\n" while /\nDEFINE_EVENT(?:_PRINT)?\(\w+,\s*(\w+),/g' rxcache/trace.h)
	used=$(grep -ohE 'tracepoint:rxcache:[a-z_]+' conf/*.bt | cut -d: -f3 | sort -u)
	[ -n "$used" ]
	is "" "$(grep -vxF "$events" <<<"$used")"
	fields=$(sed -n 's/^\t\t__field([a-z0-9_]*, \([a-z]*\))$/\1/p' rxcache/trace.h | sort -u)
	has blocks "$fields"
	is "" "$(grep -ohE 'args[.>-]+[a-z_]+' conf/*.bt | sed 's/args[.>-]*//' | sort -u | grep -vxF "$fields")"
}

@test "counters: each is in rxcache(4), and no other" {
	same counters "$(sed -n 's/^\tRXCACHE_A_STATS_\([A-Z_]*\)[, ].*/\1/p' module/include/uapi/linux/rxcache.h | grep -vxE 'PAD|MAX' | tr A-Z a-z | sort)" \
		"$(section rxcache.4 COUNTERS | items '\.It Va')"
}

@test "protocol: every operation, attribute and value is in rx-netlink(7), and no other" {
	for family in RXDSK RXCACHE; do
		header=module/include/uapi/linux/$(tr A-Z a-z <<<$family).h
		there=$(sed -n "s/^\t\(${family}_[A-Z0-9_]*\)[, ].*/\1/p; s/^#define \(${family}_[A-Z_]*\)[[:space:]].*/\1/p" "$header" |
			grep -vE '_(A_[A-Z_]*_(PAD|MAX)|CMD_MAX|CACHE_FLAG_.*|DISK_FLAG_.*)$' | sort -u)
		[ "$(wc -l <<<"$there")" -gt 20 ]
		same "$header" "$there" "$(section rx-netlink.7 "THE FAMILY $family" | grep -oE "Dv ${family}_[A-Z0-9_]+" | sed 's/^Dv //' | sort -u)"
	done
}

@test "protocol: the page's program compiles, and rxadm prints what it says" {
	section rx-netlink.7 EXAMPLES | sed -n '/^#include <linux/,/^\.Ed/p' | sed '$d; s/\\e/\\/g' >"$BATS_TEST_TMPDIR/disks.c"
	grep -q 'int main' "$BATS_TEST_TMPDIR/disks.c"
	# shellcheck disable=SC2046
	gcc -Wall -Wextra -Wno-unused-parameter -Werror -Imodule/include/uapi -o "$BATS_TEST_TMPDIR/disks" "$BATS_TEST_TMPDIR/disks.c" \
		$(pkg-config --cflags --libs libnl-genl-3.0)
	command=$(section rx-netlink.7 EXAMPLES | sed -n 's/^# rxadm \(--dry-run .*\) | jq -c .requests$/\1/p')
	# shellcheck disable=SC2086
	replay </dev/null
	rx $command
	section rx-netlink.7 EXAMPLES | grep -qxF "$(jq -c .requests <<<"$output")"
}

@test "diagnostics: every text of the manual is one that is said" {
	strings_of rxadm/*.c rxadm/*/*.c rxdsk/*.c rxcache/*.c rxcache/*/*.c >"$BATS_TEST_TMPDIR/code"
	count=0
	for page in man/*.[1-8]; do
		page=${page#*/}
		section $page DIAGNOSTICS | sed -n '/^\.Bl -diag/,/^\.El/s/^\.It "\{0,1\}\(.*[^"]\)"\{0,1\}$/\1/p' >"$BATS_TEST_TMPDIR/texts"
		while IFS= read -r text; do
			count=$((count + 1))
			# The kernel's own messages are not ours to prove.
			[[ $text != *" dev rxd0"* ]] || continue
			# "..." is whatever a "%s" of the same string stands for.
			pattern=$(sed 's/[][(){}*+?^$|\\]/\\&/g; s/\.\.\./[^"]*/g' <<<"$text")
			grep -qE -e "$pattern" "$BATS_TEST_TMPDIR/code" || { echo "$page: nobody says '$text'" && return 1; }
		done <"$BATS_TEST_TMPDIR/texts"
	done
	[ $count -gt 15 ]
}

# lab_load: the names, titles, sentences and rows of the experiments, without their machine.
lab_load() {
	. tests/bench/rows.sh
	. tests/bench/experiments/devices.sh
	. tests/bench/experiments/list.sh
}

@test "experiments: rx-tuning(7) has each, with its title and its sentences, and no other" {
	lab_load
	titles=$(for e in $experiments; do title=${e}_title && echo "${!title}"; done)
	same titles "$titles" "$(section rx-tuning.7 EXPERIMENTS | sed -n 's/^\.Ss //p')"
	for e in $experiments; do
		title=${e}_title
		[ "$(lab_says "$e" | wc -l)" = 2 ]
		while IFS= read -r sentence; do
			has "$sentence" "$(subsection "${!title}" rx-tuning.7 | tr '\n' ' ')"
		done < <(lab_says "$e")
	done
}

@test "experiments: every row of the tables in rx-tuning(7) is one that is measured" {
	lab_load
	units=$(sed -n '/^UNITS/,/}/p' tests/bench/figures.py | grep -o '"[^"]*"' | tr -d '"')
	for e in $experiments; do
		title=${e}_title count=0
		mapfile -t names < <("${e}_rows" | cut -d' ' -f1)
		while read -r row rest; do
			! one_of "$row" "${units// /$'\n'}" || continue
			count=$((count + 1)) known=''
			for name in "${names[@]}"; do [[ $row- != "$name"-* ]] || known=1; done
			[ -n "$known" ] || { echo "$e has no row $row" && return 1; }
		done < <(subsection "${!title}" rx-tuning.7 | sed -n '/^\.Bd -literal/,/^\.Ed/{/^\.\|^$/d;p}')
		[ $count -gt 3 ]
	done
}

@test "experiments: rx-tuning(7) names no target of make and no pattern that there is not" {
	while read -r target; do
		grep -qE "^($target|[a-z -]* $target)( [a-z-]+)*:" Makefile tests/rules.mk || { echo "no make $target" && return 1; }
	done < <(tr '\n' ' ' <man/rx-tuning.7 | grep -oE '(Nm|Dq) make [a-z-]+' | sed 's/.* //' | sort -u)
	help=$(tests/bench/lab --help)
	rows=$(tests/bench/lab --list)
	words=$(sed -n 's/.*TESTS="\([^"]*\)".*/\1/p' man/rx-tuning.7)
	[ -n "$words" ]
	for word in $words; do
		case $word in
		--*) grep -qE "^  $word " <<<"$help" ;;
		[0-9]*) ;;
		*) grep -qF "$word" <<<"$rows" ;;
		esac || { echo "tests/bench/lab knows no $word" && return 1; }
	done
}

@test "experiments: the command lines of rx-tuning(7) are fio's" {
	command -v fio >/dev/null || skip "no fio"
	count=0
	while read -r line; do
		count=$((count + 1))
		# shellcheck disable=SC2086
		$line --parse-only
	done < <(sed -e ':a' -e '/\\e$/{N;s/\\e\n//;ba' -e '}' man/rx-tuning.7 | sed -n 's/^# \(fio .*\)/\1/p')
	[ $count -gt 1 ]
}

# commands: the command lines "rxadm …" of the manual's examples, of README and of what the tool tells people to run.
commands() {
	cat man/*.[1-8] README.md | sed -n 's/^[#$] \(rxadm.*\)/\1/p; s/.*[;&|] *\(rxadm [^#]*\)/\1/p' | sed 's/[|&;#].*//'
	grep -ohE '`rxadm [^`]+`' README.md | tr -d '`'
	cat man/*.[1-8] | sed -n 's/^\.Nm rxadm \([A-Za-z].*\)/rxadm \1/p' | sed 's/ \(Cm\|Ar\|Op\) / /g; s/ Fl -/ --/g'
	strings_of rxadm/*.c rxadm/*/*.c | grep -v '^{*[[:space:]]*\*' | grep -oE '[a-z]: rxadm [a-z_-][^;,)("\\%]*' | sed 's/^.: //' | grep -v '^rxadm %'
}

@test "every command line that is shown has a verb and options that exist" {
	count=0 verbs=$(verbs)
	declare -A options
	for verb in $verbs; do options[$verb]=$(options "$verb"); done
	while read -r _ line; do
		count=$((count + 1))
		verb=list
		for word in $line; do
			case $word in
			-*) ;;
			*) verb=$word && break ;;
			esac
		done
		[[ $word != -* ]] && [ -n "$line" ] || verb=list
		# Hidden verbs are not for people.
		[[ $verb != __* ]] || continue
		one_of "$verb" "$verbs" || { echo "no verb '$verb': rxadm $line" && return 1; }
		for word in $line; do
			[[ $word = --[a-z]* ]] || continue
			word=${word%%=*}
			one_of "${word#--}" "${options[$verb]}" || { echo "no option '$word': rxadm $line" && return 1; }
		done
	done < <(commands)
	[ $count -gt 30 ]
}

@test "pages: each is named in rxadm(8), and each of ours that one refers to is there" {
	for page in man/*.[1-8]; do
		name=$(basename "${page%.*}") number=${page##*.}
		[ "$name" = rxadm ] || { section rxadm.8 VERBS && section rxadm.8 "SEE ALSO"; } | grep -qE "^\.(It )?Xr $name $number( |\$)" ||
			{ echo "$name($number) is not named in rxadm(8)" && return 1; }
		for head in NAME SYNOPSIS DESCRIPTION EXAMPLES "SEE ALSO"; do
			# A file has no synopsis.
			[[ $page = *.5 && $head = SYNOPSIS ]] || grep -qxF ".Sh $head" "$page" || { echo "$page has no $head" && return 1; }
		done
	done
	grep -ohE '^\.Xr rx[a-z-]* [0-9]|Xr rx[a-z-]* [0-9]' man/*.[1-8] | sort -u | while read -r _ name number; do
		[ -e "man/$name.$number" ] || { echo "$name($number) is referred to" && exit 1; }
	done
}

@test "README: its pictures are what is drawn of the figures of now, and small" {
	python3 -B tests/bench/pictures.py tests/bench/database-figures "$BATS_TEST_TMPDIR/pictures"
	diff -ru "$BATS_TEST_TMPDIR/pictures" tests/bench/pictures
	for picture in tests/bench/pictures/*.svg; do
		grep -qF "($picture)" README.md || { echo "README.md does not show $picture" && return 1; }
		[ "$(wc -c <"$picture")" -le 40960 ]
	done
}

@test "CONTRIBUTING: the functions that a reader is led to are where it says" {
	count=0
	while IFS= read -r cell; do
		file=''
		while read -r word; do
			case $word in
			*.c:) file=${word%:} ;;
			*'()')
				count=$((count + 1))
				grep -qE "^[a-z].*[ *]${word%??}\(" "$file" || { echo "CONTRIBUTING.md: no $word in $file" && return 1; }
				;;
			esac
		done < <(grep -oE '[a-z_/]+\.c:|[a-z_]+\(\)' <<<"$cell")
	done < <(sed -n '/^## Follow a read/,/^## Add a counter/s/^| [0-9].*| \(.*\) |$/\1/p' CONTRIBUTING.md)
	[ $count -gt 20 ]
}
