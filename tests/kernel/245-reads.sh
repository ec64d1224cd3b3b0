# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-only
# Reads that a shadow sees all of, however slow the machine is. Who asks for the estimates takes the samples, so replay asks before
# the rings can be full. Tests source this as "$here/kernel/245-reads.sh", after 200-cache.sh.

# replay FILE BLOCKS [WINDOW]: see rxt; does the trace's requests to $c, on one processor, for what two do is not told in its order.
# It asks after so many requests, or 1500.
replay() {
	check "replay $1" taskset -c 0 rxt replay "/dev/$c" "$1" "$2" 0 1000000000 "${3:-1500}" "shadow $c >$RX_TMP/asked"
}

# uniform N MIB: so many reads of a block, each as likely as any other. The next ones are others.
uniform() {
	rx_seed=$((${rx_seed:-0} + 1))
	rxt uniform "$1" "$rx_seed" $(($2 * 256)) >uniform.rxt
	replay uniform.rxt 1000000000
}

# once MIB: each block is read once.
once() {
	rxt once 1 $(($1 * 256)) >once.rxt
	replay once.rxt 1000000000
}
