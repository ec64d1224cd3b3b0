# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# The experiments, each a file of this folder, in the order of rx-tuning(7). NAME.sh has
#   NAME_title    one line
#   NAME_says     two sentences, an empty line between them, which the manual has too
#   NAME_rows     ROW and the arguments that NAME_row gets after ROUND and ROW
#   NAME_begin    what it needs besides the common devices (devices.sh)

experiments="workloads blocks buffers twice queue"
for e in $experiments; do
	# shellcheck source=/dev/null
	. "${BASH_SOURCE[0]%/*}/$e.sh"
done

# Every row, as EXPERIMENT/ROW.
lab_list() {
	local e
	for e in $experiments; do "${e}_rows" | sed "s|^\([^ ]*\).*|$e/\1|"; done
}

# lab_says EXPERIMENT: its sentences, a line each.
lab_says() { "$1_says" | awk 'BEGIN { RS = "" } { gsub("\n", " "); print }'; }
