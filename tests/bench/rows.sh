# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# The rows that fio measures: NAME WHAT OPTIONS. Rows with blocks of 64 KiB and more are in MiB/s, others in IOPS. With a "+" at
# the end of WHAT the latency and the processor time of an I/O are measured, too.
#   ram     RAM disks, their first 64 MiB
#   hit     caches and, as their limit, RAM disks: the hot set, which is cached
#   write   caches and the bare disk: the hot set
#   miss    caches and the bare disk: blocks that were not read before
#   slow    a slow disk and a cache over one: writes, or misses if the name says so
#   first, zipf, scan, memory   see their functions in "guest"

PSYNC="--ioengine=psync"
# For throughput: once 16 of 32 requests have ended, they are collected, and 16 new requests are submitted at once.
DEEP="--ioengine=io_uring --iodepth=32 --iodepth_batch_submit=16 --iodepth_batch_complete_min=16"
TWO="--numjobs=2 --cpus_allowed=0-1 --cpus_allowed_policy=split"

fio_rows() {
	cat <<-ROWS
		ram-4k-read ram+ --rw=randread --bs=4k $PSYNC
		ram-4k-write ram+ --rw=randwrite --bs=4k $PSYNC
		ram-4k-read-x32 ram --rw=randread --bs=4k $DEEP
		ram-4k-write-x32 ram --rw=randwrite --bs=4k $DEEP
		ram-4k-read-2jobs ram --rw=randread --bs=4k $DEEP $TWO
		ram-4k-write-2jobs ram --rw=randwrite --bs=4k $DEEP $TWO
		ram-4k-read-4jobs ram --rw=randread --bs=4k $PSYNC --numjobs=4
		ram-4k-mixed ram --rw=randrw --rwmixread=70 --bs=4k $PSYNC
		ram-64k-read ram --rw=randread --bs=64k $PSYNC
		ram-64k-write ram --rw=randwrite --bs=64k $PSYNC
		ram-1m-read ram --rw=read --bs=1M $PSYNC
		ram-1m-write ram --rw=write --bs=1M $PSYNC
		ram-1m-first-write first --rw=write --bs=1M $PSYNC
		hit-4k hit+ --rw=randread --bs=4k $PSYNC
		hit-4k-x32 hit --rw=randread --bs=4k $DEEP
		hit-4k-2jobs hit --rw=randread --bs=4k $DEEP $TWO
		hit-4k-8readers-1block hit --rw=read --bs=4k --size=4k $PSYNC --numjobs=8
		hit-4k-8readers-8blocks hit --rw=read --bs=4k --size=4k --offset_increment=4k $PSYNC --numjobs=8
		hit-512 hit --rw=randread --bs=512 $PSYNC
		hit-64k hit --rw=randread --bs=64k $PSYNC
		hit-1m hit --rw=read --bs=1M $PSYNC
		write-4k write+ --rw=randwrite --bs=4k $PSYNC
		write-4k-x32 write --rw=randwrite --bs=4k $DEEP
		write-1m write --rw=write --bs=1M $PSYNC
		zipf-0.9 zipf --rw=randread --bs=4k $DEEP --random_distribution=zipf:0.9
		zipf-1.2 zipf --rw=randread --bs=4k $DEEP --random_distribution=zipf:1.2
		scan scan
		miss-4k miss+ --rw=randread --bs=4k $PSYNC
		miss-4k-x32 miss --rw=randread --bs=4k $DEEP
		miss-1m miss --rw=read --bs=1M $PSYNC
		slow-write-4k slow --rw=randwrite --bs=4k $PSYNC
		slow-write-4k-x32 slow --rw=randwrite --bs=4k $DEEP
		slow-write-1m slow --rw=write --bs=1M $PSYNC
		slow-miss-4k slow --rw=randread --bs=4k $PSYNC
		slow-miss-4k-x32 slow --rw=randread --bs=4k $DEEP
		slow-miss-1m slow --rw=read --bs=1M $PSYNC
		memory memory
	ROWS
}
