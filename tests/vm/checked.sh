# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# What was checked, so that conf/release.sh knows it. A tree is named as git names it, by its content, so an amended message or
# another branch changes nothing. The records are in the cache folder, because a file in the tree would change it.

. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# checked_tree: prints the name of this tree, or nothing if it has a change that no commit has.
checked_tree() {
	local git=(git -C "$RX_TREE" -c "safe.directory=*") changes
	changes=$("${git[@]}" status --porcelain 2>/dev/null) && [ -z "$changes" ] || return 0
	"${git[@]}" rev-parse -q --verify 'HEAD^{tree}' 2>/dev/null || true
}

# checked_file TREE: prints where the parts that ran on a tree are recorded, as parts_end prints them, the newest last.
checked_file() { printf '%s/checked/%s' "$RX_CACHE" "$1"; }

# checked_add TREE LINE…: records parts, unless this tree is no longer the one with which they began.
checked_add() {
	local tree=$1 file
	shift
	[ -n "$tree" ] && [ "$(checked_tree)" = "$tree" ] || return 0
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
