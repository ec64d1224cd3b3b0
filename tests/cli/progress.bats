#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# How far verify, save, restore, load, resize and set --size are, on a terminal only. The line itself is in unit/tool/test_progress.c.

load helper

TERMINAL=$BATS_TEST_DIRNAME/terminal.py

setup() { export TERM=xterm; }

# verified ATTRIBUTES: a verification of 10 MiB that does not end.
verified() {
	local so_far="name=rxc0 id=5 $ACTIVE cached=10485760 verify.running=yes verify.sample=$1 verify.compared=$2 verify.skipped=$3"
	replay <<-END
		> rxcache join
		> rxcache cache-verify name=rxc0${4:-}
		< $so_far
		>* rxcache cache-get name=rxc0
		< $so_far
		>* rxcache cache-verify name=rxc0 stop
	END
}

@test "verify: what was compared and skipped, of what is cached" {
	verified 1 1000 280
	in_terminal "expect:rxadm verify rxc0: 50 %; Ctrl-C stops it" signal:SIGINT \
		"expect:rxadm: verify rxc0: interrupted and stopped" "gone:50 %" end:-2 -- verify rxc0
	verified 10 64 0 " sample=10"
	in_terminal "expect:verify rxc0: 25 %" signal:SIGINT end:-2 -- verify rxc0 --sample 1/10
	verified 1 9999 0
	in_terminal "expect:verify rxc0: 99 %" signal:SIGINT end:-2 -- verify rxc0
}

@test "verify: nothing in a pipe, with --quiet, and on a dumb terminal" {
	verified 1 1000 280
	rx 2 verify rxc0 --wait 3
	[[ $output$stderr != *%* ]]
	in_terminal "expect:not done in time" end:2 show: -- verify rxc0 --quiet --wait 2 >"$BATS_TEST_TMPDIR/screen"
	run -1 grep % "$BATS_TEST_TMPDIR/screen"
	TERM=dumb in_terminal "expect:not done in time" end:2 show: -- verify rxc0 --wait 2 >"$BATS_TEST_TMPDIR/screen"
	run -1 grep % "$BATS_TEST_TMPDIR/screen"
}

@test "resize: memory that a disk with prealloc takes, and memory that goes back" {
	local more="size=1073741824 block-size=512 queues=2 read-only=no openers=0 major=259 minor=0 no-space=0 slow-writes=0"
	replay <<-END
		> rxdsk disk-resize name=rxd0 size=2147483648
		< name=rxd0 $more used=1073741824 freeing=0 prealloc=yes state=preparing
		> rxdsk join
		>* rxdsk disk-get name=rxd0
		< name=rxd0 $more used=1610612736 freeing=0 prealloc=yes state=preparing
	END
	in_terminal "expect:rxadm resize rxd0: 75 %; Ctrl-C leaves it to the background" signal:SIGINT "gone:75 %" end:-2 -- resize rxd0 2G
	replay <<-END
		> rxdsk join
		> rxdsk disk-resize name=rxd0 size=4096 shrink
		< name=rxd0 $more size=4096 used=0 freeing=1048576 state=clearing
		>* rxdsk disk-get name=rxd0
		< name=rxd0 $more size=4096 used=0 freeing=262144 state=clearing
	END
	in_terminal "expect:rxadm resize rxd0: 75 %; Ctrl-C leaves it to the background" signal:SIGINT "gone:75 %" end:-2 -- resize rxd0 4K --shrink
	rx 2 resize rxd0 4K --shrink --wait 2
	[[ $output$stderr != *%* ]]
}

@test "attach --prealloc: memory that it has; set --size: the blocks that have moved" {
	local disk="name=rxd0 size=1073741824 block-size=512 queues=2 read-only=no used=107374183 freeing=0 openers=0 major=259 minor=0 no-space=0 slow-writes=0 prealloc=yes state=preparing"
	replay <<-END
		>* rxdsk join
		> rxdsk disk-new size=1073741824 prealloc=yes
		< $disk
		>* rxdsk disk-get name=rxd0
		< $disk
		>* rxdsk disk-del name=rxd0
		@ rxdsk disk-del-ntf $disk
	END
	in_terminal "expect:rxadm attach rxd0: 10 %; Ctrl-C undoes it" signal:SIGINT end:-2 -- attach 1G --prealloc
	replay <<-END
		> rxcache join
		> rxcache cache-set name=rxc0 size=2147483648
		< name=rxc0 id=5 $ACTIVE resize.running=yes resize.size=2147483648 resize.done=0
		>* rxcache cache-get name=rxc0
		< name=rxc0 id=5 $ACTIVE resize.running=yes resize.size=2147483648 resize.done=421
	END
	in_terminal "expect:rxadm set rxc0: 42 %; Ctrl-C leaves it to the background" signal:SIGINT "gone:42 %" end:-2 -- set rxc0 --size 2G
	# A module that does not tell.
	replay <<-END
		> rxcache join
		> rxcache cache-set name=rxc0 size=2147483648
		< name=rxc0 id=5 $ACTIVE resize.running=yes resize.size=2147483648
		>* rxcache cache-get name=rxc0
		< name=rxc0 id=5 $ACTIVE resize.running=yes resize.size=2147483648
	END
	in_terminal "expect:set rxc0: moving the cached blocks; Ctrl-C" signal:SIGINT end:-2 show: -- set rxc0 --size 2G >"$BATS_TEST_TMPDIR/screen"
	run -1 grep % "$BATS_TEST_TMPDIR/screen"
}

