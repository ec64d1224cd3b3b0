# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# The rows of "make bench-cost": NAME KIND WAY SIZE COUNT. In each row psync (kernel/helpers) makes COUNT direct I/Os of SIZE
# bytes in each lap, on the devices of that KIND:
#   copy    memory: memcpy() and nothing else
#   ram     RAM disks, a part that was written before
#   first   RAM disks: writes to blocks that were never written before
#   hit     caches, and RAM disks as their limit: the hot set, which is cached; rxcache-lz4 has room and holds it plain
#   miss    caches and the disk below them: blocks that were never read or written before
#   write   caches and that disk: the hot set, which is cached
#   new     caches and that disk: writes to blocks that were never read or written before
#   packed  caches that compress: a text, of which nine in ten blocks are compressed
#   pack    makes no I/O: what the packer takes for each block that it tries to compress
# "free" makes no I/O: it is the time in which a RAM disk that was written from end to end goes, for each MiB of it.
# In a row of 512 bytes the copy is a small part of the cost.

cost_rows() {
	cat <<-'ROWS'
		copy-512 copy read 512 20000
		copy-4k copy read 4K 20000
		copy-1m copy read 1M 200
		free-1m free
		ram-512-read ram read 512 4000
		ram-4k-read ram read 4K 4000
		ram-4k-write ram write 4K 4000
		ram-1m-read ram read 1M 32
		ram-1m-write ram write 1M 32
		first-4k first write 4K 2048
		first-1m first write 1M 16
		hit-512 hit read 512 4000
		hit-4k hit read 4K 4000
		hit-1m hit read 1M 32
		miss-4k miss read 4K 2048
		miss-1m miss read 1M 16
		write-4k write write 4K 4000
		write-1m write write 1M 32
		new-4k new write 4K 2048
		new-1m new write 1M 16
		packed-4k packed read 4K 1024
		pack-4k pack
	ROWS
}

COST_LAPS=4
# The size of all disks. A disk holds the hot set, the blocks that fill rxcache-full, and an area with a block for each I/O of a row
# "miss", "new" or "first".
COST_DISK=260M
HOT_SIZE=16M FILLED=64M
PACKED_SPAN=2M
row_offset() { case $1 in miss-4k) echo 64M ;; new-4k | first-4k) echo 96M ;; miss-1m | first-1m) echo 128M ;; new-1m) echo 192M ;; esac; }
row_span() { case $1 in *-4k) echo 32M ;; *) echo 64M ;; esac; }
