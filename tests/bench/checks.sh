# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# The devices that "make bench-rivals" asks, and the names of its checks. Those of alone_of fill the memory of the machine.

RAM_DISKS="rxdsk brd zram null_mem"
CACHES="rxcache dm-cache bcache page-cache"

is_cache() { case " $CACHES " in *" $1 "*) ;; *) return 1 ;; esac; }

# "held" is the last, because it may end the device.
checks_of() {
	if is_cache "$1"; then
		echo verify-512 verify-4k write-through flush discard two-writers nowait grow held
	else
		echo verify-512 verify-4k discard-zeroes discard-frees write-zeroes two-writers nowait grow held
	fi
}

alone_of() { if is_cache "$1"; then echo pressure; else echo full; fi; }