@test "load: what was read of the list; save: what was listed" {
	sysroot
	sys_disk sdb 8:16
	mkdir -p "$RXADM_SYSROOT/var/lib" "$RXADM_SYSROOT/run" "$RXADM_SYSROOT/sys/class/block/sdb/device"
	echo "naa.5000c500a1b2c3d4" >"$RXADM_SYSROOT/sys/class/block/sdb/device/wwid"
	truncate -s 1G "$RXADM_SYSROOT/dev/rxc0"
	replay < <(
		echo ">* rxcache cache-get name=rxc0"
		echo "< name=rxc0 id=5 $ACTIVE cached=1073741824"
		# A recording has up to 16 numbers in one reply.
		for part in $(seq 0 7); do
			echo "> rxcache cache-blocks name=rxc0$([ "$part" = 0 ] || echo " cursor=$part")"
			echo "< name=rxc0 block-size=4096 id=5 blocks=$(seq $((part * 128)) 8 $((part * 128 + 120)) | paste -sd,)$([ "$part" = 7 ] || echo " cursor=$((part + 1))")"
		done
	)
	rx save-list rxc0
	has "blocks of /dev/sdb listed" "$output"
	[[ $stderr != *%* ]]
	replay <<-END
		>* rxcache cache-get name=rxc0
		< name=rxc0 id=5 $ACTIVE cached=1073741824
	END
	# A disk that takes 20 ms for a read, of a kernel that makes them one at a time.
	cat >"$BATS_TEST_TMPDIR/slow.c" <<-END
		#define _GNU_SOURCE
		#include <errno.h>
		#include <dlfcn.h>
		#include <stdarg.h>
		#include <sys/syscall.h>
		#include <sys/uio.h>
		#include <unistd.h>
		long syscall(long nr, ...)
		{
			long a[3];
			va_list list;
			if (nr == SYS_io_setup) { errno = ENOSYS; return -1; }
			va_start(list, nr);
			for (int i = 0; i < 3; i++) a[i] = va_arg(list, long);
			return ((long (*)(long, ...))dlsym(RTLD_NEXT, "syscall"))(nr, a[0], a[1], a[2]);
		}
		ssize_t pread(int fd, void *buf, size_t n, off_t at) { struct iovec v = { buf, n }; usleep(20000); return preadv(fd, &v, 1, at); }
	END
	gcc -shared -fPIC -o "$BATS_TEST_TMPDIR/slow.so" "$BATS_TEST_TMPDIR/slow.c"
	export LD_PRELOAD=$BATS_TEST_TMPDIR/slow.so
	in_terminal "expect:rxadm load-list rxc0: " "expect:%" "expect:Ctrl-C stops it" "expect:loaded in" "gone:%" end:0 -- load-list rxc0
	rx load-list rxc0
	is "" "$stderr"
}

@test "save and restore of a disk: what was read of its memory, and of the image" {
	sysroot
	cd "$BATS_TEST_TMPDIR"
	head -c 48M /dev/urandom >original
	cp original "$RXADM_SYSROOT/dev/rxd0"
	replay <<-END
		>* rxdsk disk-get name=rxd0
		< name=rxd0 id=3 $DISK size=50331648 state=active
		>* rxdsk disk-extents name=rxd0
		< id=3 extents=0,50331648
	END
	# A disk and a file that take 25 ms for a piece. The 40th one, and the 80th, waits until the test has seen the line.
	cat >slow.c <<-END
		#define _GNU_SOURCE
		#include <stdio.h>
		#include <sys/syscall.h>
		#include <sys/uio.h>
		#include <unistd.h>
		static void wait_a_bit(void)
		{
			static int n;
			char name[16];

			usleep(25000);
			snprintf(name, sizeof(name), "seen.%d", ++n / 40);
			while (n % 40 == 0 && access(name, F_OK))
				usleep(10000);
		}
		ssize_t pread(int fd, void *buf, size_t n, off_t at)
		{
			if (n > 4096)
				wait_a_bit();
			return syscall(SYS_pread64, fd, buf, n, at);
		}
		ssize_t preadv(int fd, const struct iovec *v, int n, off_t at)
		{
			wait_a_bit();
			return syscall(SYS_preadv, fd, v, (long)n, at, 0L);
		}
	END
	gcc -shared -fPIC -o slow.so slow.c
	export LD_PRELOAD=$PWD/slow.so
	in_terminal "expect:rxadm save rxd0: " "expect: %" "run:touch seen.1" "expect:saved in image" "gone:%" end:0 -- save rxd0 image
	rx save rxd0 image
	is "" "$stderr"
	rm seen.1
	: >"$RXADM_SYSROOT/dev/rxd0"
	truncate -s 48M "$RXADM_SYSROOT/dev/rxd0"
	in_terminal "expect:rxadm restore image: " "expect: %" "expect:checking it, nothing is changed yet" "run:touch seen.1" \
		"expect:rxadm restore rxd0: " "expect: %" "run:touch seen.2" "expect:restored, saved as rxd0" "gone:%" end:0 -- restore image rxd0
	cmp original "$RXADM_SYSROOT/dev/rxd0"
	rx restore image rxd0
	is "" "$stderr"
}
