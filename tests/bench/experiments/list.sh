# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# The experiments, each a file in this folder, in the order of rx-tuning(7). NAME.sh has
#   NAME_title    one line
#   NAME_says     two paragraphs with an empty line between them, which are also in the manual
#   NAME_rows     prints each ROW, with the arguments that NAME_row gets after ROUND and ROW
#   NAME_row      measures a row on all devices
#   NAME_begin    makes what the experiment needs besides the common devices (devices.sh)

experiments="workloads blocks buffers twice queue"
for e in $experiments; do
	# shellcheck source=/dev/null
	. "${BASH_SOURCE[0]%/*}/$e.sh"
done

# Prints every row, as EXPERIMENT/ROW.
lab_list() {
	local e
	for e in $experiments; do "${e}_rows" | sed "s|^\([^ ]*\).*|$e/\1|"; done
}

# lab_says EXPERIMENT: prints its paragraphs, one a line.
lab_says() { "$1_says" | awk 'BEGIN { RS = "" } { gsub("\n", " "); print }'; }
