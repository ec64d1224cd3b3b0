# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# What was checked, so that conf/release.sh knows it. A tree is named as git names it, by its content, so an amended message or
# another branch changes nothing. The records are in the cache folder, because a file in the tree would change it.

# checked_tree DIR: prints the name of the tree in DIR, or nothing if it has a change that no commit has.
checked_tree() {
	local git=(git -C "$1" -c "safe.directory=*") changes
	changes=$("${git[@]}" status --porcelain 2>/dev/null) && [ -z "$changes" ] || return 0
	"${git[@]}" rev-parse -q --verify 'HEAD^{tree}' 2>/dev/null || true
}

# checked_file TREE: prints where the parts that ran on a tree are recorded, as parts_end prints them, the newest last.
checked_file() { printf '%s/checked/%s' "${RX_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/rxdsk}" "$1"; }

# checked_add DIR TREE LINE…: records parts, unless the tree in DIR is no longer the one with which they began.
checked_add() {
	local dir=$1 tree=$2 file
	shift 2
	[ -n "$tree" ] && [ "$(checked_tree "$dir")" = "$tree" ] || return 0
	file=$(checked_file "$tree")
	mkdir -p "${file%/*}"
	printf '%s\n' "$@" >>"$file"
}

# checked_lacks TREE PART…: prints the parts whose last run on the tree did not pass, or which never ran.
checked_lacks() {
	local file part last text
	file=$(checked_file "$1")
	shift
	text=$(cat "$file" 2>/dev/null || true)
	for part; do
		last=$(sed -n "/^# $part: /h; \${x; p}" <<<"$text")
		[[ $last =~ ,\ exit\ 0,\ [1-9][0-9]*\ passed,\ 0\ failed(,|$) ]] || printf '%s\n' "$part"
	done
}
