# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# The rows and columns of "make bench-price". A row is a working set, as a multiple of the RAM, and a phase:
#   quiet    the load runs alone
#   backup   the load runs until a backup beside it has read all files, through the page cache
#   after    the load runs alone again

PRICE_SETS="0.5 1 2"
PRICE_PHASES="quiet backup after"

# The ways in which the load reads, which are the columns:
#   buffered        through the page cache, from the slow disk
#   buffered-rxc    through the page cache, from a cache of half of the RAM over the slow disk
#   direct-rxc      with O_DIRECT, from a cache of three quarters of the RAM, because nothing else needs that memory
#   direct-floor    the same, with a floor of that size: memory pressure takes none of it
#   direct-frozen   the same with the floor, and the cache is frozen while the backup runs
#   direct          with O_DIRECT, from the slow disk
PRICE_WAYS="buffered buffered-rxc direct-rxc direct-floor direct-frozen direct"

price_rows() {
	local set phase
	for set in $PRICE_SETS; do
		for phase in $PRICE_PHASES; do echo "${set}x-$phase"; done
	done
}

# price_share WAY: prints the size of its cache, in percent of the RAM.
price_share() {
	case $1 in
	buffered-rxc) echo 50 ;;
	direct-*) echo 75 ;;
	*) echo 0 ;;
	esac
}

# price_fits SET WAY: whether the way is measured with that working set. One set is enough to show the effect of a setting.
price_fits() {
	case $2 in
	direct-floor | direct-frozen | direct) [ "$1" = 1 ] ;;
	esac
}

# Four threads read pages of a database, all with the same hot pages. Each phase has its own seed, or the load would repeat its last
# requests. fio neither empties the page cache first nor advises the kernel (fadvise).
PRICE_LOAD="--rw=randread --bs=16k --ioengine=psync --numjobs=4 --thread --readonly --norandommap --time_based"
PRICE_LOAD="$PRICE_LOAD --random_distribution=zipf:0.9:0.3 --randrepeat=0 --invalidate=0 --fadvise_hint=0"
